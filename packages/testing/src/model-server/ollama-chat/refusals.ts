import { isObject, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { firstFound } from "../first-found.ts";
import type { Refusal } from "../refusal.ts";
import type { WireError } from "../wire-error.ts";

const wires = ["ollama-chat"] as const;
const chat = "https://docs.ollama.com/api/chat";
const errors = "https://docs.ollama.com/api/errors";

/** Refusals of Ollama's own API. It checks the types of fields, but neither order nor pairing of messages. */
export const ollamaRefusals: readonly Refusal[] = [
  {
    id: "ollama.key-invalid",
    wires,
    when: "A key is sent that is not one of the server's `keys`.",
    source: "https://docs.ollama.com/api/authentication",
    find: ({ key, keys }) =>
      key === undefined || keys === undefined || keys.includes(key)
        ? undefined
        : { status: 401, message: "unauthorized" },
  },
  {
    id: "ollama.model-missing",
    wires,
    when: "The body names no model.",
    source: errors,
    find: ({ request }) => (request.model === "" ? invalid("model is required") : undefined),
  },
  {
    id: "ollama.model-unknown",
    wires,
    when: "The model is not one of the server's `models`.",
    source: errors,
    find: ({ request, models }) =>
      models === undefined || models.includes(request.model)
        ? undefined
        : { status: 404, message: `model '${request.model}' not found` },
  },
  {
    id: "ollama.content-not-text",
    wires,
    when: "The content of a message is not a text.",
    source: chat,
    find: ({ body }) =>
      firstFound(objectsOf(body["messages"]), ({ content }) =>
        content == null || typeof content === "string"
          ? undefined
          : mistyped(content, "ChatRequest.messages.content", "string"),
      ),
  },
  {
    id: "ollama.image-not-base64",
    wires,
    when: "An image is not base64: it is an address or a `data:` URL.",
    source: "https://github.com/ollama/ollama-js/issues/68",
    find: ({ body }) =>
      firstFound(objectsOf(body["messages"]), ({ images }) =>
        firstFound(Array.isArray(images) ? images : [], (image: unknown) =>
          typeof image === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(image) && image.length % 4 === 0
            ? undefined
            : invalid("illegal base64 data at input byte 4"),
        ),
      ),
  },
  {
    id: "ollama.arguments-not-object",
    wires,
    when: "The arguments of a call are a text, as OpenAI has them, and not an object.",
    source: "https://github.com/ollama/ollama/issues/12794",
    find: ({ body }) =>
      firstFound(objectsOf(body["messages"]), (message) =>
        firstFound(objectsOf(message["tool_calls"]), (call) => {
          const given = objectOf(call["function"])["arguments"];
          return isObject(given)
            ? undefined
            : mistyped(given, "ChatRequest.messages.tool_calls.function.arguments", "api.ToolCallFunctionArguments");
        }),
      ),
  },
  {
    id: "ollama.tool-schema-mistyped",
    wires,
    when: "A property of a tool's parameters is not an object, or a type is none: the server reads only this form of schemas.",
    source: "https://github.com/ollama/ollama/issues/14256",
    find: ({ body }) =>
      firstFound(objectsOf(body["tools"]), (tool) => {
        const { parameters } = objectOf(tool["function"]);
        if (parameters == null) return undefined;
        const type = objectOf(parameters)["type"];
        return isObject(parameters) && (type === undefined || typeof type === "string")
          ? propertyProblem(parameters)
          : mistyped(
              isObject(parameters) ? type : parameters,
              "ToolFunctionParameters.tools.function.parameters",
              "string",
            );
      }),
  },
  {
    id: "ollama.think-invalid",
    wires,
    when: "`think` is neither a boolean nor a level that the server knows.",
    source: chat,
    find: ({ body: { think } }) =>
      think == null || typeof think === "boolean" || ["high", "medium", "low"].includes(textOf(think))
        ? undefined
        : invalid(`invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", true, or false)`),
  },
  {
    id: "ollama.format-invalid",
    wires,
    when: "`format` is neither `json` nor a JSON Schema.",
    source: chat,
    find: ({ body: { format } }) =>
      format == null || format === "" || format === "json" || isObject(format)
        ? undefined
        : invalid(`invalid format: ${JSON.stringify(format)}; expected "json" or a valid JSON Schema object`),
  },
  {
    id: "ollama.option-invalid",
    wires,
    when: "A runtime option has another type than the server knows.",
    source: "https://docs.ollama.com/modelfile",
    find: ({ body }) =>
      firstFound(Object.entries(objectOf(body["options"])), ([name, value]) => optionProblem(name, value)),
  },
];

/** The members of a schema that the server reads, in depth; it skips all others. */
function propertyProblem(schema: JsonObject): WireError | undefined {
  const { properties, anyOf } = schema;
  const inner = [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(Array.isArray(anyOf) ? (anyOf as readonly unknown[]) : []),
  ];
  if (properties !== undefined && !isObject(properties)) {
    return mistyped(
      properties,
      "ToolFunctionParameters.tools.function.parameters.properties",
      "map[string]api.ToolProperty",
    );
  }
  return firstFound(inner, (property) =>
    isObject(property)
      ? propertyProblem(property)
      : mistyped(property, "ToolFunctionParameters.tools.function.parameters.properties", "api.ToolProperty"),
  );
}

const whole = [
  "num_ctx",
  "num_predict",
  "num_keep",
  "num_batch",
  "num_gpu",
  "num_thread",
  "seed",
  "top_k",
  "repeat_last_n",
];
const fractions = [
  "temperature",
  "top_p",
  "min_p",
  "typical_p",
  "repeat_penalty",
  "presence_penalty",
  "frequency_penalty",
];

function optionProblem(name: string, value: unknown): WireError | undefined {
  if (whole.includes(name) && !Number.isInteger(value)) return invalid(`option "${name}" must be of type integer`);
  if (fractions.includes(name) && typeof value !== "number") return invalid(`option "${name}" must be of type float32`);
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string");
  return name === "stop" && !isTexts ? invalid('option "stop" must be of type array') : undefined;
}

function invalid(message: string): WireError {
  return { status: 400, message };
}

/** The text of the server's JSON parser. */
function mistyped(value: unknown, field: string, wanted: string): WireError {
  const given = Array.isArray(value) ? "array" : value === null ? "null" : (typeof value).replace("boolean", "bool");
  return invalid(`json: cannot unmarshal ${given} into Go struct field ${field} of type ${wanted}`);
}
