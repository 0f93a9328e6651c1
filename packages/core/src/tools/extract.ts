import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { Tool } from "../contracts/tool.ts";
import type { ToolSource } from "../contracts/vocabularies.ts";

/** Name of the tool that reads quarantined values. */
export const EXTRACT = "extract";

/** Source of the tool. */
export const extractSource: ToolSource = { kind: "built-in", subsystem: "quarantine" };

/** Arguments of `extract`. */
export interface ExtractInput {
  readonly ref: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly question?: string | undefined;
}

/** Longer than any reading takes: a time-out of the tool would leak information. */
const TIMEOUT_MS = 10 * 60_000;

/**
 * The definition of `extract`; the catalogue of a run binds its implementation.
 *
 * @param execute - Reads a value through the run's flow policy.
 */
export function extractTool(execute: Tool["execute"]): Tool {
  return {
    name: EXTRACT,
    description:
      "Answers a question about a value that you were shown as a reference ($ref). You get the answer, never the text. " +
      "The schema says what the answer can be, and has to bound it: boolean, enum, const, integer with minimum and maximum, " +
      'null, objects of these, arrays of these with maxItems. For example {"type":"boolean"} or {"enum":["invoice","complaint","other"]} ' +
      'or {"type":"integer","minimum":0,"maximum":31}. An answer of n possible values costs log2(n + 1) bits, and a run has few: ' +
      "ask for as little as you need. To use the text itself, pass the reference on to a tool.",
    inputSchema: {
      type: "object",
      properties: {
        ref: { type: "string", maxLength: 2_000, description: 'The reference, such as "$ref:t1/c0:body".' },
        question: { type: "string", maxLength: 2_000, description: "What you want to know about the value." },
        schema: { type: "object", description: "JSON Schema of the answer. Free text and open numbers are refused." },
      },
      required: ["ref", "schema"],
      additionalProperties: false,
    },
    // The tool has no effect: no data leaves through it, and its output is bounded.
    sideEffectClass: "pure",
    output: { integrity: "untrusted" },
    timeoutMs: TIMEOUT_MS,
    execute,
  };
}

/**
 * True if a tool is the framework's `extract`: the only tool that gets references instead of values.
 *
 * @param tool - A tool of a run's catalogue.
 */
export function isExtract(tool: Pick<ResolvedTool, "name" | "__source">): boolean {
  return tool.name === EXTRACT && tool.__source.kind === "built-in" && tool.__source.subsystem === "quarantine";
}
