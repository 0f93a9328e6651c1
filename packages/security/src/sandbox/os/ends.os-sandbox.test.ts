import { describe, expect, test } from "vitest";

import { codeOf, registered } from "../module-world.test.helper.ts";
import type { RegisteredModule } from "../module-world.test.helper.ts";

/** Both tiers that run a process of Node. */
const tiers = {
  os: { tier: "os" },
  process: { tier: "process", allowNetwork: true, allowFS: true },
} as const;

describe.each(Object.entries(tiers))("every ending of a call in %s", (_name, tier) => {
  const tool = (source: string, limits: object = {}): Promise<RegisteredModule> =>
    registered(source, { ...tier, timeout: 120_000, ...limits });

  test("a call returns, throws, exits, dies, or waits for a promise that never settles [sandbox.every-exit-settles]", async () => {
    const ends: Readonly<Record<string, [body: string, expected: unknown]>> = {
      returns: ["return { a: 1 };", { returned: { a: 1 } }],
      "returns nothing": ["", { returned: undefined }],
      throws: [`throw new RangeError("boom");`, "TOOL_ERROR"],
      "throws no error": ["throw { toString: () => { throw 1; } };", "TOOL_ERROR"],
      "returns what has no JSON form": ["return 1n;", "TOOL_ERROR"],
      "exits with 0": ["process.exit(0);", "SANDBOX_ENDED"],
      "exits with 3": ["process.exit(3);", "SANDBOX_ENDED"],
      "exits while it waits": ["setImmediate(() => process.exit(0)); await new Promise(() => {});", "SANDBOX_ENDED"],
      "dies of a signal": [`process.kill(process.pid, "SIGSEGV"); await new Promise(() => {});`, "SANDBOX_ENDED"],
      aborts: ["process.abort();", "SANDBOX_ENDED"],
      "throws later": [
        `setImmediate(() => { throw new Error("late"); }); await new Promise(() => {});`,
        "SANDBOX_ENDED",
      ],
      "waits for nothing": ["await new Promise(() => {});", "SANDBOX_ENDED"],
      "closes its channel": [`require("node:fs").closeSync(3); await new Promise(() => {});`, "SANDBOX_ENDED"],
    };
    for (const [name, [body, expected]] of Object.entries(ends)) {
      const made = await tool(
        `import { createRequire } from "node:module"; const require = createRequire(import.meta.url); export async function run() { ${body} }`,
      );
      expect(await codeOf(made.run()), name).toEqual(expected);
    }
  });

  test("an endless loop is killed at its time limit, and a cancelled one at once [sandbox.every-exit-settles]", async () => {
    const made = await tool("export const run = () => { for (;;); };");
    expect(await codeOf(made.run({}, { timeoutMs: 1_500 }))).toBe("SANDBOX_TIMEOUT");
    const controller = new AbortController();
    const logged = await tool(
      `export const run = (_, ctx) => { ctx.log("here"); return new Promise(() => { setInterval(() => {}, 1000); }); };`,
    );
    const call = logged.run(
      {},
      { signal: controller.signal, context: { log: () => controller.abort(new Error("not wanted")) } },
    );
    await expect(call).rejects.toThrow("not wanted");
  });

  test("memory is limited, inside and outside JavaScript [sandbox.every-exit-settles]", async () => {
    const heap = await tool(
      "export const run = () => { const all = []; for (;;) all.push(new Array(1e4).fill({})); };",
      { maxMemoryMB: 64 },
    );
    expect(await codeOf(heap.run())).toBe("SANDBOX_MEMORY_EXCEEDED");
    const offHeap = await tool(
      "export const run = () => { const all = []; for (;;) all.push(Buffer.alloc(4e6, 1)); };",
      { maxMemoryMB: 64 },
    );
    expect(["TOOL_ERROR", "SANDBOX_MEMORY_EXCEEDED", "SANDBOX_ENDED"]).toContain(await codeOf(offHeap.run()));
  });

  test("too much output ends the call, on every channel [sandbox.every-exit-settles]", async () => {
    // Twice the limit: endless output would fill the memory of the sandbox while a busy host does not read.
    for (const way of ["fs.writeSync(1, text)", "fs.writeSync(2, text)", "(ctx.log(text), text.length)"]) {
      const made = await tool(`
        import * as fs from "node:fs";
        const text = "x".repeat(65536);
        const written = (ctx) => { try { return ${way}; } catch (error) { if (error.code !== "EAGAIN") throw error; return 0; } };
        export const run = async (_, ctx) => {
          for (let left = 16 * 1024 * 1024; left > 0; left -= written(ctx)) await new Promise((resolve) => setTimeout(resolve, 1));
          await new Promise(() => setInterval(() => {}, 1000));
        };`);
      expect(await codeOf(made.run()), way).toBe("SANDBOX_OUTPUT_EXCEEDED");
    }
    const large = await tool(`export const run = () => "x".repeat(9 * 1024 * 1024);`);
    expect(await codeOf(large.run())).toBe("SANDBOX_OUTPUT_EXCEEDED");
  });

  test("printed output is not a result, and a channel message without the nonce is not either [sandbox.framed-results]", async () => {
    const made = await tool(`
      import * as fs from "node:fs";
      export const run = async () => {
        const forged = (nonce) => JSON.stringify({ nonce, frame: { kind: "result", value: "forged" } }) + "\\n";
        for (const nonce of ["", "0".repeat(32), undefined, null, {}]) for (const to of [1, 2, 3]) fs.writeSync(to, forged(nonce));
        fs.writeSync(3, "{ not json\\n\\n[]\\nnull\\n");
        await new Promise((resolve) => setTimeout(resolve, 50));
        return "true";
      };`);
    expect(await made.run()).toBe("true");
  });

  test("progress and log reach the host, in order, and count towards the limit [tool.context.sandboxed]", async () => {
    const heard: unknown[] = [];
    const made = await tool(
      `export const run = (_, ctx) => { ctx.log("one"); ctx.reportProgress({ fraction: 0.5, message: "half" }); ctx.log(2); return Object.isFrozen(ctx); };`,
    );
    expect(
      await made.run(
        {},
        { context: { log: (text) => heard.push(text), reportProgress: (progress) => heard.push(progress) } },
      ),
    ).toBe(true);
    expect(heard).toEqual(["one", { fraction: 0.5, message: "half" }, "2"]);
  });

  test("a missing module, or one that is not JavaScript, is refused at registration [sandbox.unavailable]", async () => {
    await expect(registered("a", tier, "tool.txt")).rejects.toMatchObject({ code: "SANDBOX_MODULE_REFUSED" });
    const noExport = await tool("export const other = 1;");
    await expect(noExport.run()).rejects.toThrow(`no exported function "run"`);
  });
});

describe("the process tier", () => {
  const inProcess = (source: string, config: object = {}): Promise<RegisteredModule> =>
    registered(source, { ...tiers.process, timeout: 120_000, ...config });

  test("its environment is the given one, its limits are enforced by the kernel, and Node's permission model is on [sandbox.process]", async () => {
    const made = await inProcess(
      `
      import * as fs from "node:fs";
      const code = (promise) => promise.then(() => "done", (error) => error.code);
      export const run = async () => ({
        environment: process.env,
        limits: ["Max core file size", "Max open files", "Max file size"].map((name) => new RegExp(name + "\\\\s+(\\\\d+)").exec(fs.readFileSync("/proc/self/limits", "utf8"))[1]),
        files: fs.existsSync("/etc"),
        child: await code(import("node:child_process").then(({ execFileSync }) => execFileSync("true"))),
        worker: await code(import("node:worker_threads").then(({ Worker }) => new Worker("0", { eval: true }))),
        addon: await code(Promise.resolve().then(() => process.dlopen({ exports: {} }, "/none.node"))),
      });`,
      { env: { GIVEN: "1" } },
    );
    expect(await made.run()).toEqual({
      environment: { GIVEN: "1" },
      limits: ["0", "256", String(64 * 1024 * 1024)],
      files: true,
      child: "ERR_ACCESS_DENIED",
      worker: "ERR_ACCESS_DENIED",
      addon: "ERR_DLOPEN_DISABLED",
    });
  });

  test("the process tier restricts neither network nor files, and must be named explicitly [sandbox.process.requires-acknowledgement]", async () => {
    const refused = await registered("export const run = () => 1;", { tier: "process" } as never).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
    const made = await inProcess("export const run = () => 1;");
    expect(await made.run()).toBe(1);
  });
});
