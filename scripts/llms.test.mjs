// Texts of the site for language models.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { writeLlmsTexts } from "../docs/llms.mjs";
import { root } from "./lib/project.mjs";

const folder = mkdtempSync(join(tmpdir(), "llms-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("llms.txt lists the pages, and llms-full.txt contains all of them [feature:X110]", () => {
  const pages = {
    "quickstart.md": "# Quickstart\n\nAn agent in *ten* lines. And more.\n",
    "guides/tools.md":
      "---\nx: 1\n---\n\n# Tools\n\n```ts\ncode();\n```\n\nA tool is [a function](./x.md) with rights:\nits own.\n",
    "reference/core/index.md": "[API reference](../index.md)\n\n# @bailiwick/core\n\nContracts.\n",
    "reference/core/functions/tool.md": "# Function: tool()\n\nMakes a tool.\n",
    "spec/runs.md": "# Runs\n\nA run is a journal.\n",
    "conformance/index.md": "# Conformance\n\nA table.\n",
    "node_modules/x/README.md": "# Not ours\n",
  };
  const from = join(folder, "docs");
  for (const [path, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(from, path)), { recursive: true });
    writeFileSync(join(from, path), text);
  }
  const to = join(folder, "site");
  writeLlmsTexts(from, to);
  expect(readFileSync(join(to, "llms.txt"), "utf8")).toBe(`# Bailiwick

> A TypeScript framework for agents that act.

## Start

- [Quickstart](/quickstart.md): An agent in *ten* lines.

## Build

- [Tools](/guides/tools.md): A tool is a function with rights.

## API reference

- [@bailiwick/core](/reference/core/index.md): Contracts.

## Specification

- [Runs](/spec/runs.md): A run is a journal.

## Optional

- [Conformance](/conformance/index.md): A table.
`);
  const full = readFileSync(join(to, "llms-full.txt"), "utf8");
  for (const text of ["An agent in *ten* lines. And more.", "Makes a tool.", "<!-- /spec/runs.md -->"])
    expect(full).toContain(text);
  expect(full).not.toContain("Not ours");
  expect(full).not.toContain("A table.");
  expect(readFileSync(join(to, "reference/core/functions/tool.md"), "utf8")).toContain("Makes a tool.");
});

test("each guide of this repository is listed with a sentence [feature:X110]", () => {
  const to = join(folder, "site");
  writeLlmsTexts(join(root, "docs"), to);
  const lines = readFileSync(join(to, "llms.txt"), "utf8").split("\n");
  const guides = lines.slice(lines.indexOf("## Start") + 2, lines.indexOf("## Specification") - 1);
  expect(guides.length).toBeGreaterThan(20);
  for (const line of guides.filter((text) => /^- \[[^\]]+\]\(\/(?:guides|migrate|recipes|quickstart)/.test(text)))
    expect(line).toMatch(/^- \[.+\]\(\/.+\.md\): .+\.$/);
});
