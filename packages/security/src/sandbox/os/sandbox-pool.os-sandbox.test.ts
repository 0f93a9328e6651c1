import { execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";

import { defaultLimits } from "../driver.ts";
import type { SandboxJob, SandboxDriver } from "../driver.ts";
import { moduleFile } from "../module-world.test.helper.ts";
import { sandboxPool } from "./sandbox-pool.ts";
import type { SandboxPool } from "./sandbox-pool.ts";
import { osDriver } from "./os-driver.ts";
import { startToolSandbox } from "./tool-sandbox.ts";
import type { ToolSandbox } from "./tool-sandbox.ts";

const often = { interval: 20 };

/** A driver with its own pool. */
function pooled(): { readonly driver: SandboxDriver; readonly pool: SandboxPool; readonly sandboxes: ToolSandbox[] } {
  const sandboxes: ToolSandbox[] = [];
  const pool = sandboxPool(async (kind) => {
    const sandbox = await startToolSandbox(kind);
    sandboxes.push(sandbox);
    return sandbox;
  });
  onTestFinished(() => pool.close());
  return { driver: osDriver(pool), pool, sandboxes };
}

async function jobOf(driver: SandboxDriver, source: string): Promise<SandboxJob> {
  const entry = { module: await moduleFile(source), export: "run" };
  const limits = { ...defaultLimits, timeoutMs: 120_000 };
  const { moduleHash } = await driver.register(entry, limits);
  return {
    entry,
    moduleHash,
    input: {},
    context: { toolCallId: "c", toolName: "t", runId: "r", step: 1, attempt: 1, metadata: {} },
    hostCalls: {},
    rights: { network: "none", loopback: false, files: "none", env: {} },
    limits,
    signal: new AbortController().signal,
  };
}

/** Children of this process, in all of its threads. */
const children = (): readonly string[] =>
  readdirSync("/proc/self/task").flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8")
      .split(" ")
      .filter((text) => text !== ""),
  );
const descriptors = (): number => readdirSync("/proc/self/fd").length;

describe("the pool", () => {
  test("a warm sandbox serves the next call of its kind, and is never reused [sandbox.os.pool]", async () => {
    const { driver, pool, sandboxes } = pooled();
    const job = await jobOf(
      driver,
      `import fs from "node:fs"; export const run = () => { const seen = [globalThis.mark ?? null, fs.existsSync("/tmp/mark")]; globalThis.mark = 1; fs.writeFileSync("/tmp/mark", ""); return seen; };`,
    );
    expect(await driver.run(job)).toEqual([null, false]);
    await expect.poll(() => pool.waiting, often).toBe(1);
    const waiting = sandboxes.at(-1);
    expect(await driver.run(job)).toEqual([null, false]);
    expect(await waiting?.ended).toBeDefined();
    await expect.poll(() => sandboxes, often).toHaveLength(3);
    expect(await driver.run(job)).toEqual([null, false]);
  });

  test("sandboxes with different rights or limits are of different kinds [sandbox.os.pool]", async () => {
    const { driver, pool, sandboxes } = pooled();
    const job = await jobOf(driver, `export const run = () => process.env.NAME ?? null;`);
    expect(await driver.run(job)).toBe(null);
    await expect.poll(() => pool.waiting, often).toBe(1);
    expect(await driver.run({ ...job, rights: { ...job.rights, env: { NAME: "value" } } })).toBe("value");
    await expect.poll(() => sandboxes, often).toHaveLength(4);
  });

  test("a sandbox that died while idle is not used [sandbox.os.pool]", async () => {
    const { driver, pool, sandboxes } = pooled();
    const job = await jobOf(driver, `export const run = () => "done";`);
    await driver.run(job);
    await expect.poll(() => pool.waiting, often).toBe(1);
    sandboxes.at(-1)?.kill();
    await sandboxes.at(-1)?.ended;
    expect(await driver.run(job)).toBe("done");
  });

  test("idle sandboxes never exceed the pool's size, and none remains after the pool is closed [sandbox.os.pool]", async () => {
    const { driver, pool, sandboxes } = pooled();
    const job = await jobOf(driver, `export const run = () => 1;`);
    for (let number = 0; number < 6; number += 1) {
      expect(await driver.run({ ...job, rights: { ...job.rights, env: { NUMBER: `${number}` } } })).toBe(1);
      await expect.poll(() => sandboxes, often).toHaveLength(2 * (number + 1));
    }
    await expect.poll(() => pool.waiting, often).toBe(4);
    await pool.close();
    expect(pool.waiting).toBe(0);
    await Promise.all(sandboxes.map(({ ended }) => ended));
  });

  test("ended sandboxes leave no process and no descriptor [sandbox.os.pool]", async () => {
    const { driver, pool, sandboxes } = pooled();
    const job = await jobOf(driver, `export const run = ({ exit }) => exit ? process.exit(0) : 1;`);
    await driver.run(job);
    await expect.poll(() => pool.waiting, often).toBe(1);
    await pool.close();
    const [processes, open] = [children().length, descriptors()];
    for (let round = 0; round < 4; round += 1) {
      await Promise.allSettled([driver.run(job), driver.run({ ...job, input: { exit: true } })]);
    }
    await expect.poll(() => pool.waiting, often).toBeGreaterThan(0);
    await pool.close();
    await Promise.all(sandboxes.map(({ ended }) => ended));
    await expect.poll(() => [children().length, descriptors()], often).toEqual([processes, open]);
  });
});

const host = fileURLToPath(new URL("sandboxing-host.fixture.ts", import.meta.url));
const source = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning"];

describe("the host's process", () => {
  test("an idle sandbox does not keep the process alive [sandbox.os.pool]", async () => {
    const module = await moduleFile(`export const run = () => "done";`);
    const said = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [...source, host, module.href, "once"], (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      );
    });
    expect(said.trim()).toBe("done");
  });

  test("sandboxes end with the process, however it ends [sandbox.os]", async () => {
    const module = await moduleFile(`export const run = () => new Promise(() => setInterval(() => {}, 1000));`);
    const child = spawn(process.execPath, [...source, host, module.href, "twice"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    child.stdout.on("data", (piece: Buffer) => {
      said += piece.toString();
    });
    // The fixture reports the processes inside its sandboxes.
    await expect.poll(() => [said.endsWith("]\n"), child.exitCode], often).toEqual([true, null]);
    const inside = JSON.parse(said) as readonly number[];
    expect(inside.length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    const isRunning = (process: number): boolean => {
      try {
        return !/^State:\s+[ZX]/mu.test(readFileSync(`/proc/${process}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    await expect.poll(() => inside.filter(isRunning), often).toEqual([]);
  });
});
