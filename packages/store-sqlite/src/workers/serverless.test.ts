import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";
import { longAgent, steps } from "./serverless-function.fixture.ts";

const program = fileURLToPath(new URL("serverless-function.fixture.ts", import.meta.url));
/** Limit at which the platform kills a function, in milliseconds. */
const limitMs = 120_000;

test("a function that the platform's cron starts hands its run over before the limit, and the next call continues it [worker.serverless]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "serverless-"));
  const [path, effects] = [join(folder, "runs.db"), join(folder, "effects.txt")];
  writeFileSync(effects, "");
  const store = sqliteStore({ path });
  try {
    const { runId } = await longAgent(store, effects).enqueue("Write.");
    const stateOf = async () => (await store.getRun(runId))?.state;
    let calls = 0;
    for (; calls < 3 * steps && (await stateOf()) !== "completed"; calls += 1) {
      // Rejects for a function that the platform had to kill.
      await promisify(execFile)(
        process.execPath,
        ["--conditions=@bailiwick/source", "--no-warnings", program, path, effects],
        {
          timeout: limitMs,
          killSignal: "SIGKILL",
        },
      );
      // Nothing is left under way: the run ended, or waits in the queue without a lease.
      expect(await stateOf()).toMatch(/^(queued|completed)$/u);
    }
    expect(await stateOf()).toBe("completed");
    expect(calls).toBeGreaterThan(1);
    const lines = readFileSync(effects, "utf8").trim().split("\n");
    expect(lines).toEqual(Array.from({ length: steps }, (_, line) => String(line)));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 600_000);
