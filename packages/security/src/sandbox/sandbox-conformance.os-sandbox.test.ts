import { sandboxConformance } from "@bailiwick/testing/conformance";
import { test } from "vitest";
import { createSandbox } from "./create-sandbox.ts";

for (const { name, run } of sandboxConformance(() => ({ sandbox: createSandbox(), config: { tier: "os" } })))
  test(`the os tier: ${name}`, run);
