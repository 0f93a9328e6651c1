import { pause, type Stage } from "./stage.ts";

/** Interval between two looks at the runs, in milliseconds. */
const lookMs = 250;
/** Part of a lease for which nothing may be left to do before a play ends. */
const quietLeases = 0.35;
/** Leases after which a play ends in any case. */
const mostLeases = 500;

const ended: ReadonlySet<string> = new Set(["completed", "stopped", "cancelled", "failed", "stuck"]);

/** Ends the play when all work is accepted and every run has ended or waits, or after 500 leases. */
export function watchEnd(stage: Stage, fail: (error: unknown) => void): void {
  const { world } = stage;
  const isSettled = async (): Promise<boolean> => {
    if (!stage.isWorkDone || world.isBusy) return false;
    const runs = await stage.store.listRuns({ allTenants: true, limit: 10_000 });
    return runs.every(
      ({ id, state, parent }) =>
        parent !== undefined || ended.has(state) || (state === "suspended" && stage.isWaiting(id)),
    );
  };
  const watch = async (): Promise<void> => {
    let quietSince: number | undefined;
    for (;;) {
      await pause(lookMs);
      quietSince = (await isSettled()) ? (quietSince ?? world.time) : undefined;
      const leaseMs = Math.max(world.leaseMs, 1);
      const isQuiet = quietSince !== undefined && world.time - quietSince >= leaseMs * quietLeases;
      if (isQuiet || world.time > leaseMs * mostLeases) return world.end();
    }
  };
  world.start("watcher", { isReliable: true, run: () => void watch().catch(fail) });
}
