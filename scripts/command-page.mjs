// Writes the tables of docs/guides/command-line.md from the commands of the package `bailiwick`.
//
//     node --conditions=@bailiwick/source scripts/command-page.mjs           fail when the tables are stale
//     node --conditions=@bailiwick/source scripts/command-page.mjs --update  write them
import { readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./lib/project.mjs";

const { commandTables } = await import("../packages/cli/src/command-table.ts");
const { createProgram } = await import("../packages/cli/src/program.ts");

const file = join(root, "docs/guides/command-line.md");
const mark =
  "<!-- The rest of this page is generated: node --conditions=@bailiwick/source scripts/command-page.mjs --update -->";
const before = readFileSync(file, "utf8");
const written = before.slice(0, before.indexOf(mark));
if (!before.includes(mark)) throw new Error(`${file} has lost the line ${mark}`);
const raw = `${written}${mark}\n\n${commandTables(createProgram("0.0.0"))}`;
// The formatter aligns tables.
const formatted = spawnSync("oxfmt", ["--stdin-filepath", "page.md"], { cwd: root, input: raw, encoding: "utf8" });
if (formatted.status !== 0) throw new Error(`oxfmt failed: ${formatted.stderr}`);
if (process.argv.includes("--update")) writeFileSync(file, formatted.stdout);
else if (formatted.stdout !== before) {
  console.error(
    `docs/guides/command-line.md is stale. Run: node --conditions=@bailiwick/source scripts/command-page.mjs --update`,
  );
  process.exitCode = 1;
} else console.log("the page of the command line is up to date");
