import type { Refusal } from "../refusal.ts";
import { objectOf, objectsOf, textOf } from "../json.ts";
import { invalidRequest } from "../openai/openai-error.ts";
import { isReasoningModel, refusesSampling } from "../openai/reasoning-models.ts";
import { schemaProblem } from "../openai/strict-schema.ts";
import { firstProblem, nameProblem } from "../openai/string-limits.ts";

const wires = ["openai-chat"] as const;
const create = "https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create";
const structuredOutputs = "https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas";
const reasoningGuide = "https://developers.openai.com/api/docs/guides/reasoning";

const parameters = new Set(
  "audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata modalities model moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options".split(
    " ",
  ),
);

/** Refusals of Chat Completions about tools, schemas and settings. */
export const chatSettingRefusals: readonly Refusal[] = [
  {
    id: "chat.parameter-unknown",
    wires,
    servers: ["openai"],
    when: "The body has a parameter that does not exist.",
    source: create,
    find: ({ body }) => {
      const name = Object.keys(body).find((key) => !parameters.has(key));
      return name === undefined ? undefined : invalidRequest(`Unrecognized request argument supplied: ${name}`);
    },
  },
  {
    id: "chat.tool-name-invalid",
    wires,
    when: "A tool's name is not 1 to 64 letters, digits, `_` or `-`.",
    source: "https://developers.openai.com/api/docs/guides/function-calling",
    find: ({ body }) =>
      firstProblem(objectsOf(body["tools"]), (tool, index) =>
        tool["type"] === "function"
          ? nameProblem(textOf(objectOf(tool["function"])["name"]), `tools[${index}].function.name`)
          : undefined,
      ),
  },
  {
    id: "chat.tool-schema-invalid",
    wires,
    when: "A tool's parameters are not an object schema, or break the rules of strict mode.",
    source: structuredOutputs,
    find: ({ body }) =>
      firstProblem(objectsOf(body["tools"]), (tool, index) => {
        const declared = objectOf(tool["function"]);
        if (declared["parameters"] == null) return undefined;
        const problem = schemaProblem(declared["parameters"], declared["strict"] === true);
        return problem === undefined
          ? undefined
          : invalidRequest(
              `Invalid schema for function '${textOf(declared["name"])}': ${problem}`,
              `tools[${index}].function.parameters`,
              "invalid_function_parameters",
            );
      }),
  },
  {
    id: "chat.output-schema-invalid",
    wires,
    when: "The answer's schema breaks the rules of structured outputs.",
    source: structuredOutputs,
    find: ({ body }) => {
      const format = objectOf(body["response_format"]);
      if (format["type"] !== "json_schema") return undefined;
      const schema = objectOf(format["json_schema"]);
      const problem = schemaProblem(schema["schema"], schema["strict"] === true);
      return problem === undefined
        ? undefined
        : invalidRequest(
            `Invalid schema for response_format '${textOf(schema["name"])}': ${problem}`,
            "response_format",
          );
    },
  },
  {
    id: "chat.tool-settings-without-tools",
    wires,
    when: "`tool_choice` or `parallel_tool_calls` is sent without tools.",
    source: create,
    find: ({ body, request }) => {
      const setting =
        request.tools.length > 0
          ? undefined
          : ["tool_choice", "parallel_tool_calls"].find((name) => body[name] != null && body[name] !== "none");
      return setting === undefined
        ? undefined
        : invalidRequest(
            `Invalid value for '${setting}': '${setting}' is only allowed when 'tools' are specified.`,
            setting,
          );
    },
  },
  {
    id: "chat.max-tokens-on-reasoning-model",
    wires,
    servers: ["openai"],
    when: "`max_tokens` is sent to a reasoning model, which takes `max_completion_tokens`.",
    source: reasoningGuide,
    find: ({ body, request }) =>
      body["max_tokens"] == null || !isReasoningModel(request.model)
        ? undefined
        : invalidRequest(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "unsupported_parameter",
          ),
  },
  {
    id: "chat.sampling-on-reasoning-model",
    wires,
    servers: ["openai"],
    when: "A sampling setting is sent to a reasoning model (GPT-5.1 and later take it with effort `none`).",
    source: reasoningGuide,
    find: ({ body, request }) => {
      if (!refusesSampling(request.model, body["reasoning_effort"])) return undefined;
      const value = body["temperature"];
      if (value != null && value !== 1)
        return invalidRequest(
          `Unsupported value: 'temperature' does not support ${JSON.stringify(value)} with this model. Only the default (1) value is supported.`,
          "temperature",
          "unsupported_value",
        );
      const setting = [
        "top_p",
        "presence_penalty",
        "frequency_penalty",
        "logprobs",
        "top_logprobs",
        "logit_bias",
        "stop",
      ].find((name) => body[name] != null);
      return setting === undefined
        ? undefined
        : invalidRequest(
            `Unsupported parameter: '${setting}' is not supported with this model.`,
            setting,
            "unsupported_parameter",
          );
    },
  },
  {
    id: "chat.reasoning-on-other-model",
    wires,
    servers: ["openai"],
    when: "`reasoning_effort` is sent to a model that does not reason.",
    source: reasoningGuide,
    find: ({ body, request }) =>
      body["reasoning_effort"] == null || isReasoningModel(request.model)
        ? undefined
        : invalidRequest("Unrecognized request argument supplied: reasoning_effort"),
  },
  {
    id: "chat.stream-options-without-stream",
    wires,
    when: "`stream_options` is sent without `stream`.",
    source: create,
    find: ({ body, request }) =>
      body["stream_options"] == null || request.stream
        ? undefined
        : invalidRequest("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options"),
  },
  {
    id: "chat.json-word-missing",
    wires,
    when: "JSON mode is asked for and no message has the word JSON.",
    source: "https://developers.openai.com/api/docs/guides/structured-outputs",
    find: ({ body, request }) =>
      objectOf(body["response_format"])["type"] !== "json_object" ||
      request.messages.some((message) => /json/i.test(message.text))
        ? undefined
        : invalidRequest(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
            "messages",
          ),
  },
];
