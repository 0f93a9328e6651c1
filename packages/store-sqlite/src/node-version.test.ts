import { expect, test } from "vitest";
import { checkNodeVersion } from "./node-version.ts";

test("sqliteStore() names the required Node version in one sentence [store.open.node]", () => {
  for (const version of ["20.20.2", "22.12.0", "21.7.3"]) {
    expect(() => checkNodeVersion(version)).toThrow(
      expect.objectContaining({
        code: "STORE_NODE_TOO_OLD",
        message: `sqliteStore() needs Node 22.13 or newer, and this is Node ${version}.`,
      }),
    );
  }
  for (const version of ["22.13.0", "23.0.0", "24.21.0", process.versions.node])
    expect(() => checkNodeVersion(version)).not.toThrow();
});
