// The recipes "Serverless functions" of docs/guides/production.md and "Serverless functions and other queues" of
// docs/guides/workers.md: the platform's cron starts a process for each call.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";
import { lineCount, longAgent } from "./serverless-function.fixture.ts";

const program = fileURLToPath(new URL("serverless-function.fixture.ts", import.meta.url));
/** A call of the model and one of the tool for each line, the last call of the model, and the end. */
const steps = 2 * lineCount + 2;
/** Time after which the platform kills a function, in milliseconds. */
const limitMs = 120_000;

test("a function that the platform's cron starts hands its run over before the limit, and the next call continues it [worker.serverless]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "serverless-"));
  const [path, effects] = [join(folder, "runs.db"), join(folder, "effects.txt")];
  const store = sqliteStore({ path });
  // Rejects for a function that the platform had to kill.
  const callFunction = () =>
    promisify(execFile)(process.execPath, ["--conditions=@bailiwick/source", "--no-warnings", program, path, effects], {
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
  try {
    const { runId } = await longAgent(store, effects).enqueue("Write.");
    const lengths = [(await store.load(runId)).length];
    let calls = 0;
    for (; calls < steps && (await store.getRun(runId))?.state !== "completed"; calls += 1) {
      await callFunction();
      // No run is left in progress: it ended, or waits in the queue without a lease.
      expect((await store.getRun(runId))?.state).toMatch(/^(queued|completed)$/u);
      lengths.push((await store.load(runId)).length);
      expect(lengths.at(-1)).toBeGreaterThan(lengths.at(-2) ?? Number.NaN);
    }
    expect((await store.getRun(runId))?.state).toBe("completed");
    expect(calls).toBeGreaterThan(1);
    expect(readFileSync(effects, "utf8").trim().split("\n")).toEqual(["0", "1"]);
    // A call without work changes nothing.
    await callFunction();
    expect((await store.load(runId)).length).toBe(lengths.at(-1));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 600_000);
