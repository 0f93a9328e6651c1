import type {
  FileAccess,
  NetworkAccess,
  SandboxConfig,
  SandboxMount,
  SandboxWord,
  ToolTrustClass,
} from "@bailiwick/core";

/** Hosts that may be reached, sorted: names, or `name:port`. */
export type NetworkRight = "none" | "all" | readonly string[];

/** Absolute paths that may be used, sorted. */
export type FileRight =
  | "none"
  | "all"
  | {
      readonly readOnly: readonly string[];
      readonly readWrite: readonly string[];
      /** Paths that are elsewhere inside, sorted by target. */
      readonly mounts: readonly Required<SandboxMount>[];
    };

/** The rights of code in a sandbox. Ordered: fewer rights are fewer in every field. */
export interface SandboxRights {
  /** Hosts that the code may reach. */
  readonly network: NetworkRight;
  /** True if the code may open ports on a loopback network; with `network: "all"` it is the host's. */
  readonly loopback: boolean;
  /** Folders that the code may read and write. */
  readonly files: FileRight;
  /** The whole environment: no variable of the host is inherited. */
  readonly env: Readonly<Record<string, string>>;
}

/** The rights that a configuration asks for. */
export function rightsOf(config: SandboxConfig): SandboxRights {
  return {
    ...networkRights("allowNetwork" in config ? config.allowNetwork : undefined),
    files: "allowFS" in config ? filesOf(config.allowFS) : "none",
    env: "env" in config ? { ...config.env } : {},
  };
}

function networkRights(
  asked: boolean | readonly string[] | NetworkAccess | undefined,
): Pick<SandboxRights, "network" | "loopback"> {
  if (asked === true) return { network: "all", loopback: true };
  if (asked === undefined || asked === false) return { network: "none", loopback: false };
  const { hosts = [], loopback = false } = isHosts(asked) ? { hosts: asked } : asked;
  return { network: hosts.length === 0 ? "none" : sorted(hosts), loopback };
}

function isHosts(asked: readonly string[] | NetworkAccess): asked is readonly string[] {
  return Array.isArray(asked);
}

function filesOf(asked: boolean | FileAccess | undefined): FileRight {
  if (asked === true) return "all";
  if (asked === undefined || asked === false) return "none";
  return someFiles(asked.readOnly ?? [], asked.readWrite ?? [], asked.mounts ?? []);
}

/** A writable path is also readable: it is listed once. */
function someFiles(
  readOnly: readonly string[],
  readWrite: readonly string[],
  mounts: readonly SandboxMount[],
): FileRight {
  if (readOnly.length === 0 && readWrite.length === 0 && mounts.length === 0) return "none";
  return {
    readOnly: sorted(readOnly.filter((path) => !readWrite.includes(path))),
    readWrite: sorted(readWrite),
    mounts: sortedMounts(mounts),
  };
}

/** Each source and target once, with the stricter mode. */
function sortedMounts(mounts: readonly SandboxMount[]): readonly Required<SandboxMount>[] {
  const known = new Map<string, Required<SandboxMount>>();
  for (const { source, target, readOnly = false } of mounts) {
    const key = JSON.stringify([target, source]);
    known.set(key, { source, target, readOnly: readOnly || known.get(key)?.readOnly === true });
  }
  return [...known].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, mount]) => mount);
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

/** Limits of a grant. */
type Ceiling = "nothing" | "named" | "everything";

/**
 * The upper bound of an author's grants, by trust class: third-party code cannot grant itself anything, and its
 * operator cannot grant it everything.
 */
function ceilingOf(trustClass: ToolTrustClass, saidBy: SandboxWord): Ceiling {
  const own = saidBy === "tool";
  switch (trustClass) {
    case "first-party-built-in":
    case "first-party-user-defined":
      return "everything";
    case "skill-trusted":
      return own ? "named" : "everything";
    case "skill-untrusted":
    case "mcp-derived":
    case "web-search":
      return own ? "nothing" : "named";
    default:
      return trustClass satisfies never;
  }
}

/** The granted rights, and the part of the request that was not granted. */
export interface MetRights {
  readonly rights: SandboxRights;
  /** Notes for the user, a sentence each. */
  readonly notes: readonly string[];
}

/** The requested rights, as far as the trust class allows this author to grant them. */
export function grantedRights(config: SandboxConfig, trustClass: ToolTrustClass, saidBy: SandboxWord): MetRights {
  const asked = rightsOf(config);
  const ceiling = ceilingOf(trustClass, saidBy);
  const rights = meetRights(asked, allowedBy(ceiling, asked));
  const author = saidBy === "tool" ? "the tool itself" : `the ${saidBy}`;
  const why = `${author} cannot grant to a tool of trust class "${trustClass}"`;
  const fix =
    saidBy === "tool" ? "The operator can grant it where the tool is registered." : "Name hosts and paths instead.";
  const notes = (["network", "loopback", "files", "env"] as const)
    .filter((right) => JSON.stringify(rights[right]) !== JSON.stringify(asked[right]))
    .map((right) => `its sandbox asks for ${right}, which ${why}. ${fix}`);
  return { rights, notes };
}

/** The maximum that a ceiling allows of a request. */
function allowedBy(ceiling: Ceiling, asked: SandboxRights): SandboxRights {
  if (ceiling === "nothing") return { network: "none", loopback: false, files: "none", env: {} };
  if (ceiling === "everything") return { network: "all", loopback: true, files: "all", env: asked.env };
  return {
    network: asked.network === "all" ? "none" : asked.network,
    loopback: asked.network !== "all" && asked.loopback,
    files: asked.files === "all" ? "none" : asked.files,
    env: asked.env,
  };
}

/** The rights that both allow. A variable is included if both give it the same value. */
export function meetRights(left: SandboxRights, right: SandboxRights): SandboxRights {
  return {
    network: meetNetwork(left.network, right.network),
    loopback: left.loopback && right.loopback,
    files: meetFiles(left.files, right.files),
    env: Object.fromEntries(
      Object.entries(left.env).filter(([name, value]) => Object.hasOwn(right.env, name) && right.env[name] === value),
    ),
  };
}

function meetNetwork(left: NetworkRight, right: NetworkRight): NetworkRight {
  if (left === "all") return right;
  if (right === "all") return left;
  if (left === "none" || right === "none") return "none";
  const both = left.filter((host) => right.includes(host));
  return both.length === 0 ? "none" : sorted(both);
}

function meetFiles(left: FileRight, right: FileRight): FileRight {
  if (left === "all") return right;
  if (right === "all") return left;
  if (left === "none" || right === "none") return "none";
  const mayRead = (files: typeof left, path: string): boolean =>
    files.readOnly.includes(path) || files.readWrite.includes(path);
  const both = [...left.readOnly, ...left.readWrite].filter((path) => mayRead(right, path));
  const write = left.readWrite.filter((path) => right.readWrite.includes(path));
  return someFiles(both, write, meetMounts(left.mounts, right.mounts));
}

/** Two mounts meet if they have the same source and the same target; the stricter mode counts. */
function meetMounts(left: readonly SandboxMount[], right: readonly SandboxMount[]): readonly SandboxMount[] {
  return left.flatMap((mount) => {
    const other = right.find(({ source, target }) => source === mount.source && target === mount.target);
    return other === undefined ? [] : [other.readOnly === true ? other : mount];
  });
}
