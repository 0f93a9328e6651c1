import type { AssistantMessage } from "../contracts/message.ts";

/**
 * The final text of an answer, without commentary.
 *
 * @param message - An answer; without one the text is empty.
 * @example
 * ```ts
 * import { answerText } from "@bailiwick/core";
 * import type { ModelResponse } from "@bailiwick/core";
 *
 * export const textOf = (response: ModelResponse) => answerText(response.message);
 * ```
 */
export function answerText(message: AssistantMessage | undefined): string {
  return (
    message?.content.map((part) => (part.type === "text" && part.commentary !== true ? part.text : "")).join("") ?? ""
  );
}
