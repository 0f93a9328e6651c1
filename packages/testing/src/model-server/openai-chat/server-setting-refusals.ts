import { objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { dataUrl, partsWithin } from "../media-data.ts";
import { invalidRequest } from "../openai/openai-error.ts";
import type { Refusal } from "../refusal.ts";
import type { ChatServer } from "../chat-server.ts";

const wires = ["openai-chat"] as const;
const imagesOf = (body: JsonObject): readonly string[] =>
  partsWithin(body["messages"], "content").flatMap(({ part }) =>
    part["type"] === "image_url" ? [textOf(objectOf(part["image_url"])["url"])] : [],
  );
const forces = ({ tool_choice: choice }: JsonObject): boolean => choice === "required" || typeof choice === "object";

/** Types of images that a server accepts, if fewer than OpenAI, and the page. */
const imageTypes: readonly (readonly [ChatServer, types: readonly string[], source: string])[] = [
  ["xai", ["image/png", "image/jpeg"], "https://github.com/cline/cline/pull/5278"],
  ["lmstudio", ["image/png", "image/jpeg"], "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1752"],
  ["gemini", ["image/png", "image/jpeg", "image/webp"], "https://ai.google.dev/gemini-api/docs/image-understanding"],
];

interface EffortRule {
  readonly id: string;
  readonly server: ChatServer;
  readonly models: RegExp;
  /** Accepted values; empty if the setting itself is refused. */
  readonly values: readonly string[];
  readonly source: string;
}

const effortRules: readonly EffortRule[] = [
  {
    id: "groq.effort",
    server: "groq",
    models: /gpt-oss/,
    values: ["low", "medium", "high"],
    source: "https://console.groq.com/docs/reasoning",
  },
  {
    id: "groq.effort-qwen",
    server: "groq",
    models: /qwen3/,
    values: ["none", "default"],
    source: "https://console.groq.com/docs/reasoning",
  },
  {
    id: "groq.effort-unsupported",
    server: "groq",
    models: /llama/,
    values: [],
    source: "https://console.groq.com/docs/reasoning",
  },
  {
    id: "cerebras.effort",
    server: "cerebras",
    models: /gpt-oss/,
    values: ["low", "medium", "high"],
    source: "https://inference-docs.cerebras.ai/capabilities/reasoning",
  },
  {
    id: "xai.effort-unsupported",
    server: "xai",
    models: /^grok-4-1|^grok-4$/,
    values: [],
    source: "https://github.com/NousResearch/hermes-agent/issues/23088",
  },
];

/** Refusals of servers other than OpenAI about images, tools and settings. */
export const serverSettingRefusals: readonly Refusal[] = [
  {
    id: "servers.image-unsupported",
    wires,
    servers: ["deepseek", "minimax", "cerebras"],
    when: "A message has an image, and the server takes text only; of MiniMax, M3 takes images.",
    source: "https://github.com/1jehuang/jcode/issues/310",
    find: ({ body, request }) =>
      imagesOf(body).length === 0 || /minimax-m3/i.test(request.model)
        ? undefined
        : invalidRequest(
            "Failed to deserialize the JSON body into the target type: messages: unknown variant `image_url`, expected `text`",
          ),
  },
  {
    id: "servers.image-address",
    wires,
    servers: ["ollama", "lmstudio", "moonshot"],
    when: "An image is given by its address: the server takes only `data:` URLs.",
    source: "https://platform.kimi.ai/docs/guide/use-kimi-vision-model",
    find: ({ body }) => {
      const address = imagesOf(body).find((url) => dataUrl(url) === undefined);
      return address === undefined ? undefined : invalidRequest(`unsupported image url: ${address}`);
    },
  },
  ...imageTypes.map(([server, types, source]): Refusal => ({
    id: `${server}.image-type`,
    wires,
    servers: [server],
    when: `An image is not ${types.map((type) => type.slice(6).toUpperCase()).join(", ")}.`,
    source,
    find: ({ body }) =>
      imagesOf(body).some((url) => url.startsWith("data:") && !types.includes(dataUrl(url)?.type ?? ""))
        ? invalidRequest(`Invalid request content: the image must be one of ${types.join(", ")}.`)
        : undefined,
  })),
  {
    id: "perplexity.tools-unsupported",
    wires,
    servers: ["perplexity"],
    when: "The request has tools: this API has none.",
    source: "https://docs.perplexity.ai/api-reference/chat-completions-post",
    find: ({ body }) =>
      body["tools"] === undefined && body["tool_choice"] === undefined ? undefined : invalidRequest("invalid request"),
  },
  {
    id: "servers.forced-call-with-thinking",
    wires,
    servers: ["deepseek", "moonshot"],
    when: "`tool_choice` forces a call while thinking is on, as it is by default.",
    source: "https://github.com/UKGovernmentBEIS/inspect_ai/pull/5152",
    find: ({ body }) =>
      forces(body) && objectOf(body["thinking"])["type"] !== "disabled"
        ? invalidRequest("tool_choice 'required' is incompatible with thinking enabled")
        : undefined,
  },
  {
    id: "alibaba.forced-call-with-thinking",
    wires,
    servers: ["alibaba"],
    when: "`tool_choice` forces a call while thinking is on, as it is by default.",
    source: "https://github.com/cloudwego/eino/issues/994",
    find: ({ body }) =>
      forces(body) && body["enable_thinking"] !== false
        ? invalidRequest(
            "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
            null,
            "invalid_parameter_error",
          )
        : undefined,
  },
  {
    id: "zai.forced-call",
    wires,
    servers: ["zai"],
    when: "`tool_choice` is not `auto`.",
    source: "https://docs.z.ai/api-reference/llm/chat-completion",
    find: ({ body }) => (forces(body) ? invalidRequest("tool_choice: only `auto` is supported.") : undefined),
  },
  {
    id: "deepseek.output-schema",
    wires,
    servers: ["deepseek"],
    when: "`response_format` has a JSON schema: the server takes `text` and `json_object`.",
    source: "https://github.com/UKGovernmentBEIS/inspect_ai/issues/4916",
    find: ({ body }) =>
      objectOf(body["response_format"])["type"] === "json_schema"
        ? invalidRequest("This response_format type is unavailable now")
        : undefined,
  },
  {
    id: "groq.output-schema",
    wires,
    servers: ["groq"],
    when: "`response_format` has a JSON schema, and the model is a Llama.",
    source: "https://console.groq.com/docs/structured-outputs#supported-models",
    find: ({ body, request }) =>
      objectOf(body["response_format"])["type"] === "json_schema" && /llama/.test(request.model)
        ? invalidRequest("This model does not support response format `json_schema`.", "response_format")
        : undefined,
  },
  ...effortRules.map(({ id, server, models, values, source }): Refusal => ({
    id,
    wires,
    servers: [server],
    when: `\`reasoning_effort\` is sent to a model (${models.source}) that takes ${values.length === 0 ? "no such setting" : `only ${values.join(", ")}`}.`,
    source,
    find: ({ body, request }) => {
      const effort = body["reasoning_effort"];
      return effort === undefined || !models.test(request.model) || values.includes(textOf(effort))
        ? undefined
        : invalidRequest(
            values.length === 0
              ? `Model ${request.model} does not support parameter reasoningEffort.`
              : `\`reasoning_effort\` must be one of ${values.map((value) => `\`${value}\``).join(", ")}`,
            "reasoning_effort",
          );
    },
  })),
  {
    id: "servers.named-tool-choice",
    wires,
    servers: ["lmstudio", "llamacpp"],
    when: "`tool_choice` names a function: the server takes `auto`, `none` and `required`.",
    source: "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670",
    find: ({ body }) =>
      typeof body["tool_choice"] === "object" && objectsOf(body["tools"]).length > 0
        ? invalidRequest("Invalid tool_choice type: 'object'. Supported string values: none, auto, required")
        : undefined,
  },
];
