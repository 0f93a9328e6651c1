import { fileURLToPath } from "node:url";
import { dirname } from "node:path";
import { createSandbox } from "@bailiwick/security/sandbox";
import type { IsolatedSandboxConfig } from "@bailiwick/core";
import { runnerClient, type RunnerClient } from "./runner-client.ts";

const inSources = import.meta.url.endsWith(".ts");
const runner = fileURLToPath(
  new URL(inSources ? "../workspace-runner.worker.ts" : "./workspace-runner.worker.js", import.meta.url),
);

/** Folder of the runner, which every sandbox of a workspace can read. */
export const runnerFolder: string = dirname(runner);

const sandbox = createSandbox();

/** Rights and limits of a sandbox with a runner. */
export type RunnerConfig = Omit<IsolatedSandboxConfig, "tier" | "allowFS"> & {
  readonly mounts: readonly { readonly source: string; readonly target: string; readonly readOnly: boolean }[];
};

/**
 * Starts a sandbox with a runner inside.
 *
 * @param config - Its mounts, rights and limits.
 * @throws SandboxUnavailableError if this machine has none.
 */
export async function spawnRunner({ mounts, ...config }: RunnerConfig): Promise<RunnerClient> {
  const child = await sandbox.spawn({
    command: "node",
    args: ["--disable-warning=ExperimentalWarning", runner],
    config: { tier: "os", ...config, allowFS: { readOnly: [runnerFolder], mounts } },
    trustClass: "first-party-built-in",
    saidBy: "operator",
  });
  return runnerClient(child);
}
