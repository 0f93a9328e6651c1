// Writes docs/guides/options.md, and the rows of docs/spec/options.md, from the table of options.
//
//     node scripts/option-page.mjs            fail when a page is stale
//     node scripts/option-page.mjs --update   write them
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/project.mjs";

const { optionTable } = await import("../packages/core/src/runner/settings/option-table.ts");
const { optionPage } = await import("../packages/core/src/runner/settings/option-page.ts");

const interfaces = { both: "RunSettings", agent: "AgentOptions", run: "RunOptions" };
const contracts = readFileSync(join(root, "packages/core/src/contracts/run-options.ts"), "utf8");

/**
 * The declaration of an option: its doc comment as one line, its type in short, and the default that the comment names.
 *
 * @param {string} name
 * @param {"both" | "agent" | "run"} where
 */
function declared(name, where) {
  const start = contracts.indexOf(`export interface ${interfaces[where]}`);
  const body = contracts.slice(start, contracts.indexOf("\n}", start) + 1);
  const member = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*readonly ${name}\\??:([^]*?);\\n(?=  /\\*\\*|$)`,
    "u",
  ).exec(body);
  if (member === null) throw new Error(`${interfaces[where]} declares no "${name}" with a doc comment.`);
  const meaning = oneLine((member[1] ?? "").replaceAll(/^\s*\* ?/gmu, ""));
  const [, preset = ""] = /\bdefault:? (`[^`]+`|[\d,]+)/iu.exec(meaning) ?? [];
  return { meaning, type: shortType(oneLine(member[2] ?? "")), default: preset.replaceAll(/[`,]/gu, "") };
}

/** A type without parts that a table does not need. @param {string} type */
function shortType(type) {
  const short = type
    .replaceAll(/\breadonly /gu, "")
    .replace(/ \| undefined$/u, "")
    .replace(/^\| /u, "")
    .replaceAll(/\b(RunContext|ToolList|Schema)<\w+>/gu, "$1")
    .replace("Given", "Dependencies")
    .replaceAll(/\b(?:Readonly|Partial)<(Record<\w+, [^<>]+>)>/gu, "$1")
    .replaceAll(/\b(?:Readonly|Partial)<(Record<\w+, [^]+>)>/gu, "$1")
    .replace(/^\(([^]+=>[^]+)\)$/u, "$1");
  return short.includes("=>") && short.length > 80 ? "function" : short;
}

/** @param {string} text */
function oneLine(text) {
  return text.replaceAll(/\s+/gu, " ").trim();
}

const page = `# Options

You pass options to \`new Agent({ … })\`, and to \`run()\`, \`stream()\` and \`resume()\`. This page lists them all, with their defaults.

- **merge** says how a value of the run combines with the agent's. \`replace\`: the run's value wins. \`fields\`: the run's fields win, one by one. \`tighten\`: the stricter value wins, and a run that asks for less throws \`WEAKER_POLICY\`. \`chain\`: both apply, the agent's first.
- **inside** says what a run inside another run inherits: an agent as a tool, a handoff, a node of a composition, a program of code mode. \`no\`: nothing. \`as is\`: the outer run's value. \`tighten\`: the stricter value. \`once\`: both apply, and a function that both have is called once.
- **kept** says what a process uses that continues a stored run. \`stored\`: the value of the run, as far as it is data; where a run may only tighten, the stricter of this and the agent's. \`person\`: the same, and a person is asked in place of a function that is not passed again. \`again\`: functions or handles that are not stored; pass them again, or the run is refused with \`RUN_OPTIONS_MISSING\`. \`noted\`: the run keeps only that it had a value; without one of the run or the agent, it is refused with \`DEPENDENCIES_MISSING\`. \`no\`: the agent's value. Environment variables of \`sandbox\` are not stored.

Options count as they are when you pass them. You can use one object for several runs and change it between the calls: a run that has started keeps its values.

A name that is not listed throws \`UNKNOWN_OPTION\` and suggests the nearest one.

${optionPage(optionTable, declared)}
`;
/** The rows of the specification: each option with its merge rule and what a run inside inherits. */
const rows = /** @type {const} */ (["both", "agent", "run"]).flatMap((where) =>
  Object.entries(optionTable[where]).map(([name, row]) => {
    const { merge, inside = "no" } = /** @type {{ merge?: { rule: string }, inside?: string | { rule: string } }} */ (
      row
    );
    const rule = merge === undefined ? "" : `\`${merge.rule}\``;
    return `| \`${name}\` | ${where} | ${rule} | \`${typeof inside === "string" ? inside : inside.rule}\` |`;
  }),
);
const specification = readFileSync(join(root, "docs/spec/options.md"), "utf8").replace(
  /(?:^\| `\w+` *\| (?:both|agent|run) *\|[^\n]*\n)+/mu,
  () => `${rows.join("\n")}\n`,
);

const pages = { "docs/guides/options.md": page, "docs/spec/options.md": specification };
for (const [path, text] of Object.entries(pages)) {
  const file = join(root, path);
  if (process.argv.includes("--update")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(`${path} is not what the table of options gives. Run: node scripts/option-page.mjs --update`);
    process.exitCode = 1;
  }
}
