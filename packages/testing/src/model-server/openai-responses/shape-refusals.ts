import type { Refusal } from "../refusal.ts";
import { objectOf, objectsOf, textOf } from "../json.ts";
import { invalidRequest, missingParameter } from "../openai/openai-error.ts";
import { firstProblem } from "../openai/string-limits.ts";
import { ownItems } from "./input-items.ts";

const wires = ["openai-responses"] as const;
const create = "https://developers.openai.com/api/reference/resources/responses/methods/create";

const parameters = new Set(
  "access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user".split(
    " ",
  ),
);

const moved: ReadonlyMap<string, string> = new Map([
  ["messages", "input"],
  ["max_tokens", "max_output_tokens"],
  ["max_completion_tokens", "max_output_tokens"],
  ["response_format", "text.format"],
  ["reasoning_effort", "reasoning.effort"],
]);

const contentTypes: Readonly<Record<string, readonly string[]>> = {
  assistant: ["output_text", "refusal"],
  user: ["input_text", "input_image", "output_text", "refusal", "input_file", "computer_screenshot", "summary_text"],
};

/** Refusals of the Responses API about the shape of the body. */
export const responsesShapeRefusals: readonly Refusal[] = [
  {
    id: "responses.parameter-moved",
    wires,
    when: "A parameter of Chat Completions is used that has another name here.",
    source: "https://developers.openai.com/api/docs/guides/migrate-to-responses",
    find: ({ body }) => {
      const name = Object.keys(body).find((key) => moved.has(key));
      return name === undefined
        ? undefined
        : invalidRequest(
            `Unsupported parameter: '${name}'. In the Responses API, this parameter has moved to '${moved.get(name)}'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.`,
            null,
            "unsupported_parameter",
          );
    },
  },
  {
    id: "responses.parameter-unknown",
    wires,
    when: "The body has a parameter that does not exist.",
    source: create,
    find: ({ body }) => {
      const name = Object.keys(body).find((key) => !parameters.has(key));
      return name === undefined
        ? undefined
        : invalidRequest(`Unknown parameter: '${name}'.`, name, "unknown_parameter");
    },
  },
  {
    id: "responses.input-missing",
    wires,
    when: "There is no input, nor an earlier response, prompt or conversation.",
    source: create,
    find: ({ body }) =>
      ownItems(body).length > 0 ||
      body["input"] === "" ||
      ["previous_response_id", "prompt", "conversation"].some((name) => body[name] != null)
        ? undefined
        : invalidRequest(
            `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`,
            "input",
            "missing_required_parameter",
          ),
  },
  {
    id: "responses.content-type",
    wires,
    when: "A message has content of a type that its role cannot have: an assistant's text is `output_text`, others' is `input_text`.",
    source: create,
    find: ({ body }) =>
      firstProblem(ownItems(body), (item, index) => {
        const allowed = contentTypes[item["role"] === "assistant" ? "assistant" : "user"] ?? [];
        return firstProblem(
          item["type"] === "message" || item["type"] === undefined ? objectsOf(item["content"]) : [],
          (part, at) =>
            allowed.includes(textOf(part["type"]))
              ? undefined
              : invalidRequest(
                  `Invalid value: '${textOf(part["type"])}'. Supported values are: ${listed(allowed)}.`,
                  `input[${index}].content[${at}]`,
                  "invalid_value",
                ),
        );
      }),
  },
  {
    id: "responses.reasoning-summary-missing",
    wires,
    when: "A reasoning item has no `summary`; it is required, even when empty.",
    source: create,
    find: ({ body }) =>
      firstProblem(ownItems(body), (item, index) =>
        item["type"] === "reasoning" && !Array.isArray(item["summary"])
          ? missingParameter(`input[${index}].summary`)
          : undefined,
      ),
  },
  {
    id: "responses.max-output-tokens-too-low",
    wires,
    when: "`max_output_tokens` is below 16.",
    source: create,
    find: ({ request }) =>
      request.maxTokens === undefined || request.maxTokens >= 16
        ? undefined
        : invalidRequest(
            `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${request.maxTokens} instead.`,
            "max_output_tokens",
            "integer_below_min_value",
          ),
  },
  {
    id: "responses.json-word-missing",
    wires,
    when: "JSON mode is asked for and no message has the word JSON.",
    source: "https://developers.openai.com/api/docs/guides/structured-outputs",
    find: ({ body, request }) =>
      objectOf(objectOf(body["text"])["format"])["type"] !== "json_object" ||
      request.messages.some((message) => /json/i.test(message.text))
        ? undefined
        : invalidRequest(
            "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
            "input",
          ),
  },
];

function listed(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  return quoted.length < 3 ? quoted.join(" and ") : `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}
