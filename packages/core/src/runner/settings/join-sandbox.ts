import type { FileAccess, SandboxConfig, TierlessSandboxConfig } from "../../contracts/sandbox-config.ts";
import type { SandboxPolicy } from "../../contracts/vocabularies.ts";
import { STRENGTH } from "../../registry/sandbox-of.ts";
import { given, lower } from "./merge-rules.ts";
import type { InsideContext, Weaker } from "./option-row.ts";

type Sandbox = SandboxConfig | TierlessSandboxConfig;

/** The fields of any configuration. */
interface Words extends Omit<TierlessSandboxConfig, "tier"> {
  readonly tier?: SandboxPolicy | undefined;
  readonly fallback?: "wasm" | undefined;
}

/** Hosts or paths; `true` is all of them. */
type Granted = true | readonly string[];

interface Rights {
  readonly network: Granted;
  readonly readOnly: Granted;
  readonly readWrite: Granted;
}

/** The tier that a configuration demands for the user's own code. */
function tierOf({ tier, enabled }: Words): SandboxPolicy {
  return enabled === false ? "none" : (tier ?? "os");
}

function rightsOf(words: Words): Rights {
  const tier = tierOf(words);
  if (tier === "none" || tier === "process") return { network: true, readOnly: true, readWrite: true };
  const { allowNetwork: network, allowFS: files } = words;
  const paths = (name: keyof FileAccess): Granted => {
    if (typeof files === "boolean" || files === undefined) return files === true || [];
    return files[name] ?? [];
  };
  return {
    network: typeof network === "boolean" || network === undefined ? network === true || [] : network,
    readOnly: paths("readOnly"),
    readWrite: paths("readWrite"),
  };
}

/** The requested rights that were granted. */
function granted(asked: Granted, isGranted: (one: string) => boolean, grants: Granted): Granted {
  if (grants === true) return asked;
  return asked === true ? grants : asked.filter(isGranted);
}

/** True if a path is one of these or below it; parent segments could lead out. */
function isWithin(path: string, roots: Granted): boolean {
  if (roots === true) return true;
  if (roots.includes(path)) return true;
  if (path.split(/[/\\]/u).includes("..")) return false;
  return roots.some((root) => path.startsWith(root.endsWith("/") ? root : `${root}/`));
}

function meet(strict: Rights, asked: Rights): Rights {
  const { readWrite } = strict;
  const readable: Granted = strict.readOnly === true || readWrite === true ? true : [...strict.readOnly, ...readWrite];
  const { network } = strict;
  return {
    network: granted(asked.network, (host) => network === true || network.includes(host), network),
    readOnly: granted(asked.readOnly, (path) => isWithin(path, readable), readable),
    readWrite: granted(asked.readWrite, (path) => isWithin(path, readWrite), readWrite),
  };
}

function isFewer(one: Granted, other: Granted): boolean {
  if (one === true) return false;
  return other === true || one.length < other.length;
}

/**
 * The stricter of two configurations: the stronger tier, the lower limits, and the rights that both grant.
 * Environment variables are not authority: the requested ones are kept.
 *
 * @param weaker - Called for each request that is weaker than the demand.
 */
export function stricterSandbox(demanded: Sandbox, wanted: Sandbox, weaker: Weaker): Sandbox {
  const [strict, asked]: readonly Words[] = [demanded, wanted] as const;
  const isWeaker = STRENGTH[tierOf(asked)] < STRENGTH[tierOf(strict)];
  if (isWeaker) weaker("sandbox.tier", tierOf(strict), tierOf(asked));
  const place = isWeaker ? strict : asked;
  const [most, given] = [rightsOf(strict), rightsOf(asked)];
  const rights = meet(most, given);
  if (!isWeaker) {
    if (isFewer(rights.network, given.network)) weaker("sandbox.allowNetwork", most.network, given.network);
    if (isFewer(rights.readOnly, given.readOnly) || isFewer(rights.readWrite, given.readWrite))
      weaker("sandbox.allowFS", strict.allowFS ?? false, asked.allowFS);
  }
  return worded(place, rights, {
    timeout: lower("sandbox.timeout")(strict.timeout, asked.timeout, weaker),
    maxMemoryMB: lower("sandbox.maxMemoryMB")(strict.maxMemoryMB, asked.maxMemoryMB, weaker),
    env: asked.env,
  });
}

/**
 * The sandbox of an inner agent: the stricter of both. The outer agent's rights are for its own tools: an agent without
 * a default gets the tier and the limits, but no rights.
 */
export function joinSandboxInside(
  inner: Sandbox | undefined,
  outer: Sandbox | undefined,
  { weaker }: Pick<InsideContext, "weaker">,
): Sandbox | undefined {
  if (outer === undefined) return inner;
  return inner === undefined ? withoutRights(outer) : stricterSandbox(outer, inner, weaker);
}

/**
 * The sandbox of a run: the stricter of the run's and its agent's; an agent without one grants nothing to foreign code.
 */
export function joinSandbox(agent: Sandbox | undefined, run: Sandbox | undefined, weaker: Weaker): Sandbox | undefined {
  if (run === undefined) return agent;
  if (agent !== undefined) return stricterSandbox(agent, { env: (agent as Words).env, ...run } as Sandbox, weaker);
  const { network, readOnly, readWrite } = rightsOf(run);
  const { tier = "os" } = run;
  if (tier === "none" || tier === "process") return run;
  const asksNetwork = network === true || network.length > 0;
  const asksFiles = [readOnly, readWrite].some((paths) => paths === true || paths.length > 0);
  if (asksNetwork) weaker("sandbox.allowNetwork", false, network);
  if (asksFiles) weaker("sandbox.allowFS", false, (run as Words).allowFS);
  return asksNetwork || asksFiles ? withoutRights(run) : run;
}

function withoutRights(words: Words): Sandbox {
  return worded(words, { network: [], readOnly: [], readWrite: [] }, { ...words, env: undefined });
}

/** A configuration that its tier can enforce. */
function worded(place: Words, rights: Rights, more: Pick<Words, "timeout" | "maxMemoryMB" | "env">): Sandbox {
  const { timeout, maxMemoryMB, env } = more;
  const limits = given({ timeout, maxMemoryMB });
  const tier = tierOf(place);
  if (tier === "none" || tier === "wasm") return { tier, ...limits };
  const variables = env !== undefined && Object.keys(env).length > 0 ? { env } : undefined;
  if (tier === "process") return { tier, allowNetwork: true, allowFS: true, ...limits, ...variables };
  const words = { ...limits, ...variables, ...grantsOf(rights) };
  if (place.tier === undefined) return words;
  const isBare = !("env" in words) && Object.keys(grantsOf(rights)).length === 0;
  return { tier, ...words, ...(isBare && place.fallback !== undefined && { fallback: place.fallback }) };
}

/** Rights in words; empty without any. */
function grantsOf({
  network,
  readOnly,
  readWrite,
}: Rights): Pick<TierlessSandboxConfig, "allowNetwork" | "allowFS" | "acknowledgeUnrestricted"> {
  const isOpen = readOnly === true || readWrite === true;
  const hasFiles = isOpen || readOnly.length > 0 || readWrite.length > 0;
  return {
    ...((network === true || network.length > 0) && { allowNetwork: network }),
    ...(hasFiles && { allowFS: isOpen || { readOnly, readWrite } }),
    ...((network === true || isOpen) && { acknowledgeUnrestricted: true }),
  };
}
