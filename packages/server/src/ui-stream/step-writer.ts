import type { SourcePart, ToolFailure } from "@bailiwick/core";
import type { StepPart, StepText } from "./step-parts.ts";
import type { ToolErrorText } from "./tool-error-text.ts";
import type { UiChunk } from "./ui-chunk.ts";

type WholePart = Exclude<StepPart, StepText>;

/** A written part, with a flag that tells if it may continue. */
interface Written {
  readonly part: StepPart;
  readonly id: string;
  open: boolean;
}

/**
 * Writes the parts of one step. Pieces may arrive as a stream; `settle` then completes them to the final answer, by
 * adding missing parts, or by writing the step again if pieces do not fit.
 */
export interface StepWriter {
  readonly turn: number;
  readonly isEmpty: boolean;
  /** Set when the step equals the answer: later pieces are repetitions. */
  readonly isSettled: boolean;
  text(kind: "text" | "reasoning", text: string): void;
  callStart(toolCallId: string, toolName: string): void;
  callDelta(toolCallId: string, delta: string): void;
  part(part: WholePart): void;
  /** Takes back all written parts. */
  reset(): void;
  settle(parts: readonly StepPart[]): void;
}

/**
 * Makes the writer of a step.
 *
 * @param turn - The turn of the step; it names the parts, so that a replay uses the same names.
 * @param write - Takes the chunks.
 * @param toolError - Makes the text of a failed call.
 */
export function createStepWriter(turn: number, write: (chunk: UiChunk) => void, toolError: ToolErrorText): StepWriter {
  let written: Written[] = [];
  let settled = false;

  const add = (part: StepPart, open: boolean): Written => {
    const entry = { part, id: `t${turn}.${written.length}`, open };
    written.push(entry);
    return entry;
  };
  const close = (): void => {
    const last = written.at(-1);
    if (last === undefined || !last.open) return;
    last.open = false;
    if (last.part.kind === "text" || last.part.kind === "reasoning")
      write({ type: `${last.part.kind}-end`, id: last.id });
  };
  const text = (kind: "text" | "reasoning", delta: string): void => {
    if (delta === "") return;
    let last = written.at(-1);
    if (last?.part.kind !== kind || !last.open) {
      close();
      last = add({ kind, text: "" }, true);
      write({ type: `${kind}-start`, id: last.id });
    }
    if (last.part.kind === "text" || last.part.kind === "reasoning") last.part.text += delta;
    write({ type: `${kind}-delta`, id: last.id, delta });
  };
  const whole = (part: StepPart): void => {
    if (isText(part)) {
      text(part.kind, part.text);
      close();
      return;
    }
    close();
    const { id } = add(part, false);
    writeWhole(part, id, write, toolError);
  };
  const reset = (): void => {
    if (written.length === 0) return;
    written = [];
    write({ type: "reset-step" });
  };

  return {
    turn,
    get isEmpty(): boolean {
      return written.length === 0;
    },
    get isSettled(): boolean {
      return settled;
    },
    text,
    callStart(toolCallId, toolName): void {
      close();
      add({ kind: "tool", toolCallId, toolName, input: undefined }, true);
      write({ type: "tool-input-start", toolCallId, toolName });
    },
    callDelta(toolCallId, delta): void {
      const isKnown = written.some(({ part }) => part.kind === "tool" && part.toolCallId === toolCallId);
      if (isKnown && delta !== "") write({ type: "tool-input-delta", toolCallId, inputTextDelta: delta });
    },
    part: whole,
    reset,
    settle(parts): void {
      settled = true;
      if (!continues(written, parts)) reset();
      const last = parts[written.length - 1];
      const shown = written.at(-1)?.part;
      if (last !== undefined && isText(last) && shown !== undefined && isText(shown))
        text(last.kind, last.text.slice(shown.text.length));
      close();
      const before = written.length;
      for (const [index, part] of parts.entries()) {
        const entry = written[index];
        if (index >= before || entry === undefined) whole(part);
        else complete(entry, part, write, toolError);
      }
    },
  };
}

function isText(part: StepPart): part is StepText {
  return part.kind === "text" || part.kind === "reasoning";
}

/** True if the parts begin with the written ones; only an unfinished text may continue. */
function continues(written: readonly Written[], parts: readonly StepPart[]): boolean {
  return written.every(({ part: shown, open }, index) => {
    const part = parts[index];
    if (part === undefined || part.kind !== shown.kind) return false;
    if (shown.kind === "text" || shown.kind === "reasoning") {
      const { text } = part as typeof shown;
      return open ? text.startsWith(shown.text) : text === shown.text;
    }
    if (shown.kind === "tool")
      return "toolCallId" in part && part.toolCallId === shown.toolCallId && part.toolName === shown.toolName;
    return JSON.stringify(part) === JSON.stringify(shown);
  });
}

/** Adds the data that only the whole answer has to a streamed part. */
function complete(entry: Written, part: StepPart, write: (chunk: UiChunk) => void, toolError: ToolErrorText): void {
  if (part.kind === "tool" && entry.part.kind === "tool") writeWhole(part, entry.id, write, toolError);
}

function writeWhole(part: WholePart, id: string, write: (chunk: UiChunk) => void, toolError: ToolErrorText): void {
  switch (part.kind) {
    case "tool":
      write({ type: "tool-input-available", toolCallId: part.toolCallId, toolName: part.toolName, input: part.input });
      return;
    case "hosted": {
      const { toolCallId, toolName, input, output } = part;
      write({ type: "tool-input-available", toolCallId, toolName, input, providerExecuted: true });
      if (part.isError)
        write({
          type: "tool-output-error",
          toolCallId,
          errorText: toolError(hostedFailure(output), toolName),
          providerExecuted: true,
        });
      else if (part.isDone) write({ type: "tool-output-available", toolCallId, output, providerExecuted: true });
      return;
    }
    case "source":
      write(sourceChunk(part.source, id));
      return;
    case "file":
      write({ type: "file", url: part.url, mediaType: part.mediaType });
  }
}

function sourceChunk(source: SourcePart, id: string): UiChunk {
  const sourceId = source.sourceId ?? source.documentId ?? id;
  if (source.url === undefined)
    return {
      type: "source-document",
      sourceId,
      mediaType: "application/octet-stream",
      title: source.title ?? sourceId,
    };
  return { type: "source-url", sourceId, url: source.url, ...(source.title !== undefined && { title: source.title }) };
}

/** A failure of the vendor's tool, with the reason in its output. */
function hostedFailure(output: unknown): ToolFailure {
  const message = typeof output === "string" ? output : JSON.stringify(output ?? "failed");
  return { kind: "execution_failed", message, recoverable: false, recoveryHint: "report_to_user" };
}
