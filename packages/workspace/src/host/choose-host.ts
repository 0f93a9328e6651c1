import type { WorkspaceHost } from "./host.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { localHost } from "./local-host.ts";
import { simulatedHost } from "./simulated-host.ts";
import { spawnRunner } from "./spawn-runner.ts";

/**
 * The first host that this machine has: bubblewrap, else the simulated shell.
 *
 * @throws WorkspaceError `WORKSPACE_UNAVAILABLE` with the fix.
 */
export async function chooseHost(): Promise<WorkspaceHost> {
  let reason: string;
  try {
    await (await spawnRunner({ mounts: [] })).close();
    return localHost();
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  try {
    return simulatedHost(await import("just-bash"));
  } catch {
    throw new WorkspaceError(
      "WORKSPACE_UNAVAILABLE",
      `This machine has no place for a workspace: ${reason} On Linux, install bubblewrap; elsewhere, run \`npm install just-bash\` for a simulated shell.`,
    );
  }
}
