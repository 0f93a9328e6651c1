import type { Message } from "@bailiwick/core";

const anyReference = /\$ref:(?:r(\d{1,9})\.)?t\d+\/c\d+/gu;

/**
 * What sets the references of a run apart from those that it finds in its history: those of earlier runs of the session,
 * or of the run that handed over, stand for nothing here. A run that finds none needs no mark.
 */
export function referenceMark(history: readonly Message[]): string {
  let highest = 0;
  for (const message of history) {
    for (const text of textsOf(message)) {
      // Only speed: most texts hold none.
      if (!text.includes("$ref:")) continue;
      for (const [, run] of text.matchAll(anyReference)) highest = Math.max(highest, Number(run ?? 1));
    }
  }
  return highest === 0 ? "" : `r${highest + 1}.`;
}

function textsOf(message: Message): readonly string[] {
  const { content } = message;
  const texts =
    typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : ""));
  return message.role === "assistant" ? [...texts, ...message.toolCalls.map((call) => call.arguments)] : texts;
}
