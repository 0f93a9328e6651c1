import type { SandboxCall } from "@bailiwick/core";
import { expect, test } from "vitest";
import { noSandbox } from "./no-sandbox.ts";

test("without sandboxes every call is refused, with the tier and what to do [sandbox.unavailable]", async () => {
  const port = noSandbox();
  const refused = { code: "SANDBOX_UNAVAILABLE", message: expect.stringContaining("createSandbox({ drivers })") };
  for (const tier of ["wasm", "process", "os", "remote"] as const) {
    const asked = { config: { tier } } as SandboxCall;
    for (const answer of [port.resolve(asked as never), port.execute(asked), port.spawn(asked as never)])
      await expect(answer).rejects.toMatchObject({ ...refused, tier });
  }
  await expect(port.runProgram({} as never)).rejects.toMatchObject(refused);
});
