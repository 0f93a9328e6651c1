import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultHasher } from "@bailiwick/core/extension";
import type { SpawnRequest } from "@bailiwick/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acting, agentWith, resultsOf, until } from "./agents.test.helper.ts";
import { mcp } from "./index.ts";
import { spawnProcess } from "./stdio/spawn-process.ts";

const trackerProgram = fileURLToPath(new URL("./stdio-tracker.fixture.ts", import.meta.url));
const wrapperProgram = fileURLToPath(new URL("./wrapper.fixture.ts", import.meta.url));
const tracker = {
  name: "tracker",
  command: process.execPath,
  args: [trackerProgram],
  connectTimeoutMs: 120_000,
} as const;
const list = { toolCalls: [{ name: "list_issues", arguments: {} }] };
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bailiwick-mcp-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The processes of a wrapper and of its child, once both run. */
async function pidsIn(file: string): Promise<readonly number[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("a stdio server that exits at once gives an error with its code and last output, and does not crash the process [field-bug:PB-mcp-12]", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    const args = ["-e", `console.error("\\u001b[31mno token\\u001b[0m"); process.exit(3)`];
    await using ends = mcp({ name: "ends", command: process.execPath, args, sandbox: "none" });
    const error = await ends.connect().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "MCP_SERVER_ENDED", server: "ends", exitCode: 3, lastWords: "no token" });
    expect((error as Error).message).toMatch(/ended with code 3.*"no token"/u);
    await using optional = mcp({ name: "ends", command: process.execPath, args, sandbox: "none", optional: true });
    await using works = mcp({ ...tracker, sandbox: "none", tools: { list_issues: { sideEffectClass: "read-only" } } });
    const { agent } = agentWith([optional, works], [list, "Done."]);
    // Tools of a server have full names while an earlier server is unreachable.
    const output = await agent.run("go");
    expect(output.toolCalls).toMatchObject([{ isError: true, error: { kind: "unknown_tool" } }]);
    const full = { toolCalls: [{ name: "tracker.list_issues", arguments: {} }] };
    expect(resultsOf(await agentWith([optional, works], [full, "Done."]).agent.run("go")).join()).toContain("#1");
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});

test("a missing program, or one that prints no valid messages, gives an error that says so [field-bug:PB-mcp-12]", async () => {
  await using missing = mcp({ name: "missing", command: join(folder, "no-such-program"), sandbox: "none" });
  await expect(missing.connect()).rejects.toMatchObject({ code: "MCP_SERVER_ENDED" });
  const noisy = `console.log("Welcome!"); process.stdout.write(Buffer.from([255, 10])); await import(process.argv[1])`;
  const args = ["--input-type=module", "-e", noisy, tracker.args[0]];
  await using talks = mcp({ ...tracker, args, sandbox: "none", protocol: "2026-07-28" });
  expect(await talks.connect()).toMatchObject({ protocolVersion: "2026-07-28" });
});

test("closing also ends the processes that the program has started [field-bug:PB-mcp-14]", async () => {
  const file = join(folder, "pids");
  await using wrapper = mcp({
    name: "wrapper",
    command: process.execPath,
    args: [wrapperProgram, file],
    sandbox: "none",
  });
  const connecting = wrapper.connect().catch((error: unknown) => error);
  await until(async () => (await pidsIn(file)).length === 2, "the wrapper and its child run");
  const pids = await pidsIn(file);
  expect(pids.map(isAlive)).toEqual([true, true]);
  await wrapper.close();
  await until(() => !pids.some(isAlive), "neither of them is alive");
  expect(await connecting).toBeInstanceOf(Error);
});

test("a program that never answers is ended together with its child processes [field-bug:PB-mcp-14]", async () => {
  const file = join(folder, "pids");
  const args = [wrapperProgram, file];
  await using silent = mcp({ name: "silent", command: process.execPath, args, sandbox: "none", connectTimeoutMs: 500 });
  await expect(silent.connect()).rejects.toMatchObject({ code: "MCP_UNAVAILABLE" });
  // The time-out may have come before they wrote down their process ids.
  const pids = await pidsIn(file);
  await until(() => !pids.some(isAlive), "none of them is alive");
});

test("a stdio server that exits in mid-run is restarted by the next call", async () => {
  const file = join(folder, "pid");
  const args = [trackerProgram, file];
  await using server = mcp({
    ...tracker,
    args,
    sandbox: "none",
    tools: { "*": { sideEffectClass: "read-only" } },
    reconnect: { initialDelayMs: 1 },
  });
  const { agent } = agentWith(
    [server],
    acting(
      list,
      async () => {
        const [pid = 0] = await pidsIn(file);
        process.kill(pid, "SIGKILL");
        await until(() => !isAlive(pid), "the server is gone");
        return list;
      },
      "Done.",
    ),
  );
  const { toolCalls } = await agent.run("go");
  expect(toolCalls.map(({ isError }) => isError)).toEqual([false, false]);
  expect(await pidsIn(file)).toHaveLength(2);
});

test("a program runs in the agent's sandbox, and is not started without one [mcp.stdio-in-os]", async () => {
  const request = { signal: new AbortController().signal, hasher: defaultHasher() };
  const port = { resolve: async () => ({ moduleHash: "" }), execute: async () => undefined };
  await using unboxed = mcp({ ...tracker, args: [...tracker.args, join(folder, "pid")] });
  await expect((async () => unboxed.serve({ ...request, sandbox: port }))()).rejects.toMatchObject({
    code: "MCP_SANDBOX_REQUIRED",
  });
  expect(await pidsIn(join(folder, "pid"))).toEqual([]);
  const asked: SpawnRequest[] = [];
  const spawn = (one: SpawnRequest) => {
    asked.push(one);
    return spawnProcess({
      command: one.command,
      args: one.args ?? [],
      env: one.config.tier === "os" ? { ...one.config.env } : {},
      cwd: undefined,
    });
  };
  const options = {
    sandbox: { tier: "os", allowNetwork: ["api.test"], env: { A: "1" } },
    env: { TOKEN: "t" },
  } as const;
  await using sandboxed = mcp({ ...tracker, ...options });
  const { tools } = await sandboxed.serve({ ...request, sandbox: { ...port, spawn } });
  expect(tools.length).toBeGreaterThan(0);
  expect(asked).toMatchObject([
    {
      command: process.execPath,
      trustClass: "mcp-derived",
      saidBy: "operator",
      config: { tier: "os", allowNetwork: ["api.test"], env: { A: "1", TOKEN: "t" } },
    },
  ]);
});

test("a program without a sandbox gets only a few environment variables", async () => {
  process.env["BAILIWICK_MCP_SECRET"] = "s3cret";
  try {
    const file = join(folder, "env");
    const args = ["-e", `require("node:fs").writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env))`];
    await using curious = mcp({
      name: "curious",
      command: process.execPath,
      args,
      sandbox: "none",
      env: { GIVEN: "yes" },
    });
    await curious.connect().catch(() => undefined);
    const env = JSON.parse(await readFile(file, "utf8")) as Record<string, string>;
    expect(env["GIVEN"]).toBe("yes");
    expect(env["BAILIWICK_MCP_SECRET"]).toBeUndefined();
  } finally {
    delete process.env["BAILIWICK_MCP_SECRET"];
  }
});
