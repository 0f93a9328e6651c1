import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exportsOf, publicNames } from "./lib/public-names.mjs";

test("every form of an export is listed, through files and other entry points", () => {
  const folder = mkdtempSync(join(tmpdir(), "public-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const other = write("other.ts", "export class Other {}\nexport interface Shape {}\nconst inner = 1;\n");
  write("near.ts", "export const one = 1, two = 2;\nexport function three(): void {}\nexport type Four = 4;\n");
  const entry = write(
    "index.ts",
    'export * from "./near.ts";\nexport * from "@scope/other";\nexport { one as first } from "./near.ts";\n',
  );
  expect([...exportsOf(entry, new Map([["@scope/other", other]]))].toSorted()).toEqual(
    ["Four", "Other", "Shape", "first", "one", "three", "two"].toSorted(),
  );
});

test("the facade lists its names by hand and has at most 140 of them", () => {
  const { "@bailiwick/agent": facade = [] } = publicNames();
  expect(facade).toContain("Agent");
  expect(facade.length).toBeLessThanOrEqual(140);
});
