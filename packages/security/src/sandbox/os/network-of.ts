import { fs } from "../node.ts";
import type { BoxRights } from "../rights.ts";
import type { Mount } from "./granted-paths.ts";
import type { FilterRights } from "./seccomp/filter.ts";

/** What a program needs to find hosts by name, where it may reach them all. */
const resolverFiles = [
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/nsswitch.conf",
  "/etc/ssl/certs",
  "/etc/ca-certificates",
];

/** How a right to the network is kept inside. */
export interface BoxNetwork {
  readonly filter: FilterRights["network"];
  readonly mounts: readonly Mount[];
}

/**
 * How a box keeps its right to the network. Named hosts are reached through the host alone: a tool's `fetch` goes by the
 * channel of frames, so that its box needs no socket at all.
 */
export function networkOf({ network }: BoxRights): BoxNetwork {
  if (network !== "all") return { filter: "none", mounts: [] };
  const mounts = resolverFiles
    .filter((name) => fs.existsSync(name))
    .map((target) => ({ source: fs.realpathSync(target), target, writable: false }));
  return { filter: "all", mounts };
}
