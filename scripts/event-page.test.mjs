// The table of events is generated, and is the only one of the documentation.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeEventPage } from "../docs/site/event-page.mjs";
import { eventTableMarkdown } from "../packages/core/src/events/event-meanings.ts";
import { eventTable } from "../packages/core/src/events/event-table.ts";
import { filesBelow } from "./lib/files.mjs";
import { root } from "./lib/project.mjs";

const names = Object.keys(eventTable);

/** The events that have a row in a Markdown table. @param {string} text */
const rowsOf = (text) => names.filter((name) => text.includes(`\n| \`${name}\``));

test("the page of events has one row for each event of the code, made from its table [feature:X109]", () => {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-events-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeEventPage({ children: [] }, eventTableMarkdown(), join(folder, "events"));
  const page = readFileSync(join(folder, "events/index.md"), "utf8");
  expect(rowsOf(page)).toEqual(names);
  for (const name of names) expect(page.split(`\n| \`${name}\``), name).toHaveLength(2);
});

test("no page that people write has a second table of events [feature:X109]", () => {
  const pages = filesBelow(["docs/guides", "docs/spec", "docs/recipes", "docs/migrate"], (path) =>
    path.endsWith(".md"),
  );
  expect(pages.length).toBeGreaterThan(20);
  const second = pages.filter((path) => rowsOf(readFileSync(join(root, path), "utf8")).length > 5);
  expect(second).toEqual([]);
});
