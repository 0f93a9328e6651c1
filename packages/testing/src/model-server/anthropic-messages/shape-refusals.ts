import { firstFound } from "../first-found.ts";
import { hasLoneSurrogate } from "../ill-formed-text.ts";
import { objectsOf, textOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../refusal.ts";
import type { WireError } from "../wire-error.ts";
import { invalid } from "./anthropic-error.ts";
import { blocksOf } from "./blocks.ts";
import { takesSystemMessages } from "./claude-models.ts";

const wires = ["anthropic-messages"] as const;
const create = "https://platform.claude.com/docs/en/api/messages/create";
const midConversation = "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages";
const errors = "https://platform.claude.com/docs/en/api/errors";

const parameters = new Set(
  "billing_policy cache_control compaction container context_management diagnostics fallback_credit_token fallbacks inference_geo max_tokens mcp_servers messages metadata model output_config output_format service_tier speed stop_sequences stream system temperature thinking thread tool_choice tools top_k top_p user_profile_id workspace_id".split(
    " ",
  ),
);

/** Refusals of the Messages API about access and the shape of the body. */
export const messagesShapeRefusals: readonly Refusal[] = [
  {
    id: "anthropic.key-missing",
    wires,
    when: "There is no `x-api-key` header, nor a bearer token.",
    source: errors,
    find: ({ key }) => (key ? undefined : { status: 401, message: "x-api-key header is required" }),
  },
  {
    id: "anthropic.key-invalid",
    wires,
    when: "The key is not one of the server's `keys`.",
    source: errors,
    find: ({ key, keys }) =>
      keys === undefined || keys.includes(key ?? "") ? undefined : { status: 401, message: "invalid x-api-key" },
  },
  {
    id: "anthropic.version-missing",
    wires,
    when: "There is no `anthropic-version` header.",
    source: "https://platform.claude.com/docs/en/api/versioning",
    find: ({ headers }) =>
      headers["anthropic-version"] ? undefined : invalid("anthropic-version: header is required"),
  },
  {
    id: "anthropic.text-ill-formed",
    wires,
    when: "A text has half of a surrogate pair.",
    source: "https://github.com/anthropics/claude-code/issues/2108",
    find: ({ body }) =>
      hasLoneSurrogate(body)
        ? invalid("The request body is not valid JSON: no low surrogate in string: line 1 column 2 (char 1)")
        : undefined,
  },
  {
    id: "anthropic.field-missing",
    wires,
    when: "`model`, `messages` or `max_tokens` is missing.",
    source: create,
    find: ({ body }) => {
      const name = ["model", "messages", "max_tokens"].find((field) => body[field] === undefined);
      return name === undefined ? undefined : invalid(`${name}: Field required`);
    },
  },
  {
    id: "anthropic.model-unknown",
    wires,
    when: "The model is not one of the server's `models`.",
    source: errors,
    find: ({ request, models }) =>
      models === undefined || models.includes(request.model)
        ? undefined
        : { status: 404, message: `model: ${request.model}` },
  },
  {
    id: "anthropic.parameter-unknown",
    wires,
    when: "The body has a parameter that does not exist.",
    source: create,
    find: ({ body }) => {
      const name = Object.keys(body).find((key) => !parameters.has(key));
      return name === undefined ? undefined : invalid(`${name}: Extra inputs are not permitted`);
    },
  },
  {
    id: "anthropic.messages-empty",
    wires,
    when: "There are no messages.",
    source: create,
    find: ({ body }) =>
      objectsOf(body["messages"]).length > 0 ? undefined : invalid("messages: at least one message is required"),
  },
  {
    id: "anthropic.role-unknown",
    wires,
    when: "A message has a role other than `user` and `assistant`, or `system` before Claude Opus 4.8.",
    source: midConversation,
    find: ({ body, request }) => {
      const roles = objectsOf(body["messages"]).map((message) => textOf(message["role"]));
      const wrong = roles.find((name) => !["user", "assistant", "system"].includes(name));
      if (wrong !== undefined)
        return invalid(`messages: Unexpected role "${wrong}". Allowed roles are "user" or "assistant".`);
      return roles.includes("system") && !takesSystemMessages(request.model)
        ? invalid("role 'system' is not supported on this model")
        : undefined;
    },
  },
  {
    id: "anthropic.system-message-misplaced",
    wires,
    when: "A system message does not come directly after a user message.",
    source: midConversation,
    find: ({ body }) => {
      const roles = objectsOf(body["messages"]).map((message) => message["role"]);
      const wrong = roles.findIndex((role, index) => role === "system" && index > 0 && roles[index - 1] !== "user");
      return wrong === -1
        ? undefined
        : invalid(`messages.${wrong}: a "system" message must come immediately after a "user" message`);
    },
  },
  {
    id: "anthropic.first-message-not-user",
    wires,
    when: "The first message is not the user's.",
    source: create,
    find: ({ body }) =>
      objectsOf(body["messages"])[0]?.["role"] === "user"
        ? undefined
        : invalid('messages: first message must use the "user" role'),
  },
  {
    id: "anthropic.content-empty",
    wires,
    when: "A message other than a last one of the assistant has no content.",
    source: create,
    find: ({ body }) => {
      const messages = objectsOf(body["messages"]);
      return firstFound(messages, (message, index) => {
        const empty = message["content"] === "" || blocksOf(message["content"]).length === 0;
        const optional = index === messages.length - 1 && message["role"] === "assistant";
        return empty && !optional
          ? invalid(
              `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
            )
          : undefined;
      });
    },
  },
  {
    id: "anthropic.text-empty",
    wires,
    when: "A text block is empty or only white space.",
    source: create,
    find: ({ body }) =>
      emptyText("system", body["system"] === undefined ? [] : blocksOf(body["system"])) ??
      firstFound(objectsOf(body["messages"]), (message) => emptyText("messages", blocksOf(message["content"]))),
  },
];

function emptyText(where: string, blocks: readonly JsonObject[]): WireError | undefined {
  const texts = blocks.flatMap((block) => (block["type"] === "text" ? [textOf(block["text"])] : []));
  if (texts.includes("")) return invalid(`${where}: text content blocks must be non-empty`);
  return texts.some((text) => text.trim() === "")
    ? invalid(`${where}: text content blocks must contain non-whitespace text`)
    : undefined;
}
