import { firstFound } from "../first-found.ts";
import { objectsOf, textOf } from "../json.ts";
import type { Refusal } from "../refusal.ts";
import { invalid } from "./anthropic-error.ts";
import { blocksOf } from "./blocks.ts";
import { refusesPrefill } from "./claude-models.ts";

const wires = ["anthropic-messages"] as const;
const toolUse = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls";
const create = "https://platform.claude.com/docs/en/api/messages/create";
const idPattern = /^[a-zA-Z0-9_-]+$/;

/** Refusals of the Messages API about the order of calls, results and turns. */
export const messagesConversationRefusals: readonly Refusal[] = [
  {
    id: "anthropic.call-id-invalid",
    wires,
    when: "The id of a call or result has characters other than letters, digits, `_` and `-`, or more than 64.",
    source: create,
    find: ({ body }) =>
      firstFound(objectsOf(body["messages"]), (message, index) =>
        firstFound(blocksOf(message["content"]), (block, at) => {
          const field =
            block["type"] === "tool_use"
              ? "tool_use.id"
              : block["type"] === "tool_result"
                ? "tool_result.tool_use_id"
                : undefined;
          const id = textOf(block["id"] ?? block["tool_use_id"]);
          if (field === undefined) return undefined;
          if (!idPattern.test(id))
            return invalid(`messages.${index}.content.${at}.${field}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
          return id.length > 64
            ? invalid(`messages.${index}.content.${at}.${field}: String should have at most 64 characters`)
            : undefined;
        }),
      ),
  },
  {
    id: "anthropic.call-id-duplicate",
    wires,
    when: "Two calls have the same id.",
    source: toolUse,
    find: ({ body }) => {
      const ids = objectsOf(body["messages"]).flatMap((message) =>
        blocksOf(message["content"]).flatMap((block) => (block["type"] === "tool_use" ? [block["id"]] : [])),
      );
      return new Set(ids).size === ids.length ? undefined : invalid("messages: `tool_use` ids must be unique");
    },
  },
  {
    id: "anthropic.result-without-call",
    wires,
    when: "A result does not answer a call of the assistant message directly before it.",
    source: toolUse,
    find: ({ body }) => {
      const messages = merged(objectsOf(body["messages"]));
      return firstFound(messages, ({ index, role, blocks }, position) =>
        firstFound(role === "user" ? blocks : [], ({ at, block }) => {
          if (block["type"] !== "tool_result") return undefined;
          const calls = messages[position - 1]?.blocks ?? [];
          if (calls.some((call) => call.block["type"] === "tool_use" && call.block["id"] === block["tool_use_id"]))
            return undefined;
          return invalid(
            `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${textOf(block["tool_use_id"])}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
          );
        }),
      );
    },
  },
  {
    id: "anthropic.call-without-result",
    wires,
    when: "A call has no result at the beginning of the next user message: results come before all other content.",
    source: toolUse,
    find: ({ body }) => {
      const messages = merged(objectsOf(body["messages"]));
      return firstFound(messages, ({ index, role, blocks }, position) => {
        const calls =
          role === "assistant"
            ? blocks.flatMap(({ block }) => (block["type"] === "tool_use" ? [textOf(block["id"])] : []))
            : [];
        const next = messages[position + 1]?.blocks ?? [];
        const end = next.findIndex(({ block }) => block["type"] !== "tool_result");
        const answered = (end === -1 ? next : next.slice(0, end)).map(({ block }) => block["tool_use_id"]);
        const open = calls.filter((id) => !answered.includes(id));
        return open.length === 0
          ? undefined
          : invalid(
              `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
            );
      });
    },
  },
  {
    id: "anthropic.result-duplicate",
    wires,
    when: "A call has two results.",
    source: toolUse,
    find: ({ body }) =>
      firstFound(objectsOf(body["messages"]), (message, index) => {
        const ids = blocksOf(message["content"]).map((block) =>
          block["type"] === "tool_result" ? textOf(block["tool_use_id"]) : undefined,
        );
        const at = ids.findIndex((id, position) => id !== undefined && ids.indexOf(id) !== position);
        return at === -1
          ? undefined
          : invalid(
              `messages.${index}.content.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${ids[at]}`,
            );
      }),
  },
  {
    id: "anthropic.error-result-image",
    wires,
    when: "A result that is an error has content other than text.",
    source: toolUse,
    find: ({ body }) =>
      firstFound(objectsOf(body["messages"]), (message, index) =>
        firstFound(blocksOf(message["content"]), (block, at) =>
          block["type"] === "tool_result" &&
          block["is_error"] === true &&
          blocksOf(block["content"]).some((part) => part["type"] !== "text")
            ? invalid(
                `messages.${index}.content.${at}.tool_result: all content must be type "text" if \`is_error\` is true`,
              )
            : undefined,
        ),
      ),
  },
  {
    id: "anthropic.final-trailing-whitespace",
    wires,
    when: "A last message of the assistant ends in white space.",
    source: create,
    find: ({ body }) => {
      const last = objectsOf(body["messages"]).at(-1);
      const text = last?.["role"] === "assistant" ? textOf(blocksOf(last["content"]).at(-1)?.["text"]) : "";
      return text === text.trimEnd()
        ? undefined
        : invalid("messages: final assistant content cannot end with trailing whitespace");
    },
  },
  {
    id: "anthropic.prefill-unsupported",
    wires,
    when: "The last message is the assistant's, not one that paused for the vendor's tools, and the model is Claude 4.6 or later.",
    source: "https://platform.claude.com/docs/en/about-claude/models/migration-guide",
    find: ({ body, request }) => {
      const last = objectsOf(body["messages"]).at(-1);
      const paused = blocksOf(last?.["content"] ?? []).some(
        ({ type }) => type === "server_tool_use" || type === "mcp_tool_use",
      );
      return last?.["role"] === "assistant" && !paused && refusesPrefill(request.model)
        ? invalid(
            "This model does not support assistant message prefill. The conversation must end with a user message.",
          )
        : undefined;
    },
  },
];

interface MergedMessage {
  /** Index of the first of the messages that were merged. */
  readonly index: number;
  readonly role: unknown;
  readonly blocks: { readonly at: number; readonly block: Record<string, unknown> }[];
}

/** Messages with neighbours of one role joined, as the vendor reads them. */
function merged(messages: readonly Record<string, unknown>[]): readonly MergedMessage[] {
  const result: MergedMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message["content"]).map((block, at) => ({ at, block }));
    const last = result.at(-1);
    if (last !== undefined && last.role === message["role"]) last.blocks.push(...blocks);
    else result.push({ index, role: message["role"], blocks });
  }
  return result;
}
