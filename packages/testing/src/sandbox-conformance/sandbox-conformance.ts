import { checkArgument } from "@bailiwick/core";
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { rejectsAs, sandboxCase, type CreateSandbox, type SandboxTraits } from "./sandbox-case.ts";

/**
 * Requirements of every sandbox tier, as cases for any test runner: each makes its own sandbox. The cases write
 * modules to temporary files and need Node.
 *
 * @param create - Makes the sandbox, and the configuration that chooses its tier.
 * @param traits - Promises that the tier does not make.
 * @example
 * ```ts
 * import type { SandboxPort } from "@bailiwick/core";
 * import { sandboxConformance } from "@bailiwick/testing/conformance";
 *
 * export function register(sandbox: SandboxPort, test: (name: string, run: () => Promise<void>) => void) {
 *   for (const { name, run } of sandboxConformance(() => ({ sandbox, config: { tier: "wasm" } }))) test(name, run);
 * }
 * ```
 */
export function sandboxConformance(create: CreateSandbox, traits: SandboxTraits = {}): readonly ConformanceCase[] {
  checkArgument(create, "function", "sandboxConformance(createSandbox)");
  return [...callCases(create), ...endCases(create), ...(traits.isolates === false ? [] : isolationCases(create))];
}

/** Time limit in milliseconds of a call that ends for another reason. */
const patience = 100_000;

/** Cases about a call and its result. */
function callCases(create: CreateSandbox): readonly ConformanceCase[] {
  return [
    sandboxCase(create, "input and output are JSON, with the context of the call [feature:X105]", async (register) => {
      const tried = await register(
        "export const run = (input, { toolCallId, metadata }) => ({ input, toolCallId, metadata });",
      );
      const input = { a: [1, "two", null], b: { c: "ü𝄞" } };
      assert.deepEqual(await tried.call({ input }), { input, toolCallId: "call-1", metadata: { of: "the run" } });
    }),
    sandboxCase(create, "an error of the code rejects with its message [feature:X105]", async (register) => {
      const tried = await register('export const run = () => { throw new Error("The order is closed."); };');
      await assert.rejects(tried.call(), /The order is closed\./u);
    }),
    sandboxCase(create, "calls share nothing [feature:X105]", async (register) => {
      const tried = await register("export const run = () => (globalThis.count = (globalThis.count ?? 0) + 1);");
      assert.deepEqual([await tried.call(), await tried.call()], [1, 1]);
    }),
    sandboxCase(create, "the environment of the host is absent [feature:X105]", async (register) => {
      const tried = await register("export const run = () => Object.keys(globalThis.process?.env ?? {});");
      const name = "BAILIWICK_CONFORMANCE_SECRET";
      process.env[name] = "hidden";
      try {
        assert.ok(!((await tried.call()) as readonly string[]).includes(name), "the code sees a variable of the host");
      } finally {
        delete process.env[name];
      }
    }),
    sandboxCase(create, "a module that changed since it was registered is not run [feature:X105]", async (register) => {
      const tried = await register('export const run = () => "registered";');
      await tried.rewrite('export const run = () => "changed";');
      // A tier may store the registered text, and run that.
      const result = await tried.call().catch((error: { readonly code?: unknown }) => error.code);
      assert.ok(
        result === "registered" || result === "SANDBOX_MODULE_CHANGED",
        `a changed module has to fail with SANDBOX_MODULE_CHANGED, not ${String(result)}`,
      );
    }),
  ];
}

/** Cases about calls that do not end by themselves. */
function endCases(create: CreateSandbox): readonly ConformanceCase[] {
  const endless = "export const run = () => { for (;;); };";
  return [
    sandboxCase(create, "a call ends at its time limit, for any code [feature:X105]", async (register) => {
      const tried = await register(endless);
      await rejectsAs(tried.call({ timeoutMs: 1_500 }), ["SANDBOX_TIMEOUT"], "an endless call");
    }),
    sandboxCase(create, "an aborted call ends at once, for any code [feature:X105]", async (register) => {
      const tried = await register(endless);
      const controller = new AbortController();
      const calling = tried.call({ signal: controller.signal, timeoutMs: patience });
      setTimeout(() => controller.abort(), 500);
      // The sandbox may still be starting; then the call rejects with the reason of the signal.
      await rejectsAs(calling, ["SANDBOX_ENDED", String(DOMException.ABORT_ERR)], "an aborted call");
    }),
    sandboxCase(create, "a call cannot take more memory than its limit [feature:X105]", async (register) => {
      const tried = await register(
        "export const run = () => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); };",
        { maxMemoryMB: 64 },
      );
      await rejectsAs(tried.call(), ["SANDBOX_MEMORY_EXCEEDED", "SANDBOX_ENDED"], "a call without end of memory");
    }),
    sandboxCase(create, "a result that is too large is refused [feature:X105]", async (register) => {
      const tried = await register('export const run = () => "x".repeat(9 * 1024 * 1024);');
      await rejectsAs(tried.call({ timeoutMs: patience }), ["SANDBOX_OUTPUT_EXCEEDED"], "a result of 9 MiB");
    }),
  ];
}

/** Cases about code without rights. */
function isolationCases(create: CreateSandbox): readonly ConformanceCase[] {
  return [
    sandboxCase(create, "code without rights reads no file of the host [feature:X105]", async (register, folder) => {
      // Files next to the module may be part of it.
      const file = join(folder, "elsewhere", "secret.txt");
      await mkdir(join(folder, "elsewhere"));
      await writeFile(file, "hidden");
      const tried = await register(
        'export const run = ({ file }) => import("node:fs").then(({ readFileSync }) => readFileSync(file, "utf8")).catch(() => "refused");',
      );
      assert.equal(await tried.call({ input: { file } }), "refused");
    }),
    sandboxCase(create, "code without rights reaches no server [feature:X105]", async (register) => {
      let connections = 0;
      const server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const tried = await register(`export const run = async ({ port }, ctx) => {
        const url = "http://127.0.0.1:" + port;
        const ways = [
          () => globalThis.fetch(url),
          () => ctx.fetch(url),
          () => import("node:net").then(({ connect }) => new Promise((resolve, reject) => connect(port, "127.0.0.1", resolve).on("error", reject))),
        ];
        for (const way of ways) await Promise.resolve().then(way).catch(() => undefined);
        return "tried";
      };`);
      try {
        assert.equal(await tried.call({ input: { port } }), "tried");
        assert.equal(connections, 0, "the code reached a server of the host");
      } finally {
        server.close();
      }
    }),
  ];
}
