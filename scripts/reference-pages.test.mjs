// Runs the script of each reference page, and compares the rows that it prints with the rows of the page.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";
import { readNameTable } from "./lib/reference-names.mjs";

const folder = join(root, "examples/reference");
/** Values, defaults and nested fields of each page, and rows that we add; the table of names has only names. */
const listed = JSON.parse(readFileSync(join(folder, "rows.json"), "utf8"));
const guide = readFileSync(join(root, "docs/guides/names-elsewhere.md"), "utf8");
/** Loaded before a script: its process opens no connection. */
const offline = `data:text/javascript,${encodeURIComponent('import { Socket } from "node:net"; Socket.prototype.connect = () => { throw new Error("A script of a reference page uses the network."); };')}`;

/** Rows of a page by its heading in the guide. @param {string} heading */
function namesOf(heading) {
  const section = guide.split(/^## /mu).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return readNameTable(section).flatMap(({ type, names }) =>
    names.map((name) => (type === "" ? name : `${type}.${name}`)),
  );
}

const pages = {
  agentium: "Agentium",
  baleybots: "BaleyBots",
  graphorin: "Graphorin",
  "open-agent-loops": "Open Agent Loops",
  "openai-agents": "OpenAI Agents",
};

test.each(Object.entries(pages))(
  "the script %s shows each row of its page, without a network",
  async (script, heading) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=@bailiwick/source", "--no-warnings", `--import=${offline}`, join(folder, `${script}.ts`)],
      { cwd: folder },
    );
    const wanted = [...namesOf(heading), ...(listed[script]?.page ?? []), ...(listed[script]?.more ?? [])];
    const shown = stdout
      .split("\n")
      .flatMap((line) => (line.includes(" = ") ? [line.slice(0, line.indexOf(" = "))] : []));
    expect(new Set(shown)).toEqual(new Set(wanted));
    expect(namesOf(heading).length).toBeGreaterThan(0);
  },
);
