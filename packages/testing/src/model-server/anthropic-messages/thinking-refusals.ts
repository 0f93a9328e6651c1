import { firstFound } from "../first-found.ts";
import { numberOf, objectOf, objectsOf, textOf } from "../json.ts";
import type { Refusal } from "../refusal.ts";
import { invalid } from "./anthropic-error.ts";
import { blocksOf, isThinking } from "./blocks.ts";
import { thinksAdaptively } from "./claude-models.ts";
import { issuedThinking } from "./issued-thinking.ts";

const wires = ["anthropic-messages"] as const;
const thinkingGuide = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking";
const adaptiveGuide = "https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking";
const consult = `Please consult our documentation at ${thinkingGuide}`;

/** Refusals of the Messages API about thinking. */
export const messagesThinkingRefusals: readonly Refusal[] = [
  {
    id: "anthropic.thinking-type-unsupported",
    wires,
    when: "A thinking budget is set for a model that only thinks adaptively.",
    source: adaptiveGuide,
    find: ({ body, request }) =>
      objectOf(body["thinking"])["type"] === "enabled" && thinksAdaptively(request.model)
        ? invalid(
            '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
          )
        : undefined,
  },
  {
    id: "anthropic.thinking-budget-too-low",
    wires,
    when: "`budget_tokens` is below 1024.",
    source: thinkingGuide,
    find: ({ body }) => {
      const thinking = objectOf(body["thinking"]);
      return thinking["type"] === "enabled" && (numberOf(thinking["budget_tokens"]) ?? 0) < 1024
        ? invalid("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
        : undefined;
    },
  },
  {
    id: "anthropic.thinking-budget-too-high",
    wires,
    when: "`budget_tokens` is not below `max_tokens` (but for interleaved thinking).",
    source: thinkingGuide,
    find: ({ body, headers }) => {
      const thinking = objectOf(body["thinking"]);
      const interleaved = (headers["anthropic-beta"] ?? "").includes("interleaved-thinking");
      if (
        thinking["type"] !== "enabled" ||
        interleaved ||
        (numberOf(thinking["budget_tokens"]) ?? 0) < (numberOf(body["max_tokens"]) ?? 0)
      )
        return undefined;
      return invalid(
        `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. ${consult}#max-tokens-and-context-window-size`,
      );
    },
  },
  {
    id: "anthropic.thinking-with-forced-tool",
    wires,
    when: "A tool is forced while thinking is on.",
    source: thinkingGuide,
    // Opus 4.6 accepts it beside adaptive thinking, as recorded answers show.
    find: ({ body, request: { toolChoice } }) =>
      isOn(body) && !/opus-4[-.]6/.test(String(body["model"])) && toolChoice !== "auto" && toolChoice !== "none"
        ? invalid("Thinking may not be enabled when tool_choice forces tool use.")
        : undefined,
  },
  {
    id: "anthropic.sampling-unsupported",
    wires,
    when: "A sampling setting is sent while thinking is on, or to a model that takes none.",
    source: thinkingGuide,
    find: ({ body, request }) => {
      const set = ["temperature", "top_p", "top_k"].filter(
        (name) => body[name] !== undefined && !(name !== "top_k" && body[name] === 1),
      );
      const first = set[0];
      if (first === undefined) return undefined;
      if (thinksAdaptively(request.model)) return invalid(`\`${first}\` is deprecated for this model.`);
      if (!isOn(body)) return undefined;
      if (first === "temperature")
        return invalid(
          `\`temperature\` may only be set to 1 when thinking is enabled. ${consult}#important-considerations-when-using-extended-thinking`,
        );
      if (first === "top_k")
        return invalid(
          `\`top_k\` must be unset when thinking is enabled. ${consult}#important-considerations-when-using-extended-thinking`,
        );
      return (numberOf(body["top_p"]) ?? 1) >= 0.95
        ? undefined
        : invalid(
            `\`top_p\` must be greater than or equal to 0.95 or unset when thinking is enabled. ${consult}#important-considerations-when-using-extended-thinking`,
          );
    },
  },
  {
    id: "anthropic.thinking-signature-invalid",
    wires,
    when: "A thinking block comes back without its signature, or with another.",
    source: thinkingGuide,
    find: ({ body, memory }) =>
      firstFound(objectsOf(body["messages"]), (message, index) =>
        firstFound(blocksOf(message["content"]), (block, at) => {
          if (block["type"] !== "thinking") return undefined;
          if (typeof block["signature"] !== "string")
            return invalid(`messages.${index}.content.${at}.thinking.signature: Field required`);
          return memory.verify("anthropic", block["signature"], undefined)
            ? undefined
            : invalid(`messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`);
        }),
      ),
  },
  {
    id: "anthropic.thinking-modified",
    wires,
    when: "Thinking of the latest assistant message comes back changed, in another order, or in part; all or nothing.",
    source: thinkingGuide,
    find: ({ body, memory }) => {
      const messages = objectsOf(body["messages"]);
      const latest = messages.findLastIndex((message) => message["role"] === "assistant");
      const blocks = blocksOf(messages[latest]?.["content"] ?? []);
      const thinking = blocks.filter(isThinking);
      const issued = issuedThinking(memory, blocks);
      // Thinking whose display is omitted is empty, and only its signature identifies it.
      const omitted = objectOf(body["thinking"])["display"] === "omitted";
      const changed = thinking.some(
        ({ type, thinking: text, signature }) =>
          type === "thinking" &&
          !(omitted && text === "") &&
          !memory.verify("anthropic", textOf(signature), textOf(text)),
      );
      const partial =
        issued !== undefined &&
        thinking.length > 0 &&
        JSON.stringify(thinking.map(identity)) !== JSON.stringify(issued.map(identity));
      return changed || partial
        ? invalid(
            `messages.${latest}.content.${Math.max(0, blocks.findIndex(isThinking))}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
          )
        : undefined;
    },
  },
  {
    id: "anthropic.thinking-last",
    wires,
    when: "An assistant message ends in thinking.",
    source: "https://github.com/tailcallhq/forgecode/issues/2107",
    find: ({ body }) =>
      firstFound(objectsOf(body["messages"]), (message, index) =>
        message["role"] === "assistant" && isThinking(blocksOf(message["content"]).at(-1) ?? {})
          ? invalid(`messages.${index}: The final block in an assistant message cannot be \`thinking\`.`)
          : undefined,
      ),
  },
  {
    id: "anthropic.thinking-missing",
    wires,
    when: "Thinking has a budget, and the assistant message of the current tool loop does not begin with thinking.",
    source: thinkingGuide,
    find: ({ body }) => {
      const messages = objectsOf(body["messages"]);
      const latest = messages.findLastIndex((message) => message["role"] === "assistant");
      const blocks = blocksOf(messages[latest]?.["content"] ?? []);
      const first = blocks[0];
      const open = blocks.some((block) => block["type"] === "tool_use") || latest === messages.length - 1;
      if (objectOf(body["thinking"])["type"] !== "enabled" || first === undefined || isThinking(first) || !open)
        return undefined;
      return invalid(
        `messages.${latest}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textOf(first["type"])}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. ${consult}`,
      );
    },
  },
];

function isOn(body: Record<string, unknown>): boolean {
  const type = objectOf(body["thinking"])["type"];
  return type !== undefined && type !== "disabled";
}

function identity(block: Record<string, unknown>): string {
  return textOf(block["signature"] ?? block["data"]);
}
