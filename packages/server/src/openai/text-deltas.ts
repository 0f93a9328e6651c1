import type { UiChunk } from "../ui-stream/ui-chunk.ts";

/** Makes one growing text of a run's chunks. */
export interface TextDeltas {
  /** The text that a chunk adds; empty if it adds none. */
  take(chunk: UiChunk): string;
  /** The text that was sent so far. */
  readonly text: string;
  /** The text without the parts of turns that were withdrawn. */
  readonly whole: string;
}

const gap = "\n\n";

const paragraphs = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join(gap);

/**
 * Makes the text of a run for protocols that can only append. Texts of several turns are paragraphs; a step that is
 * written again continues if it has the same beginning, and is repeated as a paragraph otherwise.
 */
export function textDeltas(): TextDeltas {
  let text = "";
  /** The text of the steps before the current one. */
  let before = "";
  /** The current text of the step, and the text that was sent. */
  let step = "";
  let sent = "";
  const add = (delta: string): string => {
    text += delta;
    return delta;
  };
  return {
    get text(): string {
      return text;
    },
    get whole(): string {
      return paragraphs(before, step);
    },
    take(chunk): string {
      switch (chunk.type) {
        case "start-step":
          before = paragraphs(before, step);
          step = sent = "";
          return "";
        case "reset-step":
          step = "";
          return "";
        case "text-start":
          if (step !== "") step += gap;
          return "";
        case "text-delta": {
          step += chunk.delta;
          if (sent.startsWith(step)) return "";
          const isContinued = step.startsWith(sent);
          const delta = isContinued ? step.slice(sent.length) : step;
          const begins = sent === "" || !isContinued;
          sent = step;
          return add(begins && text !== "" ? gap + delta : delta);
        }
        default:
          return "";
      }
    },
  };
}
