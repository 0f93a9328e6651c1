// The pages that a newcomer reads first name the commands and the versions that the manifests have.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

const manifest = (/** @type {string} */ folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
const minimum = (/** @type {string} */ range) => range.replace(">=", "");

test.each(["README.md", "docs/quickstart.md", "CONTRIBUTING.md"])(
  "%s names both commands, and the Node versions of the repository and of its packages",
  (page) => {
    const text = readFileSync(join(root, page), "utf8");
    const { scripts, engines } = manifest(".");
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["start", "test"]));
    expect(text).toContain("`npm start`");
    expect(text).toContain("`npm test`");
    expect(text).toContain(`Node ${minimum(engines.node)} or newer`);
    expect(text).toContain(`Node ${minimum(manifest("packages/store-sqlite").engines.node)} or newer`);
  },
);

test("all packages need the same version of Node", () => {
  const versions = readdirSync(join(root, "packages")).map((name) => manifest(`packages/${name}`).engines.node);
  expect([...new Set(versions)]).toEqual([">=22.20"]);
});
