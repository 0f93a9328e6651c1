import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { licenseProblems, licenseReport } from "./lib/licenses.mjs";
import { withRepository } from "./lib/repository-field.mjs";

const script = fileURLToPath(new URL("release.mjs", import.meta.url));

test.each([
  {},
  { GITHUB_ACTIONS: "true", NPM_CONFIG_PROVENANCE: "true" },
  { GITHUB_ACTIONS: "true", ACTIONS_ID_TOKEN_REQUEST_URL: "http://127.0.0.1/" },
])("a release without provenance is refused with %o", (env) => {
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8", env });
  expect(status).toBe(1);
  expect(stderr).toContain("pnpm release --dry-run");
});

test.each(["cli/bin/bailiwick.cjs", "create-bailiwick/bin/create-bailiwick.cjs"])(
  "the command %s begins with the line that lets a shell start it",
  (path) => {
    const file = fileURLToPath(new URL(`../packages/${path}`, import.meta.url));
    expect(readFileSync(file, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/u);
  },
);

test("a published package names the repository that its provenance names", () => {
  const env = { GITHUB_SERVER_URL: "https://github.test", GITHUB_REPOSITORY: "someone/agents" };
  expect(withRepository({ name: "one", version: "1.0.0" }, "packages/one", env)).toEqual({
    name: "one",
    version: "1.0.0",
    repository: { type: "git", url: "git+https://github.test/someone/agents.git", directory: "packages/one" },
  });
  expect(() => withRepository({}, "packages/one", {})).toThrow("GITHUB_REPOSITORY");
});

test("packages without a license, or with one that is not allowed, are reported; a choice of licenses needs one allowed license", () => {
  const component = (/** @type {string} */ name, /** @type {object[]} */ licenses) => ({
    name,
    version: "1.0.0",
    licenses,
  });
  const components = [
    component("free", [{ license: { id: "MIT" } }]),
    component("choice", [{ expression: "(GPL-3.0-only OR MIT)" }]),
    component("both", [{ expression: "(MIT AND GPL-3.0-only)" }]),
    component("strong", [{ license: { id: "GPL-3.0-only" } }]),
    component("silent", []),
    { group: "@own", ...component("package", []) },
  ];
  const own = new Set(["@own/package"]);
  expect(licenseProblems(components, own)).toEqual([
    "both 1.0.0: (MIT AND GPL-3.0-only)",
    "silent 1.0.0: none",
    "strong 1.0.0: GPL-3.0-only",
  ]);
  expect(licenseReport(components, own)).toContain("| free | 1.0.0 | MIT |");
});
