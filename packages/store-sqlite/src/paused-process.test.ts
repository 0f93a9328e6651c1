import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentRuntime, RunOutput } from "@bailiwick/core";
import { expect, test } from "vitest";
import { payingAgent } from "./paused-process.fixture.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const program = fileURLToPath(new URL("paused-process.fixture.ts", import.meta.url));

/** Starts a process that drives a run and pauses between the record of its intent and the start of its tool. */
function pausedProcess(path: string, log: string, runId: string): { wakeUntilEnded(): Promise<string> } {
  const flags = ["--conditions=@bailiwick/source", "--no-warnings", program, path, log, runId];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  let ended = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.on("exit", () => (ended = true));
  return {
    async wakeUntilEnded() {
      await expect
        .poll(() => {
          child.kill("SIGCONT");
          return ended;
        })
        .toBe(true);
      return said.trim();
    },
  };
}

/** Takes the run over when the lease of the other process has expired. */
async function takenOver(agent: AgentRuntime, runId: string): Promise<RunOutput> {
  const taken: RunOutput[] = [];
  // Until then, resume() throws.
  await expect.poll(async () => taken.push(await agent.resume(runId))).toBe(1);
  return taken[0] as RunOutput;
}

const payers = (log: string): readonly string[] =>
  existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];

test.each(["it did not happen", "it happened"])(
  "a process that paused before its effect makes none after another process took its run over and a person answered: %s [effects.lease-proven]",
  async (answer) => {
    using temporary = temporaryFolder();
    const log = join(dirname(temporary.file), "paid.log");
    await using store = sqliteStore({ path: temporary.file });
    const agent = payingAgent(store, log);
    const { runId } = await agent.enqueue("Pay.");
    const paused = pausedProcess(temporary.file, log, runId);
    await expect.poll(async () => (await store.load(runId)).map(({ type }) => type)).toContain("tool.intent");
    const open = await takenOver(agent, runId);
    expect(open.interruptions).toMatchObject([{ kind: "unknown_outcome", toolName: "pay" }]);
    const decisions = open.interruptions.map((one) =>
      answer === "it happened" ? one.itHappened("paid by hand") : one.itDidNotHappen(),
    );
    expect((await agent.resume(runId, decisions)).status).toBe("completed");
    const before = await store.load(runId);
    expect(await paused.wakeUntilEnded()).toMatch(/FencedError|RunHandedOverError/u);
    expect(payers(log)).toEqual(answer === "it happened" ? [] : [String(process.pid)]);
    expect(await store.load(runId)).toEqual(before);
  },
);
