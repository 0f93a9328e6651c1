import type { Warning } from "../contracts/model-response.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { Tool } from "../contracts/tool.ts";
import type { ToolSource } from "../contracts/vocabularies.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { defaultHasher } from "../journal/default-ports.ts";
import { nearestNames } from "../errors/nearest-names.ts";
import { pinOf } from "./pin-tools.ts";
import type { ServedTool } from "./served-tool.ts";
import { describeSource } from "./source-defaults.ts";
import { declaredEffect } from "../tools/plain-words.ts";
import { hintedTerms, withSource, type OperatorTerms } from "./tool-registration.ts";
import { checkArgument } from "../errors/value-checks.ts";

/** Settings for the tools of a server. */
export interface ClassifyToolsOptions {
  /** The server, from `mcp()`, or another source of tools. */
  readonly source: ToolSource;
  /**
   * Classification of tools, by name or by a pattern in which `*` means any characters. A tool has one entry: an exact
   * name wins over a pattern, and a pattern with more letters over one with fewer. A tool without an entry gets the
   * defaults of its source: for MCP a writer whose output is untrusted. A pattern never makes a reader of a tool whose
   * server sets `destructiveHint`; an entry with the tool's name does.
   */
  readonly tools?: Readonly<Record<string, OperatorTerms>> | undefined;
  /**
   * Uses a server's `readOnlyHint` as the effect of tools that no entry classifies. Default `false`: hints are ignored.
   */
  readonly trustAnnotations?: boolean | undefined;
  /** The definitions that the operator has reviewed, by tool name, from `pinTools()`. Default: no check. */
  readonly pins?: Readonly<Record<string, string>> | undefined;
  /**
   * Treatment of a tool whose definition differs from the pinned one: `ask` adds it without the operator's
   * classification, which was for another definition, and a person approves each call; `leave-out` does not add it.
   * Default `ask`.
   */
  readonly changed?: "ask" | "leave-out" | undefined;
  /** The SHA-256 function. Default: the portable one. */
  readonly hasher?: Hasher | undefined;
}

/** The classified tools of a server, and warnings for the operator. */
export interface ClassifiedTools {
  /** The tools, with their classification applied. */
  readonly tools: readonly Tool[];
  /** Problems with the definitions, such as a changed or unclassified tool. */
  readonly warnings: readonly Warning[];
}

/**
 * Adds the tools of a server with its operator's classification. For loaders of MCP servers; the result can be in
 * `Agent({ tools })`.
 *
 * @param served - The tools, as the server lists them.
 * @param options - Source of the tools, and their classification.
 * @throws ConfigurationError `UNMATCHED_CLASSIFICATION` for an entry or a pin that matches no tool,
 *   `AMBIGUOUS_CLASSIFICATION` if two patterns fit a tool equally well.
 * @example
 * ```ts
 * import { classifyTools, tool } from "@bailiwick/core";
 *
 * const listIssues = tool({ name: "list_issues", description: "Lists.", inputSchema: { type: "object" }, execute: () => [] });
 *
 * export const { tools } = classifyTools([{ tool: listIssues }], {
 *   source: { kind: "mcp", serverIdentity: "tracker" },
 *   tools: { "list_*": { sideEffectClass: "read-only" } },
 * });
 * ```
 */
export function classifyTools(served: readonly ServedTool[], options: ClassifyToolsOptions): ClassifiedTools {
  checkArgument(served, "array", "classifyTools(tools, { source })");
  checkArgument(options, "object", "classifyTools(tools, { source })");
  const { source, tools: entries = {}, pins, hasher = defaultHasher() } = options;
  const names = served.map(({ tool }) => tool.name);
  const where = describeSource(source);
  checkOptions(options);
  const patterns = Object.keys(entries).map(readPattern);
  for (const { text, fits } of patterns)
    if (!names.some(fits)) throw unmatched(`The entry "${text}"`, text, names, where);
  for (const name of Object.keys(pins ?? {}))
    if (!names.includes(name)) throw unmatched(`The pin of "${name}"`, name, names, where);

  const tools: Tool[] = [];
  const warnings: Warning[] = [];
  /** Tools that destroy data, by the pattern that calls them readers. */
  const destructive = new Map<string, string[]>();
  for (const each of served) {
    const { tool } = each;
    if (pins !== undefined && pins[tool.name] !== pinOf(each, hasher)) {
      warnings.push(changedWarning(tool.name, where, options, tool.name in pins));
      if (options.changed !== "leave-out") tools.push(withSource(tool, source, { needsApproval: true }));
      continue;
    }
    const pattern = bestPattern(tool.name, patterns, where);
    const terms =
      pattern &&
      termsOf(each, entries[pattern.text], pattern, (text) => {
        destructive.set(text, [...(destructive.get(text) ?? []), tool.name]);
      });
    const hinted = options.trustAnnotations === true && isHintedRead(each);
    tools.push(withSource(tool, source, hinted ? hintedTerms(terms) : terms));
  }
  for (const [pattern, its] of destructive) warnings.push(destructiveWarning(its, where, pattern));
  return { tools, warnings };
}

/**
 * The settings of an entry. A pattern cannot declare that a tool only reads if its server says that it destroys data.
 */
function termsOf(
  { annotations }: ServedTool,
  given: OperatorTerms | undefined,
  { text }: Pattern,
  denied: (text: string) => void,
): OperatorTerms | undefined {
  const effect = given && declaredEffect(given);
  const isReader = effect === "read-only" || effect === "pure";
  if (!text.includes("*") || !isReader || annotations?.destructiveHint !== true) return given;
  denied(text);
  return { ...given, sideEffectClass: undefined, changes: undefined };
}

/** A tool with both hints is not treated as the safer one. */
function isHintedRead({ annotations }: ServedTool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
}

/** Maximum number of tools that a warning names. */
const mostNamed = 5;

/** One decision of the operator gets one warning, however many tools it is about. */
function destructiveWarning(names: readonly string[], where: string, pattern: string): Warning {
  const [first = ""] = names;
  const isOne = names.length === 1;
  const named = names
    .slice(0, mostNamed)
    .map((name) => `"${name}"`)
    .join(", ");
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return {
    code: "destructive_tool_is_writer",
    message: isOne
      ? `Tool ${named} of ${where} is a writer although the entry "${pattern}" declares a reader: its server says that it destroys data. If it only reads, add an entry ${named}.`
      : `Tools ${named}${more} of ${where} are writers although the entry "${pattern}" declares readers: their server says that they destroy data. Add an entry with the name of each one that only reads.`,
    subject: isOne ? first : pattern,
  };
}

function checkOptions({ source, changed, pins }: ClassifyToolsOptions): void {
  if (source.kind === "first-party" || source.kind === "built-in") {
    throw new ConfigurationError(
      "INVALID_TOOL_SOURCE",
      `classifyTools() is for foreign tools, not ${JSON.stringify(source)}.`,
    );
  }
  if (changed !== undefined && changed !== "ask" && changed !== "leave-out") {
    throw new ConfigurationError(
      "INVALID_CLASSIFICATION",
      `changed is ${JSON.stringify(changed)}. Use "ask" or "leave-out".`,
    );
  }
  if (changed !== undefined && pins === undefined) {
    throw new ConfigurationError("INVALID_CLASSIFICATION", `changed: "${changed}" needs pins: pinTools(tools).`);
  }
}

interface Pattern {
  readonly text: string;
  /** Number of characters other than `*`; a name counts more than any pattern. */
  readonly weight: number;
  readonly fits: (name: string) => boolean;
}

function readPattern(text: string): Pattern {
  const parts = text.split("*");
  if (parts.length === 1) return { text, weight: Infinity, fits: (name) => name === text };
  const [head = ""] = parts;
  const tail = parts.at(-1) ?? "";
  const inner = parts.slice(1, -1);
  const fits = (name: string): boolean => {
    if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
    let at = head.length;
    for (const part of inner) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= name.length - tail.length;
  };
  return { text, weight: parts.join("").length, fits };
}

function bestPattern(name: string, patterns: readonly Pattern[], where: string): Pattern | undefined {
  let best: Pattern | undefined;
  let equal: Pattern | undefined;
  for (const pattern of patterns) {
    if (!pattern.fits(name) || (best !== undefined && pattern.weight < best.weight)) continue;
    equal = best?.weight === pattern.weight ? best : undefined;
    best = pattern;
  }
  if (best === undefined || equal === undefined) return best;
  throw new ConfigurationError(
    "AMBIGUOUS_CLASSIFICATION",
    `"${equal.text}" and "${best.text}" match the tool "${name}" of ${where} equally well. Add an entry "${name}".`,
  );
}

function unmatched(what: string, text: string, names: readonly string[], where: string): ConfigurationError {
  const nearest = nearestNames(text.replaceAll("*", ""), names);
  const list = (nearest.length > 0 ? nearest : names).map((name) => `"${name}"`).join(", ");
  return new ConfigurationError(
    "UNMATCHED_CLASSIFICATION",
    `${what} matches no tool of ${where}. It has ${list === "" ? "none" : list}${nearest.length > 0 ? " and others" : ""}. Correct the name, or leave the entry out.`,
  );
}

function changedWarning(name: string, where: string, { changed }: ClassifyToolsOptions, isPinned: boolean): Warning {
  const what = isPinned ? "is not defined as it was when it was pinned" : "did not exist when the others were pinned";
  const effect =
    changed === "leave-out" ? "It is left out." : "Its classification no longer applies, and each call needs approval.";
  return {
    code: "tool_definition_changed",
    message: `Tool "${name}" of ${where} ${what}. ${effect} Pin it again with pinTools() after a review.`,
    subject: name,
  };
}
