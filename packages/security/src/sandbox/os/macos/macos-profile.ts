import type { Mount } from "../granted-paths.ts";

/** Rights that a profile allows. */
export interface MacosRights {
  /** Node, with links resolved. */
  readonly node: string;
  readonly mounts: readonly Mount[];
  /** Folder for its temporary files, not shared. */
  readonly temporary: string;
  readonly network: boolean;
}

/** Folders that every program of the system reads when it starts. */
const system = ["/usr/lib", "/System/Library", "/System/Volumes/Preboot/Cryptexes", "/private/var/db/dyld", "/dev"];

/**
 * A profile in the language of `sandbox-exec`: everything is refused except the listed rights.
 *
 * @param rights - The granted rights.
 */
export function macosProfile({ node, mounts, temporary, network }: MacosRights): string {
  const read = [...system, ...mounts.map(({ source }) => source), temporary];
  const write = [...mounts.filter(({ writable }) => writable).map(({ source }) => source), temporary];
  return [
    "(version 1)",
    "(deny default)",
    "(allow sysctl-read)",
    "(allow file-read-metadata)",
    `(allow process-exec (literal ${quoted(node)}))`,
    "(allow signal (target self))",
    `(allow file-read* (literal "/") (literal ${quoted(node)}) ${read.map((name) => `(subpath ${quoted(name)})`).join(" ")})`,
    `(allow file-write* ${write.map((name) => `(subpath ${quoted(name)})`).join(" ")} (literal "/dev/null"))`,
    ...(network ? ["(allow network-outbound (remote ip))", "(allow system-socket)"] : ["(deny network*)"]),
    "",
  ].join("\n");
}

/** A string of that language; no character of a path can end it. */
function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
