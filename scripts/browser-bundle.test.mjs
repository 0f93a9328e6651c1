// The packages that run outside Node bundle for the browser without a module of Node.
import { expect, test } from "vitest";
import { bundleForBrowser } from "./lib/browser-bundle.mjs";

test.each(["@bailiwick/core", "@bailiwick/agent"])(
  "all of %s bundles for the browser and loads no module of Node [feature:X116]",
  async (name) => {
    expect(await bundleForBrowser(`export * from "${name}";`)).toMatchObject({ needsNode: false });
  },
);

test("a bundle that loads a module of Node is noticed", async () => {
  const program = `export * from "@bailiwick/core"; export { readFileSync } from "node:fs";`;
  await expect(bundleForBrowser(program)).rejects.toThrow("node:fs");
});
