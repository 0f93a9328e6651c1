import { childLink } from "../channel/child-link.ts";
import { programFile } from "../channel/program-file.ts";
import type { SandboxJob, SandboxLimits } from "../driver.ts";
import { path, url } from "../node.ts";
import { dataLimit, heapArgument, limitArguments } from "../process/limit-arguments.ts";
import type { SandboxRights } from "../rights.ts";
import { userOf } from "./sandbox-user.ts";
import { endSandbox } from "./end-sandbox.ts";
import { grantedMounts } from "./granted-paths.ts";
import type { Mount } from "./granted-paths.ts";
import { machine } from "./machine.ts";
import { moduleMounts } from "./module-mounts.ts";
import { networkOf } from "./network-of.ts";
import { runtimeMounts } from "./runtime-mounts.ts";
import { seccompFilter } from "./seccomp/filter.ts";
import { startSandbox } from "./start-sandbox.ts";
import { watchLimits } from "./watch-limits.ts";

/** Settings that sandboxes of one kind share: one that was started in advance can serve any call of its kind. */
export interface SandboxKind {
  readonly module: URL;
  readonly rights: SandboxRights;
  readonly limits: Omit<SandboxLimits, "outputBytes">;
}

/** The kind of sandbox that a call needs. */
export function kindOf({ entry, rights, limits }: Pick<SandboxJob, "entry" | "rights" | "limits">): SandboxKind {
  const { outputBytes: _checkedHere, ...enforced } = limits;
  return { module: entry.module, rights, limits: enforced };
}

/** Names a kind. */
export function kindKey({ module, rights, limits }: SandboxKind): string {
  return JSON.stringify([path.dirname(url.fileURLToPath(module)), rights, limits]);
}

/** Threads of the tool and of Node. */
const mostThreads = 64;
const mostTemporaryMB = 64;
const mebibyte = 1024 * 1024;

/** A started sandbox that waits for its call. */
export type ToolSandbox = ReturnType<typeof childLink>;

/**
 * Starts a sandbox for one call of a tool.
 *
 * @param kind - Rights and limits.
 * @throws SandboxUnavailableError if a granted path does not exist, or cannot be mounted.
 */
export async function startToolSandbox(kind: SandboxKind): Promise<ToolSandbox> {
  const { rights } = kind;
  const { memoryMB, timeoutMs, fileMB, diskMB, temporaryMB = mostTemporaryMB, processes = mostThreads } = kind.limits;
  const found = await machine();
  const { file, folder } = programFile("sandboxed-tool");
  const network = networkOf(rights);
  const mounts: readonly Mount[] | "whole" =
    rights.files === "all"
      ? "whole"
      : [
          ...runtimeMounts(found),
          { source: folder, target: folder, writable: false },
          ...moduleMounts(url.fileURLToPath(kind.module)),
          ...network.mounts,
          ...grantedMounts(rights.files),
        ];
  const user = userOf(found.users, mounts);
  const limits = limitArguments({
    data: await dataLimit(memoryMB),
    processes,
    fileMB,
    cpuSeconds: Math.ceil(timeoutMs / 1000) * 2 + 5,
  });
  const sandbox = startSandbox({
    bubblewrap: found.bubblewrap,
    user,
    // A limit on memory can only be kept for one process.
    filter: seccompFilter(found.architecture, { network: network.filter, processes: false }),
    speaks: "frames",
    command: [
      found.prlimit,
      ...limits,
      process.execPath,
      heapArgument(memoryMB),
      "--disable-warning=ExperimentalWarning",
      file,
      network.filter === "all" ? "fetch-in-sandbox" : "fetch-by-host",
      ...("PWD" in rights.env ? [] : ["no-folder-variable"]),
    ],
    plan: {
      mounts,
      links: [],
      sharesNetwork: network.filter === "all",
      hasProc: found.hasProc,
      env: rights.env,
      folder: "/tmp",
      temporaryBytes: temporaryMB * mebibyte,
    },
  });
  void sandbox.inside.then((first) => {
    if (first !== undefined) watchLimits(sandbox, first, mounts, { temporaryMB, diskMB });
  });
  return childLink(sandbox.child, sandbox.frames, () => void endSandbox(sandbox));
}
