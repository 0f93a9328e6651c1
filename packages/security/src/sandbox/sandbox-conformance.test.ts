import type { SandboxConfig, SandboxPort } from "@bailiwick/core";
import { sandboxConformance } from "@bailiwick/testing/conformance";
import { describe, expect, test } from "vitest";
import { createSandbox } from "./create-sandbox.ts";

const wasm: SandboxConfig = { tier: "wasm" };
const child: SandboxConfig = { tier: "process", allowNetwork: true, allowFS: true };

describe("the wasm tier passes the exported kit", () => {
  for (const { name, run } of sandboxConformance(() => ({ sandbox: createSandbox(), config: wasm })))
    test(`in wasm: ${name}`, run);
});

describe("the process tier passes the exported kit, which leaves out isolation", () => {
  const cases = sandboxConformance(() => ({ sandbox: createSandbox(), config: child }), { isolates: false });
  for (const { name, run } of cases) test(`in a process: ${name}`, run);
});

/** Sandboxes that break one promise each. */
const defects: Readonly<Record<string, (sandbox: SandboxPort) => Partial<SandboxPort>>> = {
  "gives no context": (sandbox) => ({
    execute: (call) => sandbox.execute({ ...call, context: { ...call.context, metadata: {} } }),
  }),
  "answers for the code when it fails": (sandbox) => ({ execute: (call) => sandbox.execute(call).catch(() => null) }),
  "hides the message of an error": (sandbox) => ({
    execute: (call) => sandbox.execute(call).catch(() => Promise.reject(new Error("It failed."))),
  }),
  "runs a module that changed": (sandbox) => ({
    execute: async (call) => {
      const { moduleHash } = await sandbox.resolve({ ...call, name: "tried", policy: call.config.tier });
      return sandbox.execute({ ...call, moduleHash });
    },
  }),
  "sets its own time limit": (sandbox) => ({ execute: (call) => sandbox.execute({ ...call, timeoutMs: 1 }) }),
  "cannot be aborted": (sandbox) => ({
    execute: (call) => sandbox.execute({ ...call, timeoutMs: 2_000, signal: new AbortController().signal }),
  }),
  "cuts what comes out": (sandbox) => ({
    execute: async (call) => {
      const result = await sandbox.execute(call).catch((error: { code?: string }) => {
        if (error.code === "SANDBOX_OUTPUT_EXCEEDED") return "x";
        throw error;
      });
      return result;
    },
  }),
  "hands the network of the host to the code": (sandbox) => ({
    execute: (call) => sandbox.execute({ ...call, context: { ...call.context, fetch: globalThis.fetch } }),
  }),
};

for (const [what, defect] of Object.entries(defects)) {
  // A wasm sandbox has no network, whatever its host does: this defect needs a tier that has one.
  const config = what.includes("network") ? child : wasm;
  test(`the exported kit detects a sandbox that ${what} [feature:X105]`, async () => {
    const cases = sandboxConformance(() => {
      const sandbox = createSandbox();
      return { sandbox: { ...sandbox, ...defect(sandbox) }, config };
    });
    const failures: string[] = [];
    for (const { name, run } of cases) await run().catch(() => failures.push(name));
    expect(failures).not.toEqual([]);
  });
}
