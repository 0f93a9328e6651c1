import type { Refusal } from "../refusal.ts";
import { objectOf, objectsOf, textOf } from "../json.ts";
import { invalidRequest } from "../openai/openai-error.ts";
import { isReasoningModel, refusesSampling } from "../openai/reasoning-models.ts";
import { schemaProblem } from "../openai/strict-schema.ts";
import { firstProblem, nameProblem } from "../openai/string-limits.ts";

const wires = ["openai-responses"] as const;
const functionCalling = "https://developers.openai.com/api/docs/guides/function-calling";
const structuredOutputs = "https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas";
const reasoningGuide = "https://developers.openai.com/api/docs/guides/reasoning";

/** Refusals of the Responses API about tools, schemas and settings. */
export const responsesSettingRefusals: readonly Refusal[] = [
  {
    id: "responses.tool-name-invalid",
    wires,
    when: "A tool's name is not 1 to 64 letters, digits, `_` or `-`.",
    source: functionCalling,
    find: ({ body }) =>
      firstProblem(objectsOf(body["tools"]), (tool, index) =>
        tool["type"] === "function" || tool["type"] === "custom"
          ? nameProblem(textOf(tool["name"]), `tools[${index}].name`)
          : undefined,
      ),
  },
  {
    id: "responses.tool-schema-invalid",
    wires,
    when: "A tool's parameters are not an object schema, or break the rules of strict mode.",
    source: structuredOutputs,
    find: ({ body }) =>
      firstProblem(objectsOf(body["tools"]), (tool, index) => {
        if (tool["type"] !== "function" || tool["parameters"] == null) return undefined;
        const problem = schemaProblem(tool["parameters"], tool["strict"] === true);
        return problem === undefined
          ? undefined
          : invalidRequest(
              `Invalid schema for function '${textOf(tool["name"])}': ${problem}`,
              `tools[${index}].parameters`,
              "invalid_function_parameters",
            );
      }),
  },
  {
    id: "responses.output-schema-invalid",
    wires,
    when: "The answer's schema breaks the rules of structured outputs.",
    source: structuredOutputs,
    find: ({ body }) => {
      const format = objectOf(objectOf(body["text"])["format"]);
      if (format["type"] !== "json_schema") return undefined;
      const problem = schemaProblem(format["schema"], format["strict"] === true);
      return problem === undefined
        ? undefined
        : invalidRequest(
            `Invalid schema for response_format '${textOf(format["name"])}': ${problem}`,
            "text.format.schema",
            "invalid_json_schema",
          );
    },
  },
  {
    id: "responses.tool-choice-without-tool",
    wires,
    when: "A tool is demanded that the request does not have.",
    source: functionCalling,
    find: ({ body, request: { toolChoice, tools } }) => {
      if (toolChoice === "required" && tools.length === 0)
        return invalidRequest("Tool choice 'required' must be specified with 'tools' parameter.", "tool_choice");
      const name = textOf(objectOf(body["tool_choice"])["name"]);
      return name === "" || tools.some((tool) => tool.name === name)
        ? undefined
        : invalidRequest(`Tool choice '${name}' not found in 'tools' parameter.`, "tool_choice");
    },
  },
  {
    id: "responses.sampling-on-reasoning-model",
    wires,
    when: "A sampling setting is sent to a reasoning model (GPT-5.1 and later take it with effort `none`).",
    source: "https://developers.openai.com/api/docs/guides/latest-model",
    find: ({ body, request }) => {
      const setting = ["temperature", "top_p", "top_logprobs"].find((name) => body[name] != null);
      return setting === undefined || !refusesSampling(request.model, objectOf(body["reasoning"])["effort"])
        ? undefined
        : invalidRequest(`Unsupported parameter: '${setting}' is not supported with this model.`, setting);
    },
  },
  {
    id: "responses.reasoning-on-other-model",
    wires,
    when: "Reasoning settings are sent to a model that does not reason.",
    source: reasoningGuide,
    find: ({ body, request }) => {
      const setting = ["effort", "summary"].find((name) => objectOf(body["reasoning"])[name] != null);
      return setting === undefined || isReasoningModel(request.model)
        ? undefined
        : invalidRequest(
            `Unsupported parameter: 'reasoning.${setting}' is not supported with this model.`,
            `reasoning.${setting}`,
            "unsupported_parameter",
          );
    },
  },
  {
    id: "responses.encrypted-content-on-other-model",
    wires,
    when: "Encrypted reasoning is asked of a model that does not reason.",
    source: reasoningGuide,
    find: ({ body, request }) =>
      !Array.isArray(body["include"]) ||
      !body["include"].includes("reasoning.encrypted_content") ||
      isReasoningModel(request.model)
        ? undefined
        : invalidRequest("Encrypted content is not supported with this model.", "include"),
  },
];
