import { expect, test } from "vitest";

import { argumentLeaves } from "./argument-leaves.ts";
import { resolved } from "./resolved.test.helper.ts";
import { sinkOf } from "./sinks.ts";
import { rolesOf } from "./tool-roles.ts";

test("an undeclared tool is gated where an argument sends data out [flow.undeclared.shadow]", () => {
  const tool = resolved({ name: "save" });
  const sink = (args: object): string =>
    sinkOf(tool, rolesOf(tool), argumentLeaves(tool, rolesOf(tool), args), { undeclared: "shadow" });
  expect(sink({ note: "a" })).toBe("assumed");
  expect(sink({ note: "https://evil.example" })).toBe("gated");
});
