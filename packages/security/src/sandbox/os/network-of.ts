import { programFile } from "../channel/program-file.ts";
import { fs, os } from "../node.ts";
import type { EgressProxy } from "../proxy/egress-proxy.ts";
import type { SandboxRights, NetworkRight } from "../rights.ts";
import type { Mount } from "./granted-paths.ts";
import type { FilterRights } from "./seccomp/filter.ts";

/** Files that a program with full network access needs to resolve host names. */
const resolverFiles = [
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/nsswitch.conf",
  "/etc/ssl/certs",
  "/etc/ca-certificates",
];

/** How a right to the network is enforced. */
export interface SandboxNetwork {
  readonly filter: FilterRights["network"];
  readonly mounts: readonly Mount[];
  /** Arguments before the program, if its requests are routed to the proxy. */
  readonly before: readonly string[];
}

/**
 * Chooses the enforcement of a sandbox's right to the network. Granted hosts are only reached through this process: a
 * tool's `fetch` uses the channel of frames, so its sandbox needs no socket; a program has its own network, in which it
 * can only connect to the proxy's socket.
 *
 * @param rights - Rights of the sandbox.
 * @param proxy - For a program with granted hosts.
 */
export function networkOf({ network, loopback }: SandboxRights, proxy?: Pick<EgressProxy, "socket">): SandboxNetwork {
  if (proxy !== undefined) {
    const { file } = programFile("sandboxed-program");
    return {
      filter: "proxied",
      mounts: [readOnly(proxy.socket)],
      before: [process.execPath, "--disable-warning=ExperimentalWarning", file, proxy.socket],
    };
  }
  // Its own network namespace has a loopback device, which leads nowhere else.
  if (network !== "all") return { filter: loopback ? "proxied" : "none", mounts: [], before: [] };
  return { filter: "all", mounts: resolverFiles.filter((name) => fs.existsSync(name)).map(readOnly), before: [] };
}

/** Files that route a program's requests to the proxy, if it needs one. */
export function programMounts(network: NetworkRight): readonly Mount[] {
  return network === "none" || network === "all" ? [] : [readOnly(programFile("sandboxed-program").folder)];
}

/** Folders that the sandbox's user must be able to enter to reach the proxy's socket. */
export function proxyMounts(network: NetworkRight): readonly Mount[] {
  return network === "none" || network === "all" ? [] : [readOnly(os.tmpdir())];
}

function readOnly(target: string): Mount {
  return { source: fs.realpathSync(target), target, writable: false };
}
