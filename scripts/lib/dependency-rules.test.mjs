import { expect, test } from "vitest";
import { forbiddenDependencies, importedPackages } from "./dependency-rules.mjs";

const one = (
  /** @type {string} */ name,
  /** @type {object} */ manifest,
  /** @type {string} */ text,
  path = "src/x.ts",
) =>
  forbiddenDependencies([
    { folder: name, manifest: { name: `@bailiwick/${name}`, ...manifest }, sources: [{ path, text }] },
  ]);

test("imports of every form are seen, comments are not", () => {
  const text = [
    'import type { A } from "@bailiwick/core";',
    'export * from "zod/v4";',
    'const late = await import("openai");',
    'import {\n  b,\n} from "hono";',
    '/** import { c } from "left-pad" */',
    'import "./local.ts";',
    'export const word = "stop";',
    'export type Word = "go";',
    "export { word as other };",
    'const text = "a";',
    'import { readFile } from "node:fs/promises";',
  ].join("\n");
  expect([...importedPackages(text)].sort()).toEqual(["@bailiwick/core", "hono", "node", "openai", "zod"]);
});

test("a dependency upwards is refused", () => {
  expect(one("core", { dependencies: { "@bailiwick/agent": "workspace:^" } }, "")).toEqual([
    "core: may not depend on @bailiwick/agent",
  ]);
});

test("core may not import node:, its tests may", () => {
  const text = 'import { createHash } from "node:crypto";';
  expect(one("core", {}, text)).toHaveLength(1);
  expect(one("core", {}, text, "src/x.test.ts")).toEqual([]);
});

test("shipped code may not import a development dependency", () => {
  expect(one("security", { devDependencies: { zod: "*" } }, 'import { z } from "zod";')).toHaveLength(1);
});

test("a package that the table does not know is refused", () => {
  expect(one("surprise", {}, "")).toHaveLength(1);
});
