import { expect, test } from "vitest";

import { examine, macosDriver, osDriver, processDriver, runProgram, wasmDriver } from "./machine-drivers.ts";

test("without Node, the machine's sandboxes are reported as unavailable [sandbox.unavailable]", async () => {
  for (const [make, tier] of [
    [osDriver, "os"],
    [macosDriver, "os"],
    [processDriver, "process"],
    [wasmDriver, "wasm"],
    [runProgram, "wasm"],
  ] as const) {
    await expect(make()).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE", tier });
  }
  await expect(examine()).rejects.toMatchObject({ code: "NODE_ONLY" });
});
