import { checkStepFields } from "./check-step-fields.ts";
import { ScriptFaultError } from "./script-error.ts";
import { splitText } from "./split-text.ts";
import type { ScriptFaults } from "./script-faults.ts";
import type {
  ScriptFilePart,
  ScriptPart,
  ScriptRawPart,
  ScriptReasoning,
  ScriptSource,
  ScriptToolCall,
} from "./script-part.ts";
import type { ScriptFinish, ScriptStep } from "./script-step.ts";

/** Text with the chunks that it is streamed in. */
export interface ResolvedText {
  readonly type: "text";
  readonly text: string;
  readonly deltas: readonly string[];
  readonly sources: readonly ScriptSource[];
  readonly phase?: "commentary" | "final_answer" | undefined;
  readonly signature?: string | undefined;
}

/** Reasoning with its summary parts. */
export interface ResolvedReasoning {
  readonly type: "reasoning";
  readonly text: string;
  readonly summaryParts: readonly string[];
  readonly signature?: string | undefined;
  readonly redacted?: string | undefined;
}

/** A call with its arguments as text. */
export interface ResolvedToolCall {
  readonly type: "tool_call";
  readonly name: string;
  readonly argumentsText: string;
  readonly deltas: readonly string[];
  readonly id?: string | undefined;
  readonly signature?: string | undefined;
  readonly custom: boolean;
}

/** A refusal with its chunks. */
export interface ResolvedRefusal {
  readonly type: "refusal";
  readonly text: string;
  readonly deltas: readonly string[];
}

/** A part with every default filled in. */
export type ResolvedPart =
  | ResolvedText
  | ResolvedReasoning
  | ResolvedToolCall
  | ResolvedRefusal
  | ScriptFilePart
  | ScriptRawPart;

/** A step with its parts in order and every default filled in, for encoders. */
export interface ResolvedTurn {
  readonly parts: readonly ResolvedPart[];
  readonly finish: ScriptFinish;
  readonly step: ScriptStep;
  readonly faults: ScriptFaults;
}

/**
 * Puts a step's content in order and fills in its defaults.
 *
 * @param input - The step, or its text.
 * @throws ScriptFaultError `SCRIPT_INVALID` if the step contradicts itself.
 */
export function resolveStep(input: ScriptStep | string): ResolvedTurn {
  const step: ScriptStep = typeof input === "string" ? { text: input } : input;
  checkStepFields(step);
  const parts = (step.parts ?? shortParts(step)).map(resolvePart);
  if (step.parts !== undefined && shortFields.some((field) => step[field] !== undefined)) {
    throw new ScriptFaultError(
      "SCRIPT_INVALID",
      `A step has both "parts" and ${shortFields.filter((f) => step[f] !== undefined).join(", ")}: put everything into "parts".`,
    );
  }
  return { parts, finish: step.finish ?? defaultFinish(parts), step, faults: checkFaults(step.faults ?? {}) };
}

const shortFields = ["text", "deltas", "reasoning", "toolCalls", "refusal", "sources", "files"] as const;

function shortParts(step: ScriptStep): readonly ScriptPart[] {
  const parts: ScriptPart[] = [];
  if (step.reasoning !== undefined) {
    const reasoning: ScriptReasoning = typeof step.reasoning === "string" ? { text: step.reasoning } : step.reasoning;
    parts.push({ type: "reasoning", ...reasoning });
  }
  const text = step.text ?? step.deltas?.join("");
  if (text !== undefined) parts.push({ type: "text", text, deltas: step.deltas, sources: step.sources });
  else if (step.sources !== undefined) {
    throw new ScriptFaultError("SCRIPT_INVALID", `A step has "sources" but no "text" that could cite them.`);
  }
  if (step.refusal !== undefined) parts.push({ type: "refusal", text: step.refusal });
  for (const file of step.files ?? []) parts.push({ type: "file", ...file });
  for (const call of step.toolCalls ?? []) parts.push({ type: "tool_call", ...call });
  return parts;
}

function resolvePart(part: ScriptPart): ResolvedPart {
  switch (part.type) {
    case "text":
      return { ...part, deltas: checkedDeltas(part.text, part.deltas, "text"), sources: part.sources ?? [] };
    case "reasoning": {
      const summaryParts = part.summaryParts ?? (part.text ? [part.text] : []);
      return { ...part, text: part.text ?? summaryParts.join("\n\n"), summaryParts };
    }
    case "tool_call":
      return resolveToolCall(part);
    case "refusal":
      return { ...part, deltas: splitText(part.text) };
    default:
      return part;
  }
}

function resolveToolCall(call: ScriptToolCall): ResolvedToolCall {
  const value = call.arguments ?? {};
  const argumentsText = typeof value === "string" ? value : JSON.stringify(value);
  return {
    type: "tool_call",
    name: call.name,
    argumentsText,
    deltas: checkedDeltas(argumentsText, call.deltas, `arguments of "${call.name}"`),
    id: call.id,
    signature: call.signature,
    custom: call.custom ?? false,
  };
}

function checkedDeltas(text: string, deltas: readonly string[] | undefined, what: string): readonly string[] {
  if (deltas === undefined) return splitText(text);
  if (deltas.join("") !== text) {
    throw new ScriptFaultError(
      "SCRIPT_INVALID",
      `The deltas of the ${what} do not join to it: ${JSON.stringify(deltas.join(""))} is not ${JSON.stringify(text)}.`,
    );
  }
  return deltas;
}

function defaultFinish(parts: readonly ResolvedPart[]): ScriptFinish {
  if (parts.some((part) => part.type === "tool_call")) return "tool_calls";
  return parts.some((part) => part.type === "refusal") ? "content_filter" : "stop";
}

/** Error that the adapters of all wires recognize as an overflow. */
const overflow = {
  status: 400,
  code: "context_length_exceeded",
  message: "The prompt is too long: it exceeds the context window of the model.",
} as const;

function checkFaults({ contextOverflow, ...given }: ScriptFaults): ScriptFaults {
  if (contextOverflow === true && given.error !== undefined) {
    throw new ScriptFaultError(
      "SCRIPT_INVALID",
      'A step has the faults "contextOverflow" and "error": keep one of them.',
    );
  }
  const faults: ScriptFaults = contextOverflow === true ? { ...given, error: overflow } : given;
  const inStream = (["errorFrame", "garbage", "omitTerminal", "cutAfterEvents"] as const).filter(
    (name) => faults[name] !== undefined,
  );
  if (faults.error !== undefined && inStream.length > 0) {
    throw new ScriptFaultError(
      "SCRIPT_INVALID",
      `The fault "${contextOverflow === true ? "contextOverflow" : "error"}" answers without a stream, so ${inStream.join(", ")} cannot happen: keep one of them.`,
    );
  }
  return faults;
}
