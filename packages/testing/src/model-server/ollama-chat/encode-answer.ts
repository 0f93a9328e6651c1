import { ScriptFaultError } from "../../script/script-error.ts";
import type { ResolvedToolCall } from "../../script/resolved-turn.ts";
import { splitText } from "../../script/split-text.ts";
import { parseObject, type JsonObject } from "../json.ts";
import type { Answer, WireEvent } from "../wire.ts";

/** The JSON answer. */
export function encodeOllamaJson(answer: Answer): JsonObject {
  const { thinking, texts, calls } = messageOf(answer);
  return line(
    answer,
    {
      content: texts.join(""),
      ...(thinking.length === 0 ? {} : { thinking: thinking.join("") }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
    true,
  );
}

/** The answer as the lines that the vendor sends: text in pieces, each call whole, and the counts in the last one. */
export function encodeOllamaStream(answer: Answer): readonly WireEvent[] {
  const { thinking, texts, calls } = messageOf(answer);
  return [
    ...thinking.map((text) => ({ data: line(answer, { content: "", thinking: text }, false) })),
    ...texts.map((text) => ({ data: line(answer, { content: text }, false) })),
    ...calls.map((call) => ({ data: line(answer, { content: "", tool_calls: [call] }, false) })),
    { data: line(answer, { content: "" }, true), terminal: true },
  ];
}

function line(answer: Answer, message: JsonObject, done: boolean): JsonObject {
  const { turn, usage, request, createdAt } = answer;
  return {
    model: turn.step.model ?? request.model,
    created_at: new Date(createdAt * 1000).toISOString(),
    message: { role: "assistant", ...message },
    done,
    ...(done
      ? {
          // A turn with calls ends with "stop" too.
          done_reason: turn.step.rawFinish ?? (turn.finish === "tool_calls" ? "stop" : turn.finish),
          total_duration: 1_000_000,
          load_duration: 1000,
          prompt_eval_count: usage.inputTokens,
          prompt_eval_duration: 1000,
          eval_count: usage.outputTokens,
          eval_duration: 1000,
        }
      : {}),
  };
}

interface Content {
  readonly thinking: readonly string[];
  readonly texts: readonly string[];
  readonly calls: readonly JsonObject[];
}

/**
 * An answer's parts, each in the pieces of a stream. A refusal is text here.
 *
 * @throws ScriptFaultError `SCRIPT_UNSUPPORTED` for files, raw items and arguments that are not a JSON object.
 */
function messageOf({ turn, ids }: Answer): Content {
  const thinking: string[] = [];
  const texts: string[] = [];
  const calls: JsonObject[] = [];
  for (const part of turn.parts) {
    if (part.type === "reasoning" && part.redacted === undefined) thinking.push(...splitText(part.text));
    else if (part.type === "text" || part.type === "refusal") texts.push(...part.deltas);
    else if (part.type === "tool_call") {
      const called = { index: calls.length, name: part.name, arguments: argumentsOf(part) };
      calls.push({ id: part.id ?? ids.next("call_", 8), function: called });
    } else throw unsupported(`a part of type ${part.type}`);
  }
  return { thinking, texts, calls };
}

function argumentsOf({ argumentsText }: ResolvedToolCall): JsonObject {
  const parsed = parseObject(argumentsText || "{}");
  if (parsed === undefined) throw unsupported("arguments that are not a JSON object");
  return parsed;
}

function unsupported(what: string): ScriptFaultError {
  return new ScriptFaultError(
    "SCRIPT_UNSUPPORTED",
    `Ollama's own API has no place for ${what}: leave it out, or play this script on another wire.`,
  );
}
