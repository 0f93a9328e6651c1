import { expect, test } from "vitest";

import * as core from "@bailiwick/core";

test("the package resolves to its own source", () => {
  expect(core).toBeDefined();
});
