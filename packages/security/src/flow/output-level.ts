import type { JournalEventInput, Principal, ResolvedTool } from "@bailiwick/core";

import { bitsPerRun } from "./bits-per-run.ts";
import { joinIntegrity, joinLevels, nobody } from "./lattice.ts";
import { isTrusted } from "./trusted.ts";
import type { Level, ReadersId, ReaderSets, Trust } from "./lattice.ts";
import { leavesOf } from "./leaves.ts";
import { isWithin, normalPath } from "./paths.ts";
import { isFetchable } from "./egress.ts";
import { bitsBesideMakings, isOwnText, isReader, type Ingredients } from "./made-of.ts";
import { capacityOf } from "./low-capacity.ts";
import { schemaPosition } from "./schema-position.ts";
import { parentLevel } from "./r9-inherit.ts";
import { isOwnVoice, sourceOf } from "./tool-source.ts";

/** Outcome of a tool, for labels. */
export type Outcome = Pick<
  Extract<JournalEventInput, { type: "tool.outcome" }>,
  "output" | "contentParts" | "resultLabel" | "failure" | "childRun"
>;

/** A level, and the number of bits spent to spare the control label. */
export interface MeasuredLevel {
  readonly level: Level;
  readonly bits?: number | undefined;
}

/** Inputs of an output's level, apart from the tool. */
export interface OutputFacts {
  readonly sets: ReaderSets;
  /** Join of the call's arguments: of everything that the model had read when it made the call. */
  readonly argumentsLevel: Level;
  /** The run's principals. */
  readonly principals: readonly Principal[];
  readonly lowCapacityLeaves: boolean;
  /** The arguments of the call and the counters of the session; absent where no result is known. */
  readonly ingredients?: Ingredients | undefined;
  /** Bits that the run has read already. */
  readonly bitsSpent: number;
  /** The mode guesses the effect of tools without declarations. */
  readonly guesses: boolean;
}

/** Trust in one field of an output, as declared; `assumed` where nothing is declared. */
export function fieldIntegrity(tool: ResolvedTool, path: string): Trust {
  const base = baseTrust(tool);
  const { fields } = tool.output ?? {};
  if (fields === undefined) return base;
  let best: { readonly length: number; readonly integrity: Trust } | undefined;
  for (const [declared, field] of Object.entries(fields) as [string, { integrity: Trust } | undefined][]) {
    const normal = normalPath(declared);
    if (field === undefined || !isWithin(path, normal)) continue;
    if (best === undefined || normal.length >= best.length)
      best = { length: normal.length, integrity: field.integrity };
  }
  return best?.integrity ?? base;
}

/** Trust in one value of an output: text that a declaration of the whole does not cover is untrusted. */
export function valueIntegrity(tool: ResolvedTool, path: string, value: unknown): Trust {
  return mayQuoteOthers(tool) && !isVouched(tool, path, value) ? "untrusted" : fieldIntegrity(tool, path);
}

/** Trust in a tool's result as a whole. */
function baseTrust(tool: ResolvedTool): Trust {
  const integrity = tool.output?.integrity ?? "untrusted";
  return integrity === "untrusted" && !tool.__outputDeclared ? "assumed" : integrity;
}

/** Readers of a tool's result: as declared, else the run's principal and the source. */
export function outputReaders(tool: ResolvedTool, principals: readonly Principal[], sets: ReaderSets): ReadersId {
  if (tool.sensitivity === "secret") return nobody;
  const declared = tool.output?.readers;
  if (declared !== undefined) return sets.intern(declared);
  if (tool.sensitivity === "public") return sets.intern("public");
  return sets.intern([...principals, sourceOf(tool)]);
}

/** Failures in the framework's own words. Failures of a tool, or about its output, carry the tool's label. */
function isOwnError(outcome: Outcome): boolean {
  const { failure } = outcome;
  if (failure === undefined || failure.fromTool === true) return false;
  return !toolKinds.has(failure.kind);
}

const toolKinds: ReadonlySet<string> = new Set([
  "execution_failed",
  "rate_limited",
  "invalid_output",
  "sandbox_violation",
]);

/** The level of a tool's result. */
export function outcomeLevel(tool: ResolvedTool, outcome: Outcome, facts: OutputFacts): MeasuredLevel {
  const own = ownLevel(tool, outcome, facts);
  // The label of an inner run's input is part of its answer's label [flow.r9].
  const inside = outcome.childRun?.label;
  if (inside === undefined) return own;
  const readInside = parentLevel(inside, facts.sets);
  // An agent's answer depends on its task and its input only.
  const said = tool.__outputDeclared ? own.level : widen(facts.argumentsLevel, outcome, facts.sets);
  return { level: joinLevels(said, readInside, facts.sets) };
}

function ownLevel(tool: ResolvedTool, outcome: Outcome, facts: OutputFacts): MeasuredLevel {
  const { sets, argumentsLevel } = facts;
  // The framework's own texts contain no more than the arguments did [flow.r2.own-errors].
  if (isOwnError(outcome)) return { level: argumentsLevel };
  const widened = (level: Level): Level => widen(level, outcome, sets);
  // [flow.r2.pure] A pure tool's output is a function of its arguments.
  if (tool.__sideEffectClass === "pure" && tool.__effectDeclared) return { level: widened(argumentsLevel) };
  const made = madeOf(tool, outcome, facts);
  if (made !== undefined) return { level: widened(argumentsLevel), ...(made > 0 && { bits: made }) };
  const integrity = outputIntegrity(tool, outcome, facts.ingredients);
  const level = widened({ integrity, control: integrity, readers: outputReaders(tool, facts.principals, sets) });
  if (isTrusted(level.integrity) || !facts.lowCapacityLeaves) return { level };
  if (facts.guesses && isReceipt(tool, outcome)) return { level: { ...level, control: "verified" } };
  const bits = boundedBits(tool, outcome);
  if (facts.bitsSpent + bits > bitsPerRun) return { level };
  return { level: { ...level, control: "verified" }, bits };
}

/** [flow.r2.made-of] The bits of a result that is made of nothing foreign, if the run has them left. */
function madeOf(tool: ResolvedTool, outcome: Outcome, facts: OutputFacts): number | undefined {
  const { ingredients, bitsSpent, lowCapacityLeaves } = facts;
  if (ingredients === undefined || !lowCapacityLeaves) return undefined;
  if (outcome.failure !== undefined || outcome.contentParts !== undefined || outcome.childRun !== undefined)
    return undefined;
  const bits = bitsBesideMakings(tool, outcome.output, ingredients);
  return bits === undefined || bitsSpent + bits > bitsPerRun ? undefined : bits;
}

function outputIntegrity(tool: ResolvedTool, outcome: Outcome, ingredients: Ingredients | undefined): Trust {
  const base = baseTrust(tool);
  if (outcome.failure !== undefined || outcome.contentParts !== undefined) return base;
  // The declared fields do not apply to text that is shown instead of the output.
  if (tool.toModelOutput !== undefined) return base;
  const mayQuote = isTrusted(base) && mayQuoteOthers(tool);
  // Fast path: without declared fields, each leaf has the level of the whole.
  if (tool.output?.fields === undefined && !mayQuote) return base;
  let worst: Trust = "system";
  for (const { path, value } of leavesOf(outcome.output)) {
    const isForeign = mayQuote && !isVouched(tool, path, value) && !isOwnText(tool, value, ingredients);
    worst = joinIntegrity(worst, isForeign ? "untrusted" : fieldIntegrity(tool, path));
  }
  return worst;
}

/**
 * True if the declaration of the whole covers ids, numbers, booleans, dates and enum values only: for `returns: "own"`
 * [flow.output.own], and for a writer [flow.output.writers], which returns the changed record and the texts that others
 * wrote there.
 */
export function mayQuoteOthers(tool: ResolvedTool): boolean {
  return tool.__textIsContent || (tool.__isWriter && !isReader(tool));
}

/** True if such a declaration covers a value: one that cannot instruct, or a field that is declared itself. */
export function isVouched(tool: ResolvedTool, path: string, value: unknown): boolean {
  if (typeof value !== "string" || isToken(value)) return true;
  if (capacityOf(value, schemaPosition(tool.__outputJsonSchema, path)) < Infinity) return true;
  return Object.keys(tool.output?.fields ?? {}).some((declared) => isWithin(path, normalPath(declared)));
}

/** An id, a date, a word: anything without blanks that is not an address; a date may have its time after a blank. */
function isToken(text: string): boolean {
  return text === "" || (/^(?:\S{1,64}|\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?)$/u.test(text) && !isFetchable(text));
}

/**
 * [flow.guess.output] Booleans, numbers and one-token ids of a first-party tool that declares no output spare the control
 * label: they are too small to instruct a model.
 */
function isReceipt(tool: ResolvedTool, outcome: Outcome): boolean {
  if (tool.__outputDeclared || !isOwnVoice(tool) || tool.toModelOutput !== undefined) return false;
  const { failure, contentParts, resultLabel, output } = outcome;
  if (failure !== undefined || contentParts !== undefined || resultLabel?.integrity === "untrusted") return false;
  const leaves = leavesOf(output);
  return leaves.length <= receiptLeaves && leaves.every(isReceiptLeaf);
}

/** Maximum number of values of a receipt; more values could encode an instruction. */
const receiptLeaves = 8;

function isReceiptLeaf({ path, value }: { readonly path: string; readonly value: unknown }): boolean {
  // Member names are data too, unless the schema names them.
  if (!/^(?:[A-Za-z_]{1,24})?$/u.test(path)) return false;
  if (typeof value === "string") return /(?:^|_|[a-z])id$/iu.test(path) && /^(?=.*\d)[\w-]{1,40}$/u.test(value);
  return typeof value === "boolean" || typeof value === "number" || value === null || value === undefined;
}

/** Bits of an output that the declared schema bounds as a whole; infinity where it does not. */
function boundedBits(tool: ResolvedTool, outcome: Outcome): number {
  if (outcome.failure !== undefined || outcome.contentParts !== undefined || tool.toModelOutput !== undefined)
    return Infinity;
  if (outcome.resultLabel?.integrity === "untrusted") return Infinity;
  // A server's own schema does not bound texts: its enums and member names are the server's own
  // words.
  if (!isOwnVoice(tool) && holdsText(outcome.output)) return Infinity;
  return capacityOf(outcome.output, tool.__outputJsonSchema);
}

function holdsText(output: unknown): boolean {
  if (Array.isArray(output)) return output.some(holdsText);
  return typeof output === "string" || (typeof output === "object" && output !== null);
}

/** A label that a tool returns with its result can only lower trust and remove readers. */
export function widen(level: Level, { resultLabel }: Pick<Outcome, "resultLabel">, sets: ReaderSets): Level {
  if (resultLabel === undefined) return level;
  const { integrity, readers } = resultLabel;
  return {
    integrity: integrity === undefined ? level.integrity : joinIntegrity(level.integrity, integrity),
    control: integrity === undefined ? level.control : joinIntegrity(level.control, integrity),
    readers: readers === undefined ? level.readers : sets.join(level.readers, sets.intern(readers)),
  };
}
