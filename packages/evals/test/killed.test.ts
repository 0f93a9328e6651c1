import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { expect, test } from "vitest";
import type { EvaluationResult } from "../src/index.ts";

const program = fileURLToPath(new URL("./killed-evaluation.fixture.ts", import.meta.url));
/** In CI a small evaluation that is killed a few times; whole at night. */
const whole = process.env["BAILIWICK_WHOLE"] !== undefined;
const size = whole
  ? { cases: 50, repeat: 3, kills: [7, 60, 61, 190, 333, 480] }
  : { cases: 5, repeat: 2, kills: [3, 18] };
const runs = size.cases * 2 * size.repeat;

test(
  "an evaluation whose process is killed continues: each run exists once, and no ended run calls its model again [evals.killed]",
  { timeout: 600_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "bailiwick-evals-"));
    const [path, log] = [join(folder, "evals.db"), join(folder, "log")];
    const lines = (): readonly string[] =>
      existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
    /** Starts the evaluation, and kills it when the log has a number of lines. */
    const start = (killAt: number): Promise<string> =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [
          "--conditions=@bailiwick/source",
          program,
          path,
          log,
          String(size.cases),
          String(size.repeat),
        ]);
        let output = "";
        let errors = "";
        const watch = setInterval(() => {
          if (lines().length >= killAt) child.kill("SIGKILL");
        }, 2);
        child.stdout.on("data", (data: Buffer) => (output += data.toString()));
        child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
        child.on("error", reject);
        child.on("close", (code, signal) => {
          clearInterval(watch);
          if (code === 0 || signal === "SIGKILL") resolve(output);
          else reject(new Error(errors));
        });
      });
    const journals = async (): Promise<
      ReadonlyMap<string, { readonly ended: boolean; readonly records: number; readonly models: number }>
    > => {
      await using store = sqliteStore({ path });
      const all = await store.listRuns({ allTenants: true, limit: 10_000 });
      const read = all.map(async ({ id, state }) => {
        const events = await store.load(id);
        return [
          id,
          {
            ended: state === "completed",
            records: events.length,
            models: events.filter(({ type }) => type === "model.intent").length,
          },
        ] as const;
      });
      return new Map(await Promise.all(read));
    };
    try {
      let before: Awaited<ReturnType<typeof journals>> = new Map();
      for (const killAt of size.kills) {
        await start(killAt);
        expect(lines().length, "the kill came before the end").toBeLessThan(runs * 3);
        const after = await journals();
        for (const [id, found] of before) if (found.ended) expect(after.get(id)).toEqual(found);
        before = after;
      }
      const result = JSON.parse(await start(Infinity)) as Pick<EvaluationResult, "verdict" | "runs" | "text">;
      expect(result.verdict, result.text).toBe("passed");
      const all = await journals();
      expect(all.size).toBe(runs);
      const requests = lines().filter((line) => line === "model").length;
      // A request that a kill interrupted is sent again; ended runs send none.
      expect(requests).toBeLessThanOrEqual(runs * 2 + size.kills.length * 2 * 4);
      const effects = lines().filter((line) => line.startsWith("effect "));
      expect(effects.some((line) => line.includes("undefined"))).toBe(false);
      expect(new Set(effects).size).toBe(runs);
      const again = await start(Infinity);
      expect(JSON.parse(again)).toMatchObject({ runs: { total: runs, fromStore: runs, notRun: 0 } });
      expect(lines().filter((line) => line === "model")).toHaveLength(requests);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
