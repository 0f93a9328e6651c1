import { nameInWords } from "@bailiwick/core/extension";
import type { Question, QuestionOrigin, QuestionValue, ResolvedTool, UnusualFact } from "@bailiwick/core";

import { isAskedFor } from "./asked-for.ts";
import { argumentLeaves, type ArgumentLeaf } from "./argument-leaves.ts";
import type { CallView } from "./call-view.ts";
import type { decideCall, Ruling } from "./decide-call.ts";
import { remedy, standsFor } from "./explain-ask.ts";
import { plannedFor, type FindTool } from "./flow-state.ts";
import { wordsOfName } from "./guess-words.ts";
import { everyone } from "./lattice.ts";
import { inOneLine } from "./one-line.ts";
import { cut, textOf, valueShown } from "./question-text.ts";
import { nameOf } from "./leaves.ts";
import { isRecordKey } from "./lookup-keys.ts";
import { recordNamed } from "./named-record.ts";
import { repeatsArgument, saysItsOwn } from "./record-lookups.ts";
import { levelOf, replacedBy, type StandingValue } from "./question-level.ts";
import { reasonFor, whyFor } from "./question-reason.ts";
import { sensitiveIn } from "./sensitive-content.ts";
import { callBehind, callOfReference } from "./reference-text.ts";
import { isTrusted } from "./trusted.ts";
import { sameValue } from "./compare-values.ts";
import { holders, placeAt, placesIn, type Place } from "./value-places.ts";
import { standingsOf } from "./value-standing.ts";
import type { Standing } from "./value-standing.ts";

export { explainAsk } from "./explain-ask.ts";

/** Characters of the request that a question shows. */
const requestShown = 300;

/** Maximum number of sources in one origin. */
const sourcesNamed = 3;

/** Inputs of a question in addition to the call. */
interface Asking {
  readonly decide: typeof decideCall;
  /** The texts of the user in the runs around this one, the outermost first. */
  readonly outerTexts: readonly string[];
}

/** [questions.shape] Makes the question about a call: data that every user interface shows alike. The runner adds the title. */
export function questionAbout(
  ruled: CallView,
  ruling: Ruling,
  findTool: FindTool,
  { decide, outerTexts }: Asking,
): Omit<Question, "title"> {
  const call = withOuterWords(ruled, outerTexts);
  const standingOf = standingsOf(call, findTool);
  const leaves = shownLeaves(call);
  const shown = leaves
    .filter(({ role }) => role !== "free")
    .map((leaf): StandingValue => {
      const standing = standingOfShown(leaf, call, standingOf);
      return { leaf, value: valueOf(leaf, standing, call, findTool), standing };
    })
    .filter(({ value }) => value.decides || value.origin.from !== "user");
  const replaced = shown.flatMap((one) => {
    const found = replacedBy(one, call, findTool);
    return found === undefined ? [] : [{ ...found, path: one.value.path }];
  });
  const sensitive = sensitiveFact(leaves, call);
  const unusual = [...replaced, ...shown.flatMap(factsAbout), ...(sensitive === undefined ? [] : [sensitive])];
  const request = outerTexts.at(-1) ?? call.state.userWords.at(-1)?.texts.join("\n");
  // A call that no rule is against needs no planner: its tool asks.
  const isAsked = ruling.verdict === "allow" ? true : isAskedFor(ruled);
  const deciding = shown.filter(({ value }) => value.decides);
  const { mandates = [], dropped = [] } = plannedFor(ruled.state, ruled.tool.name) ?? {};
  const why = whyFor(ruled, ruling, findTool);
  return {
    reason: reasonFor(ruled, ruling, {
      isAsked,
      shown,
      replaced: replaced.map(({ text }) => text),
      sensitive: sensitive?.text,
    }),
    level: levelOf(isAsked, deciding, replaced.length > 0, call),
    ...(request !== undefined && { request: cut(request, requestShown) }),
    values: shown.map(({ value }) => value),
    unusual,
    ...(call.sinkReaders === everyone && { payload: call.value }),
    remember: ["values"],
    developer: {
      rules: [...new Set(ruling.findings.map(({ rule }) => rule))],
      toolCallId: call.id,
      ...(why !== "" && { why }),
      remedy: wholeListRemedy(ruled, findTool, decide) ?? remedy(ruled, ruling, findTool),
      ...(mandates.length > 0 && { mandates }),
      ...(dropped.length > 0 && { dropped }),
    },
  };
}

/** [questions.sensitive] The password, key or number of a card or document in the content of a call. */
function sensitiveFact(leaves: readonly ArgumentLeaf[], { reads }: CallView): UnusualFact | undefined {
  for (const { role, location, value } of leaves) {
    if (role !== "payload" || typeof value !== "string") continue;
    const found = sensitiveIn(value, reads);
    if (found !== undefined)
      return {
        kind: "sensitive_content",
        path: inOneLine(location),
        text: `Its ${nameInWords(location)} has ${found}.`,
      };
  }
  return undefined;
}

/** The leaves of the value that would run. */
function shownLeaves({ tool, roles, args, value, leaves }: CallView): readonly ArgumentLeaf[] {
  return value === args ? leaves : argumentLeaves(tool, roles, value);
}

/** A default of the schema is the developer's; a value that the schema changed keeps the worse of both origins. */
function standingOfShown(
  leaf: ArgumentLeaf,
  { args, value, leaves, setBySchema }: CallView,
  standingOf: (leaf: ArgumentLeaf) => Standing,
): Standing {
  if (value === args) return standingOf(leaf);
  if ([leaf.location, ...holders(leaf.location)].some((location) => setBySchema.has(location))) return { by: "schema" };
  const given = leaves.find(({ location, path }) => location === leaf.location && path === leaf.path);
  if (given !== undefined && sameValue(given.value, leaf.value)) return standingOf(given);
  const standing = standingOf(leaf);
  return given !== undefined && standingOf(given).by === standing.by ? standing : { by: "untrusted" };
}

/**
 * [questions.inside] The call of an inner run, with what the user wrote in the runs around it: a person judges the values
 * by the same words as without the inner run. The verdict does not depend on them.
 */
function withOuterWords(call: CallView, outerTexts: readonly string[]): CallView {
  if (outerTexts.length === 0) return call;
  const outer = outerTexts.map((text) => ({ id: "", texts: [text] }));
  return { ...call, state: { ...call.state, userWords: [...call.state.userWords, ...outer] } };
}

/** A key comes from an untrusted text, and only selected a record. */
function isUntrusted({ origin }: QuestionValue, standing: Standing): boolean {
  if (standing.by === "key") return false;
  return !origin.trusted || (standing.by === "untrusted" && (standing.mixed ?? standing.otherOwner) !== undefined);
}

function valueOf(
  { location, role, value }: ArgumentLeaf,
  standing: Standing,
  call: CallView,
  findTool: FindTool,
): QuestionValue {
  const decides = role === "authority" || role === "egress";
  const record = decides ? recordNamed(value, call) : undefined;
  return {
    path: inOneLine(location),
    name: inOneLine(location.replace(/^.*[.\]](?=[^.\]]+$)/u, "")),
    shown: standsFor(value, call) ?? cut(textOf(value), valueShown),
    ...(record !== undefined && { record }),
    decides,
    ...originOf(nameOf(location), value, standing, call, findTool),
  };
}

function originOf(
  name: string,
  value: unknown,
  standing: Standing,
  call: CallView,
  findTool: FindTool,
): Pick<QuestionValue, "origin" | "candidates"> {
  const text = textOf(value);
  if (standing.by === "schema") return { origin: { from: "schema", text: "set by the tool", trusted: true } };
  if (standing.by === "user") return { origin: { from: "user", text: "typed by you", trusted: true } };
  if (standing.by === "record") {
    const { lookup, leaf } = standing.record;
    const { call: read } = lookup.read;
    const selectedBy = standing.keys.map((key) => ({
      name: inOneLine(key.name),
      shown: cut(textOf(key.value), valueShown),
      text: foreignOrigin(key.name, key.value, call, findTool).origin.text,
    }));
    const origin: QuestionOrigin = {
      from: "tool",
      text: `from your records, read with ${inQuotes(read.toolName)}`,
      trusted: true,
      callId: read.id,
      ...placeAt(leaf, read.output, text).origin,
      ...(selectedBy.length > 0 && { selectedBy }),
    };
    return { origin };
  }
  return foreignOrigin(name, value, call, findTool);
}

/** The origin of a value that is not in a record of a lookup: a result that contains it, or the model. */
function foreignOrigin(
  name: string,
  value: unknown,
  call: CallView,
  findTool: FindTool,
): Pick<QuestionValue, "origin" | "candidates"> {
  const trusted = isTrusted(call.level.integrity);
  const behind = typeof value === "string" ? callOfReference(value) : undefined;
  const firstUse = call.reads.findIndex((read) => repeatsArgument(read.call, value));
  const found = call.reads.toReversed().flatMap((read, index) => {
    // A call that was rejected returned nothing.
    const places = read.call.ran || behind === read.call.id ? placesIn(read.call, value) : [];
    const place = likelyPlace(places, name);
    if (place === undefined) return [];
    const own = trusted || saysItsOwn(read, place.leaf, call.state, findTool);
    // The source of a value is a read before its first use; results of that call and later ones may
    // repeat it.
    const isLater = firstUse >= 0 && call.reads.length - 1 - index >= firstUse;
    const rank = own ? 0 : isLater ? 2 : 1;
    return [{ read: read.call, place, rank, trusted: own && isTrusted(read.level.integrity) }];
  });
  const [first] = found.toSorted((a, b) => a.rank - b.rank);
  if (first !== undefined) {
    const { read, place } = first;
    const origin: QuestionOrigin = {
      from: "tool",
      text: copiedFrom(read.toolName),
      trusted: first.trusted,
      callId: read.id,
      ...place.origin,
    };
    return { origin, ...(place.candidates !== undefined && { candidates: place.candidates }) };
  }
  const referred = callBehind(behind, call.state);
  if (referred !== undefined) {
    return { origin: { from: "tool", text: copiedFrom(referred.toolName), trusted, callId: referred.id } };
  }
  const read = call.reads.filter(({ level }) => !isTrusted(level.integrity)).map((one) => inQuotes(one.call.toolName));
  const after = read.length === 0 ? "" : ` after it had read ${[...new Set(read)].slice(0, sourcesNamed).join(", ")}`;
  return { origin: { from: "model", text: `written by the model${after}`, trusted } };
}

function copiedFrom(toolName: string): string {
  return `copied from the result of ${inQuotes(toolName)}`;
}

function inQuotes(toolName: string): string {
  return `"${inOneLine(nameInWords(toolName))}"`;
}

function factsAbout({ value, standing }: StandingValue): readonly UnusualFact[] {
  const { path, origin, candidates, decides, shown } = value;
  const name = nameInWords(value.name);
  const facts: UnusualFact[] = [];
  const { selectedBy } = origin;
  if (decides && standing.by === "record" && selectedBy !== undefined) {
    const keys = selectedBy.map((key) => `"${key.shown}", which is ${key.text}`).join(" and ");
    facts.push({
      kind: "selected_record",
      path,
      text: `"${name}" is ${origin.text}. The model looked it up with ${keys}. You did not type it.`,
    });
  }
  if (decides && standing.by === "untrusted" && standing.otherOwner !== undefined) {
    const { key, author, owner } = standing.otherOwner;
    facts.push({
      kind: "other_owner",
      path,
      text: `The record of "${cut(textOf(key.value), valueShown)}" belongs to ${cut(owner, valueShown)}, but ${cut(author, valueShown)} wrote the text that names it.`,
    });
  }
  if (decides && isUntrusted(value, standing)) {
    const by = origin.author === undefined ? "" : `, in a record of ${origin.author}`;
    // A value that differs from its source only slightly, such as by a space, is still the source's value.
    facts.push({
      kind: "untrusted_destination",
      path,
      text: `"${name}" was ${origin.text}${by}. You did not type it.`,
    });
  }
  if (candidates !== undefined)
    facts.push({
      kind: "several_candidates",
      path,
      text: `That text has ${candidates} such values. The model chose ${shown}.`,
    });
  return facts;
}

/** Numbers with this many digits are in many places by chance. */
const shortNumber = 2;

/**
 * The place that an argument's value most likely comes from: a field of the argument's name before any other [questions.origin].
 * A short number is not copied from an id of another name.
 */
function likelyPlace(places: readonly Place[], name: string): Place | undefined {
  const last = wordsOfName(name).at(-1);
  const isNamed = ({ leaf }: Place): boolean => wordsOfName(nameOf(leaf.location)).at(-1) === last;
  return places.find(isNamed) ?? places.find((place) => !isByChance(place));
}

function isByChance({ leaf: { location, value } }: Place): boolean {
  return typeof value === "number" && String(value).length <= shortNumber && isRecordKey(nameOf(location), value);
}

/**
 * [questions.remedy] The remedy if a grant would cover the call, were its list known to be whole; `undefined` for any
 * other call.
 */
function wholeListRemedy(call: CallView, findTool: FindTool, decide: typeof decideCall): string | undefined {
  const names = new Set([...call.state.calls.values()].map(({ toolName }) => toolName));
  for (const name of names) {
    const { grant } = decide(call, (each) => (each === name ? uncut(findTool(each)) : findTool(each)));
    if (grant === undefined) continue;
    return (
      `The ${grant.source}'s grant covers this call only if the list of "${inOneLine(name)}" is complete, because others can add records to it. ` +
      `Declare "output: { maxRows }" there, the number of rows at which the tool cuts a list, or return the number of all records as "total". Else approve this call.`
    );
  }
  return undefined;
}

/** A tool that never cuts its lists. */
function uncut(tool: ResolvedTool | undefined): ResolvedTool | undefined {
  if (tool?.output === undefined) return tool;
  return Object.create(tool, { output: { value: { ...tool.output, maxRows: Infinity } } }) as ResolvedTool;
}
