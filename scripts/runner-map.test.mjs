// The map of the runner for new readers: correct, and short enough to be read.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

const folder = join(root, "packages/core/src/runner");
const map = readFileSync(join(folder, "README.md"), "utf8");
const filesIn = (/** @type {string} */ text) =>
  new Set([...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = ""]) => join(folder, path)));

/** The part of the map under a heading. */
const section = (/** @type {string} */ heading) => map.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";

/** The file or folder directly in the runner that a path is in; `undefined` outside of the runner. */
const placeOf = (/** @type {string} */ path) => {
  const inside = relative(folder, path);
  return inside.startsWith("..") ? undefined : inside.split(sep)[0]?.replace(/\.ts$/, "");
};

test("the map of the runner names files and folders that exist", () => {
  const named = filesIn(map);
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((file) => !existsSync(file))).toEqual([]);
  const folders = [...section("Folders").matchAll(/`([\w-]+)\/`/g)].map(([, name = ""]) => name);
  expect(folders.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
});

test("each place of the runner imports only from those after it in the map's order", () => {
  const order = section("Order of imports").split("→");
  const rank = new Map(
    order.flatMap((step, index) => [...step.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => [name, index])),
  );
  const wrong = [];
  for (const file of globSync(join(folder, "**/*.ts"))) {
    if (file.includes(".test")) continue;
    const from = placeOf(file) ?? "";
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
      const to = placeOf(join(dirname(file), path));
      if (to === undefined || to === from) continue;
      const above = rank.get(from);
      const below = rank.get(to);
      if (above === undefined || below === undefined || above >= below) wrong.push(`${from} -> ${to}`);
    }
  }
  expect(wrong).toEqual([]);
});
