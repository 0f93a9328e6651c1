import type { WorkspaceHost, WorkspacePlace, WorkspaceSandbox } from "./host.ts";
import type { RunnerClient } from "./runner-client.ts";
import { root } from "./root.ts";
import { runnerSandbox } from "./runner-sandbox.ts";
import { spawnRunner } from "./spawn-runner.ts";

/**
 * Sandboxes of this machine, by bubblewrap: one that lives as long as the work on a copy.
 *
 * @returns A host for `workspace()`.
 * @example
 * ```ts
 * import { localHost, workspace } from "@bailiwick/workspace";
 *
 * export const open = () => workspace("./project", { host: localHost() });
 * ```
 */
export function localHost(): WorkspaceHost {
  return {
    id: "bubblewrap",
    enforces: { files: true, network: true, processes: true, snapshots: true },
    open: async (place) => openLocal(place),
  };
}

function openLocal(place: WorkspacePlace): WorkspaceSandbox {
  let living: Promise<RunnerClient> | undefined;
  let idle: NodeJS.Timeout | undefined;
  const { limits } = place;
  const end = async (): Promise<void> => {
    const ending = living;
    living = undefined;
    await (await ending?.catch(() => undefined))?.close();
  };
  const connect = async (): Promise<RunnerClient> => {
    clearTimeout(idle);
    idle = setTimeout(() => void end(), limits.idleMs);
    idle.unref();
    if ((await living?.catch(() => undefined))?.isOver !== false) living = start(place);
    return living as Promise<RunnerClient>;
  };
  return {
    ...runnerSandbox(connect, root),
    async close() {
      clearTimeout(idle);
      await end();
    },
  };
}

function start({ folder, mounts, env, hosts, limits }: WorkspacePlace): Promise<RunnerClient> {
  return spawnRunner({
    mounts: [{ source: folder, target: root, readOnly: false }, ...mounts],
    allowNetwork: { hosts, loopback: true },
    env: { ...env, LANG: "C.UTF-8", TERM: "dumb" },
    maxMemoryMB: limits.memoryMB,
    maxProcesses: limits.processes,
    maxFileMB: limits.fileMB,
    maxDiskMB: limits.diskMB,
  });
}
