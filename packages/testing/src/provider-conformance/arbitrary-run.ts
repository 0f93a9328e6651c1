import type { Message, ToolMessage } from "@bailiwick/core";
import { array, boolean, constant, constantFrom, nat, option, record, type Arbitrary } from "fast-check";

/** One turn of a random run: the model's answer, and the faults. */
export interface RunTurn {
  readonly text: string;
  readonly reasoning: string | undefined;
  /** Arguments of each call. */
  readonly calls: readonly string[];
  readonly finish: "length" | undefined;
  /** The result of each call. */
  readonly results: readonly ("text" | "empty" | "error" | "image" | "missing" | "twice" | "late")[];
  /** The message between the calls and their results. */
  readonly between: "system" | "user" | undefined;
  /** True if the answer is cut off, as by an abort. */
  readonly partial: boolean;
}

/** A random run of a conversation. */
export interface RunPlan {
  readonly turns: readonly RunTurn[];
  /** Indexes of lost messages in the finished history. */
  readonly lost: readonly number[];
}

const words = constantFrom("", "Hello", "Grüße 👋", "half \ud83d", "{}", "line\nline", "a".repeat(300));

const turn: Arbitrary<RunTurn> = record({
  text: words,
  reasoning: option(constantFrom("Let me think.", "Hm 👋"), { nil: undefined }),
  calls: array(constantFrom("{}", '{"id":"1"}', '{"id":"ö\\ud83d"}', ""), { maxLength: 3 }),
  finish: option(constant("length" as const), { nil: undefined, freq: 6 }),
  results: array(constantFrom("text", "empty", "error", "image", "missing", "twice", "late"), {
    minLength: 3,
    maxLength: 3,
  }),
  between: option(constantFrom("system", "user"), { nil: undefined, freq: 3 }),
  partial: boolean(),
});

/** Random runs, with everything that happens to conversations. */
export const arbitraryRun: Arbitrary<RunPlan> = record({
  turns: array(turn, { minLength: 1, maxLength: 5 }),
  lost: array(nat(30), { maxLength: 3 }),
});

/** A one-pixel picture. */
export const pixel: string =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/**
 * The messages after an answer in the history: planned results, with messages in between.
 *
 * @param answer - The answer.
 * @param plan - Its turn.
 * @param index - Number of the turn, for ids.
 */
export function aftermath(
  answer: Extract<Message, { role: "assistant" }>,
  plan: RunTurn,
  index: number,
): readonly Message[] {
  const messages: Message[] = [];
  const late: Message[] = [];
  if (plan.between === "system") messages.push({ id: `between-${index}`, role: "system", content: "Mind the time." });
  if (plan.between === "user") messages.push({ id: `between-${index}`, role: "user", content: "Hurry." });
  for (const [place, call] of answer.toolCalls.entries()) {
    const kind = plan.results[place] ?? "text";
    if (kind === "missing") continue;
    const result: ToolMessage = {
      id: `result-${index}-${place}`,
      role: "tool",
      toolCallId: call.id,
      toolName: call.name,
      content:
        kind === "empty"
          ? ""
          : kind === "image"
            ? [
                { type: "text", text: "A picture:" },
                { type: "image", data: pixel, mimeType: "image/png" },
              ]
            : `Result ${place} \udc00`,
      ...(kind === "error" ? { isError: true } : {}),
    };
    (kind === "late" ? late : messages).push(result);
    if (kind === "twice") messages.push({ ...result, id: `${result.id}-again` });
  }
  messages.push({
    id: `user-${index}`,
    role: "user",
    content:
      index % 2 === 0
        ? "Go on."
        : [
            { type: "text", text: "" },
            { type: "text", text: "Go on." },
          ],
  });
  return [...messages, ...late];
}
