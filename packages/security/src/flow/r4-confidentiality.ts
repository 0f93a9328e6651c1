import { readersProblem } from "@bailiwick/core/extension";
import type { Grant, Readers, ResolvedTool } from "@bailiwick/core";

import type { CallView } from "./call-view.ts";
import type { Finding } from "./findings.ts";
import type { FindTool, ReadResult } from "./flow-state.ts";
import { grantNames, type Match } from "./grants.ts";
import { everyone, nobody } from "./lattice.ts";
import type { ReadersId, ReaderSets } from "./lattice.ts";
import { type ArgumentLeaf } from "./argument-leaves.ts";
import { fixedPaths } from "./one-sided-freedom.ts";
import { isWithin, normalPath, segment } from "./paths.ts";
import { authorityLeaves } from "./r3-authority.ts";
import type { ToolRoles } from "./tool-roles.ts";
import { isTrusted } from "./trusted.ts";

/**
 * The readers of the model's input, and so of all arguments, must include everyone who will see the sent data
 * [flow.r4].
 */
export function confidentialityRule(call: CallView): readonly Finding[] {
  const { readers } = call.level;
  // [flow.r4.secret-denied] Data without readers is never sent; no grant lifts that.
  if (readers === nobody) return acceptsSecrets(call) ? [] : [{ rule: "R4", verdict: "deny" }];
  if (call.state.graph.sets.covers(readers, call.sinkReaders) || onlyDecides(call)) return [];
  return [{ rule: "R4", verdict: "ask" }];
}

/**
 * [flow.r4.decides] True if each argument of the tool decides, so that a call carries no content, the tool declares no
 * readers, and no text of others can have chosen the call: the other side needs these arguments to act.
 */
function onlyDecides({ tool, roles, leaves, level }: CallView): boolean {
  if (tool.flow?.readers !== undefined || !roles.declaresAuthority || !isTrusted(level.control)) return false;
  const authority = (tool.flow?.authority ?? []).map(normalPath);
  const names = Object.keys(tool.__inputJsonSchema["properties"] ?? {});
  if (!names.every((name) => authority.some((path) => isWithin(segment("", name), path)))) return false;
  return leaves.every(({ role, declared }) => role === "authority" && declared);
}

/**
 * Only a tool with sensitivity `secret` accepts its source's secrets, and only by reference.
 */
function acceptsSecrets(call: CallView): boolean {
  if (call.tool.sensitivity !== "secret" || call.context.readers === nobody) return false;
  return call.references.every((origin) => origin === call.roles.source);
}

/**
 * The readers of a call's data: as declared, else everyone for a writer that reaches others, else its source
 * [flow.r4.sink-readers].
 */
export function sinkReadersOf(tool: ResolvedTool, roles: ToolRoles, input: unknown, sets: ReaderSets): ReadersId {
  const readers = tool.flow?.readers;
  if (readers !== undefined) {
    try {
      const named: unknown = readers(input);
      // Names without a kind fit no declaration: the call asks as if everyone could see it.
      return readersProblem(named) === undefined ? sets.intern(named as Readers) : everyone;
    } catch {
      return everyone;
    }
  }
  return roles.outward || tool.__sideEffectClass === "external-stateful" ? everyone : sets.intern([roles.source]);
}

/** The results in the context that the sink's readers may not see. */
export function privateReads(call: CallView): readonly ReadResult[] {
  const { sets } = call.state.graph;
  return call.reads.filter(({ level }) => !sets.covers(level.readers, call.sinkReaders));
}

/**
 * [flow.r4.grant-from] A grant lifts it when it fixes every authority argument, and names each private call or fixes
 * every value of the call by its words [flow.r4.grant-words].
 */
export function grantLiftsConfidentiality(
  call: CallView,
  grant: Grant,
  { covered }: Extract<Match, { matches: true }>,
  findTool: FindTool,
): boolean {
  const { sets } = call.state.graph;
  const fixed = fixedPaths(covered);
  if (!decidingLeaves(call).every(({ path }) => isFixed(path, fixed))) return false;
  // Private data that no call returned, such as an outer run's data, cannot be named. A reference whose call was not
  // read before cannot be named either.
  if (!sets.covers(call.state.ownReaders, call.sinkReaders) || call.level.readers !== call.context.readers)
    return false;
  // [grants.reach] A value to which the words lead carries no more than the words.
  const isWords = covered.every(({ isEq, isReached }) => isEq === true || isReached === true);
  if (isWords && !mayHaveStored(call, findTool)) return true;
  // [grants.extraction.readers] A choice from a text carries no more than the text, if the model read only the text and
  // answers of the same writer.
  const lists = covered.flatMap(({ by, source }) => (by === "undeclared" && source?.each === true ? [source] : []));
  const own = [{ tool: call.roles.writer ? call.tool.name : "" }];
  return privateReads(call).every(
    (read) => grantNames(grant, read.call) && lists.every((list) => grantNames({ from: [list, ...own] }, read.call)),
  );
}

/**
 * True if other calls may have stored data that was read: this call could send it by name, like a file or a branch
 * [flow.r4.grant-words.stored].
 */
function mayHaveStored({ id, state }: CallView, findTool: FindTool): boolean {
  return [...state.callsById.values()].some((other) => {
    const tool = findTool(other.toolName);
    // A call that did not run, and will not, stored nothing. A call that the request fixed word for word stored nothing
    // new.
    return (
      other.id !== id &&
      (other.ran || other.label === undefined) &&
      (tool === undefined || state.roles(tool).writer) &&
      Object.values(state.grants[other.grant ?? -1]?.grant.args ?? { "": {} }).some((argument) => !("eq" in argument))
    );
  });
}

/** The arguments that a grant covers. A read at a server sends all of them there [flow.r5.mcp-and-search]. */
export function decidingLeaves(call: Pick<CallView, "leaves" | "roles">): readonly ArgumentLeaf[] {
  return call.roles.remoteRead ? call.leaves : authorityLeaves(call);
}

function isFixed(path: string, fixed: readonly string[]): boolean {
  return fixed.some((one) => isWithin(path, one));
}
