import { expect, test } from "vitest";
import { checkNodeVersion } from "./node-version.ts";

test("sqliteStore() names the required Node versions in one sentence [store.open.node]", () => {
  for (const node of ["20.20.2", "21.7.3", "22.13.1", "22.19.0", "23.11.1", "24.0.0", "24.6.0"]) {
    expect(() => checkNodeVersion({ node })).toThrow(
      expect.objectContaining({
        code: "STORE_NODE_TOO_OLD",
        message: `sqliteStore() needs Node 22.20 or newer, or 24.7 or newer, and this is Node ${node}.`,
      }),
    );
  }
  for (const node of ["22.20.0", "22.23.3", "24.7.0", "25.0.0", process.versions.node])
    expect(() => checkNodeVersion({ node })).not.toThrow();
});

test("sqliteStore() accepts Bun and Deno, whatever version of Node they report [store.open.node]", () => {
  expect(() => checkNodeVersion({ node: "24.3.0", bun: "1.4.5" })).not.toThrow();
  expect(() => checkNodeVersion({ node: "24.2.0", deno: "2.9.6" })).not.toThrow();
});
