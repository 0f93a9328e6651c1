import type { SandboxConfig, SandboxMount, TierlessSandboxConfig } from "../../contracts/sandbox-config.ts";
import type { SandboxPolicy } from "../../contracts/vocabularies.ts";
import { isHosts, STRENGTH } from "../../registry/sandbox-of.ts";
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
  readonly loopback: boolean;
  readonly readOnly: Granted;
  readonly readWrite: Granted;
  readonly mounts: true | readonly SandboxMount[];
}

const everything: Rights = { network: true, loopback: true, readOnly: true, readWrite: true, mounts: true };
const nothing: Rights = { network: [], loopback: false, readOnly: [], readWrite: [], mounts: [] };

/** The tier that a configuration demands for the user's own code. */
function tierOf({ tier, enabled }: Words): SandboxPolicy {
  return enabled === false ? "none" : (tier ?? "os");
}

function rightsOf(words: Words): Rights {
  const tier = tierOf(words);
  if (tier === "none" || tier === "process") return everything;
  const { network, loopback } = networkOf(words.allowNetwork);
  const { readOnly, readWrite, mounts } = filesOf(words.allowFS);
  return { network, loopback, readOnly, readWrite, mounts };
}

function networkOf(asked: Words["allowNetwork"] = false): Pick<Rights, "network" | "loopback"> {
  if (typeof asked === "boolean") return asked ? everything : nothing;
  if (isHosts(asked)) return { network: asked, loopback: false };
  return { network: asked.hosts ?? [], loopback: asked.loopback ?? false };
}

function filesOf(asked: Words["allowFS"] = false): Pick<Rights, "readOnly" | "readWrite" | "mounts"> {
  if (typeof asked === "boolean") return asked ? everything : nothing;
  return { readOnly: asked.readOnly ?? [], readWrite: asked.readWrite ?? [], mounts: asked.mounts ?? [] };
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
    loopback: strict.loopback && asked.loopback,
    mounts: meetMounts(strict.mounts, asked.mounts),
    network: granted(asked.network, (host) => network === true || network.includes(host), network),
    readOnly: granted(asked.readOnly, (path) => isWithin(path, readable), readable),
    readWrite: granted(asked.readWrite, (path) => isWithin(path, readWrite), readWrite),
  };
}

/** Two mounts meet if they have the same source and the same target; the stricter mode counts. */
function meetMounts(strict: Rights["mounts"], asked: Rights["mounts"]): Rights["mounts"] {
  if (strict === true) return asked;
  if (asked === true) return strict;
  return asked.flatMap((mount) => {
    const other = strict.find(({ source, target }) => source === mount.source && target === mount.target);
    return other === undefined ? [] : [other.readOnly === true ? other : mount];
  });
}

function isFewer(one: true | readonly unknown[], other: true | readonly unknown[]): boolean {
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
    if (isFewer(rights.network, given.network) || (given.loopback && !rights.loopback))
      weaker("sandbox.allowNetwork", strict.allowNetwork ?? false, asked.allowNetwork ?? true);
    const files = ["readOnly", "readWrite", "mounts"] as const;
    if (files.some((name) => isFewer(rights[name], given[name])))
      weaker("sandbox.allowFS", strict.allowFS ?? false, asked.allowFS);
  }
  return worded(place, rights, { ...lowerLimits(strict, asked, weaker), env: asked.env });
}

const limitNames = ["timeout", "maxMemoryMB", "maxProcesses", "maxFileMB", "maxTemporaryMB", "maxDiskMB"] as const;
type Limits = Partial<Pick<Words, (typeof limitNames)[number]>>;

/** The lower of the two in each limit. */
function lowerLimits(strict: Words, asked: Words, weaker: Weaker): Limits {
  return Object.fromEntries(
    limitNames.map((name) => [name, lower(`sandbox.${name}`)(strict[name], asked[name], weaker)]),
  );
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
  const { network, loopback, readOnly, readWrite, mounts } = rightsOf(run);
  const { tier = "os" } = run;
  if (tier === "none" || tier === "process") return run;
  const asksNetwork = loopback || network === true || network.length > 0;
  const asksFiles = [readOnly, readWrite, mounts].some((paths) => paths === true || paths.length > 0);
  if (asksNetwork) weaker("sandbox.allowNetwork", false, (run as Words).allowNetwork);
  if (asksFiles) weaker("sandbox.allowFS", false, (run as Words).allowFS);
  return asksNetwork || asksFiles ? withoutRights(run) : run;
}

function withoutRights(words: Words): Sandbox {
  return worded(words, nothing, { ...words, env: undefined });
}

/** A configuration that its tier can enforce. */
function worded(place: Words, rights: Rights, more: Limits & Pick<Words, "env">): Sandbox {
  const { timeout, maxMemoryMB, maxProcesses, maxFileMB, maxTemporaryMB, maxDiskMB, env } = more;
  const common = given({ timeout, maxMemoryMB });
  const tier = tierOf(place);
  if (tier === "none" || tier === "wasm") return { tier, ...common };
  const variables = env !== undefined && Object.keys(env).length > 0 ? { env } : undefined;
  if (tier === "process") return { tier, allowNetwork: true, allowFS: true, ...common, ...variables };
  const limits = { ...common, ...given({ maxProcesses, maxFileMB, maxTemporaryMB, maxDiskMB }) };
  const words = { ...limits, ...variables, ...grantsOf(rights) };
  if (place.tier === undefined) return words;
  const isBare = !("env" in words) && Object.keys(grantsOf(rights)).length === 0;
  return { tier, ...words, ...(isBare && place.fallback !== undefined && { fallback: place.fallback }) };
}

/** Rights in words; empty without any. */
function grantsOf({
  network,
  loopback,
  readOnly,
  readWrite,
  mounts,
}: Rights): Pick<TierlessSandboxConfig, "allowNetwork" | "allowFS" | "acknowledgeUnrestricted"> {
  const isOpen = readOnly === true || readWrite === true || mounts === true;
  const hasFiles = isOpen || [readOnly, readWrite, mounts].some((paths) => paths.length > 0);
  const hasLoopback = loopback && network !== true;
  return {
    ...((network === true || network.length > 0) && { allowNetwork: network }),
    ...(hasLoopback && { allowNetwork: { hosts: network, loopback } }),
    ...(hasFiles && {
      allowFS: isOpen || { readOnly, readWrite, ...(mounts.length > 0 && { mounts }) },
    }),
    ...((network === true || isOpen) && { acknowledgeUnrestricted: true }),
  };
}
