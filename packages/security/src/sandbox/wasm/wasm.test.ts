import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { codeOf, moduleFile, registered } from "../module-world.test.helper.ts";
import type { RegisteredModule } from "../module-world.test.helper.ts";
import { createSandbox } from "../create-sandbox.ts";

const inWasm = (source: string, limits: { readonly maxMemoryMB?: number } = {}): Promise<RegisteredModule> =>
  registered(source, { tier: "wasm", ...limits });

describe("rights of code in the sandbox", () => {
  test("JSON is passed in and out, together with the call's context [sandbox.wasm]", async () => {
    const tool = await inWasm(`export const run = (input, ctx) => ({ input, ctx });`);
    expect(await tool.run({ a: [1, "two", null] }, { context: { idempotencyKey: "k", metadata: { b: 2 } } })).toEqual({
      input: { a: [1, "two", null] },
      ctx: {
        toolCallId: "call-1",
        toolName: "t",
        runId: "run-1",
        step: 1,
        attempt: 1,
        metadata: { b: 2 },
        idempotencyKey: "k",
      },
    });
  });

  test("any JSON value is returned unchanged [sandbox.wasm]", async () => {
    const tool = await inWasm(`export const run = async (input) => input;`);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await tool.run(value)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 40 },
    );
  });

  test("nothing of the host is reachable: no process, files, network, timers or time zone [sandbox.wasm]", async () => {
    const tool = await inWasm(`
      const names = ["process", "require", "fetch", "WebSocket", "XMLHttpRequest", "setTimeout", "Worker", "Deno", "Bun",
        "Buffer", "WebAssembly", "navigator", "importScripts", "std", "os", "bjson", "print", "Atomics"];
      export const run = async (_, ctx) => ({
        there: names.filter((name) => name in globalThis),
        byConstructor: typeof (0, eval)("typeof process") === "string" ? (0, eval)("typeof process") : "?",
        byImport: await import("node:fs").then(() => "loaded", () => "refused"),
        byFetch: await ctx.fetch("https://example.com").then(() => "answered", (error) => error.message),
        zone: new Date(2026, 0, 1).getTimezoneOffset(),
      });`);
    expect(await tool.run()).toEqual({
      there: [],
      byConstructor: "undefined",
      byImport: "refused",
      byFetch: "A wasm sandbox has no network.",
      zone: 0,
    });
  });

  test("log and progress reach the host; a message refused by the host ends the call [sandbox.wasm]", async () => {
    const said: unknown[] = [];
    const tool = await inWasm(
      `export const run = (_, ctx) => { ctx.log("one"); ctx.reportProgress({ fraction: 0.5, more: 1 }); return 1; };`,
    );
    const context = { log: (text: string) => said.push(text), reportProgress: (what: unknown) => said.push(what) };
    await tool.run({}, { context });
    expect(said).toEqual(["one", { fraction: 0.5 }]);
    const refuse = (): never => {
      throw Object.assign(new Error("no"), { code: "NOT_A_STREAMING_TOOL" });
    };
    expect(await codeOf(tool.run({}, { context: { reportProgress: refuse } }))).toBe("NOT_A_STREAMING_TOOL");
  });

  test("no data of a call is visible to the next, not even a changed built-in [sandbox.wasm.fresh-context]", async () => {
    const tool = await inWasm(`
      globalThis.count = (globalThis.count ?? 0) + 1;
      export const run = () => {
        const seen = [globalThis.count, Array.prototype.mine, typeof Map];
        Array.prototype.mine = "left behind";
        delete globalThis.Map;
        return seen;
      };`);
    const first = await tool.run();
    expect([first, await tool.run(), await tool.run()]).toEqual([first, first, first]);
    expect(first).toEqual([1, null, "function"]);
  });

  test("concurrent calls are isolated from each other [sandbox.wasm.fresh-context]", async () => {
    const tool = await inWasm(`
      let mine;
      export const run = async ({ n }) => { mine = n; for (let i = 0; i < 50; i += 1) await null; return mine; };`);
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    expect(await Promise.all(numbers.map((n) => tool.run({ n })))).toEqual(numbers);
  });
});

describe("memory", () => {
  const bombs = {
    "small objects": `const all = []; for (;;) all.push({ a: [1, 2, 3] });`,
    "typed arrays": `const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1));`,
    strings: `const all = []; for (let i = 0; ; i += 1) all.push(("x" + i).repeat(10_000));`,
  };

  test.each(Object.entries(bombs))("%s ends only the call [sandbox.wasm.memory]", async (_, bomb) => {
    const tool = await inWasm(`export const run = () => { ${bomb} };`, { maxMemoryMB: 32 });
    expect(await codeOf(tool.run())).toBe("SANDBOX_MEMORY_EXCEEDED");
    const next = await inWasm(`export const run = () => "alive";`);
    expect(await next.run()).toBe("alive");
  });

  test("the memory limit is exact, also for code that catches the error [sandbox.wasm.memory]", async () => {
    const tool = await inWasm(
      `export const run = () => { const all = []; try { for (;;) all.push(new ArrayBuffer(1 << 20)); } catch {} return all.length; };`,
      { maxMemoryMB: 64 },
    );
    const had = (await tool.run()) as number;
    expect(had).toBeGreaterThan(30);
    expect(had).toBeLessThan(64);
  });

  test.each([15, 2_049])(
    "an unsupported memory limit is refused: %d MiB [sandbox.unavailable]",
    async (maxMemoryMB) => {
      expect(await codeOf(inWasm(`export const run = () => 1;`, { maxMemoryMB }))).toBe("SANDBOX_UNAVAILABLE");
    },
  );
});

describe("endings of a call", () => {
  test.each([
    ["an endless loop", `for (;;);`],
    ["an endless loop of promises", `for (;;) await null;`],
    ["a regular expression that does not end", `/(a+)+$/u.test("a".repeat(60) + "b");`],
  ])("%s is killed by its time-out [sandbox.every-exit-settles]", async (_, body) => {
    const tool = await inWasm(`export const run = async () => { ${body} };`);
    expect(await codeOf(tool.run({}, { timeoutMs: 300 }))).toBe("SANDBOX_TIMEOUT");
  });

  test("an abort kills the call, before it starts and while it runs [sandbox.every-exit-settles]", async () => {
    const tool = await inWasm(`export const run = (_, ctx) => { ctx.log("running"); for (;;); };`);
    const controller = new AbortController();
    const running = tool.run({}, { signal: controller.signal, context: { log: () => controller.abort() } });
    expect(await codeOf(running)).toBe("SANDBOX_ENDED");
    expect(await codeOf(tool.run({}, { signal: AbortSignal.abort() }))).toBe("SANDBOX_ENDED");
  });

  test("a promise that can never settle is detected at once [sandbox.every-exit-settles]", async () => {
    const tool = await inWasm(`export const run = () => new Promise(() => {});`);
    await expect(tool.run()).rejects.toThrow(/ended without a result: it waits for a promise that nothing can settle/u);
  });

  test.each([
    ["a result", `return "x".repeat(9_000_000);`],
    ["what it logs", `for (;;) try { ctx.log("x".repeat(100_000)); } catch {}`],
    ["very many small messages", `for (;;) try { ctx.log(""); } catch {}`],
  ])("a flood of %s is ended [sandbox.every-exit-settles]", async (_, body) => {
    let bytes = 0;
    const tool = await inWasm(`export const run = (_, ctx) => { ${body} };`);
    const flooded = tool.run({}, { context: { log: (text) => (bytes += text.length) } });
    expect(await codeOf(flooded)).toBe("SANDBOX_OUTPUT_EXCEEDED");
    expect(bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
  });

  test.each([
    ["recursion", `const f = (n) => f(n + 1) + 1; return f(0);`],
    ["recursion through toJSON", `const o = { toJSON: () => JSON.stringify(o) }; return o;`],
    ["nested JSON", `return JSON.parse("[".repeat(1_000_000));`],
  ])("%s without end is an error of the tool's [sandbox.every-exit-settles]", async (_, body) => {
    const tool = await inWasm(`export const run = () => { ${body} };`);
    expect(await codeOf(tool.run())).toBe("TOOL_ERROR");
    expect(await codeOf(tool.run())).toBe("TOOL_ERROR");
  });

  test.each([
    ["an error", `throw new TypeError("not like this")`, "TypeError: not like this"],
    ["a text", `throw "plainly"`, "plainly"],
    ["nothing", `throw undefined`, "undefined"],
    ["an object that resists", `throw { get message() { throw 1 } }`, "It threw something that cannot be read."],
    ["what JSON cannot say", `return 10n`, "BigInt"],
    ["a circle", `const o = {}; o.o = o; return o`, "circular"],
  ])("%s that the code throws is its tool's error [sandbox.every-exit-settles]", async (_, body, message) => {
    const tool = await inWasm(`export const run = () => { ${body} };`);
    const error: unknown = await tool.run().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "TOOL_ERROR", message: expect.stringContaining(message) });
  });
});

describe("results of a call", () => {
  test("code that changes built-ins affects only its own output [sandbox.framed-results]", async () => {
    const tool = await inWasm(`
      JSON.stringify = () => "forged";
      JSON.parse = () => ({ forged: true });
      Promise.prototype.then = (settle) => settle("forged");
      Object.prototype.toJSON = undefined;
      Object.freeze = () => { throw new Error("forged"); };
      globalThis.String = () => "forged";
      export const run = async (input, ctx) => { ctx.log("said"); return { input }; };`);
    const said: string[] = [];
    expect(await tool.run({ a: 1 }, { context: { log: (text) => said.push(text) } })).toEqual({ input: { a: 1 } });
    expect(said).toEqual(["said"]);
  });

  test("the first settlement wins [sandbox.framed-results]", async () => {
    const tool = await inWasm(
      `export const run = () => ({ then(settle, refuse) { settle("first"); settle("second"); refuse(new Error("third")); } });`,
    );
    expect(await tool.run()).toBe("first");
  });

  test("messages of a killed call are dropped [sandbox.framed-results]", async () => {
    const tool = await inWasm(`export const run = ({ n }, ctx) => { ctx.log(n); if (n === "a") for (;;); return n; };`);
    const said: string[] = [];
    const context = { log: (text: string) => said.push(text) };
    const killed = tool.run({ n: "a" }, { timeoutMs: 300, context: { log: () => undefined } });
    const others = ["b", "c", "d"].map((n) => tool.run({ n }, { context }));
    expect(await codeOf(killed)).toBe("SANDBOX_TIMEOUT");
    expect(await Promise.all(others)).toEqual(["b", "c", "d"]);
    expect(said.toSorted()).toEqual(["b", "c", "d"]);
  });
});

describe("modules", () => {
  test.each([
    [
      "imports another",
      `import { readFileSync } from "node:fs"; export const run = () => 1;`,
      /imports "node:fs".*self-contained/u,
    ],
    ["re-exports", `export { run } from "./other.js";`, /self-contained/u],
    ["has no such export", `export const walk = () => 1;`, /"run" is not a function but undefined/u],
    ["exports something else", `export const run = 5;`, /not a function but number/u],
    ["is not JavaScript", `export const run = (;`, /SyntaxError/u],
    ["throws when it loads", `throw new Error("not today"); export const run = () => 1;`, /not today/u],
  ])("a module that %s is refused at registration [sandbox.module-entry.wasm]", async (_, source, message) => {
    await expect(inWasm(source)).rejects.toThrow(message);
    expect(await codeOf(inWasm(source))).toBe("SANDBOX_MODULE_REFUSED");
  });

  test("a missing module is refused, and so is one that does not finish loading [sandbox.module-entry.wasm]", async () => {
    const terms = { trustClass: "first-party-user-defined", saidBy: "tool", name: "t", policy: "wasm" } as const;
    const nowhere = { module: new URL("file:///nowhere/at-all.mjs"), export: "run" };
    const { resolve } = createSandbox();
    expect(await codeOf(resolve({ ...terms, entry: nowhere, config: { tier: "wasm" } }))).toBe(
      "SANDBOX_MODULE_REFUSED",
    );
    const endless = { module: await moduleFile(`for (;;); export const run = () => 1;`), export: "run" };
    expect(await codeOf(resolve({ ...terms, entry: endless, config: { tier: "wasm", timeout: 2_000 } }))).toBe(
      "SANDBOX_TIMEOUT",
    );
  });

  test("TypeScript runs if the process strips types, and is refused otherwise [sandbox.module-entry.wasm]", async () => {
    const typed = `export const run = ({ n }: { n: number }): number => n + 1;`;
    const { features } = process as { features: { typescript?: unknown } };
    const before = Object.getOwnPropertyDescriptor(features, "typescript");
    const pretend = (value: unknown): void => {
      Object.defineProperty(features, "typescript", { value, configurable: true, enumerable: true });
    };
    try {
      pretend("strip");
      expect(await (await registered(typed, { tier: "wasm" }, "tool.ts")).run({ n: 1 })).toBe(2);
      pretend(false);
      const other = `${typed} // another text`;
      expect(await codeOf(registered(other, { tier: "wasm" }, "tool.ts"))).toBe("SANDBOX_MODULE_REFUSED");
    } finally {
      if (before === undefined) delete features.typescript;
      else Object.defineProperty(features, "typescript", before);
    }
  });

  test("the registered code runs, even if the file changed [sandbox.module-entry.hashed]", async () => {
    const tool = await inWasm(`export const run = () => "registered";`);
    await tool.rewrite(`export const run = () => "changed";`);
    expect(await tool.run()).toBe("registered");
  });
});
