// Writes a page for each error code, and an index by topic, from the explanations that `bailiwick explain` prints.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { factsOfCode } from "../../packages/core/src/errors/codes.ts";
import { codesInSource } from "../../scripts/lib/error-codes.mjs";
import { errorExamples } from "../../scripts/lib/error-examples.mjs";

/**
 * @typedef {object} Explanation
 * @property {string} happened
 * @property {string} why
 * @property {string} do
 */

/**
 * The topics of the index, by the places in which a code is used; the first match wins.
 *
 * @type {readonly (readonly [topic: string, place: RegExp])[]}
 */
const topics = [
  ["Tool calls", /core\/src\/(?:runner\/tool-call|registry|tools)\//],
  [
    "Runs, decisions and sessions",
    /core\/src\/(?:runner|composition|journal|events|user-code)\/|worker\/|errors\/(?:run|host)-errors/,
  ],
  ["Model calls", /core\/src\/(?:providers|models)\/|packages\/providers-|errors\/model-errors/],
  ["Stores and memory", /packages\/(?:store-|memory\/)|errors\/(?:store|memory|session)-errors|core\/src\/memories\//],
  ["Secrets, information flow and sandboxes", /packages\/(?:security|sandbox|workspace)\//],
  ["Protocols, routes and pages", /packages\/(?:mcp|a2a|server|studio|react)\//],
  ["Testing", /packages\/(?:testing|evals)\//],
  ["Command line", /packages\/(?:cli|create)\//],
  ["Options, messages and other values", /./],
];

/**
 * The guides that a topic leads to.
 *
 * @type {Readonly<Record<string, string>>}
 */
const guides = {
  "Tool calls": "[Tools](../guides/tools.md), [People in the loop](../guides/people-in-the-loop.md)",
  "Runs, decisions and sessions":
    "[Resume after a crash](../guides/runs-and-effects.md), [People in the loop](../guides/people-in-the-loop.md), [Conversations](../guides/conversations.md)",
  "Model calls":
    "[Models and providers](../guides/models-and-answers.md), [Supported models](../guides/model-servers.md)",
  "Stores and memory":
    "[Stores](../guides/stores.md), [SQLite](../guides/sqlite.md), [PostgreSQL](../guides/postgres.md), [Memory](../guides/memory.md)",
  "Secrets, information flow and sandboxes":
    "[How protection works](../guides/security.md), [Secrets](../guides/secrets.md), [Sandboxes](../guides/sandboxes.md)",
  "Protocols, routes and pages":
    "[Use MCP servers](../guides/mcp.md), [Chat pages](../guides/chat.md), [Serve your agent over MCP](../guides/mcp-server.md)",
  Testing: "[Testing](../guides/testing.md), [Evaluations](../guides/evaluations.md)",
  "Command line": "[Command line](../guides/command-line.md)",
  "Options, messages and other values": "[Options](../guides/options.md)",
};

/**
 * @param {string} folder
 * @returns {string[]} the codes that have a page
 */
export function writeErrorPages(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const data = new URL("../../packages/cli/src/explain/error-codes.json", import.meta.url);
  /** @type {Readonly<Record<string, Explanation>>} */
  const explained = JSON.parse(readFileSync(data, "utf8"));
  const places = codesInSource();
  const examples = errorExamples();
  const topicOf = (/** @type {string} */ code) =>
    topics.find(([, place]) => (places.get(code) ?? []).some((path) => place.test(path)))?.[0] ?? "";
  const index = [
    "---",
    "description: Every error code, with what happened, why, and what to do.",
    "---",
    "",
    "# Errors",
    "",
    "Each error has a stable `code`, a message that says what to do, and `docs`, the address of the page of its code. `npx bailiwick explain CODE` prints the same page in a terminal.",
    "",
    "How to handle errors in code: [Quickstart](../quickstart.md#handle-errors).",
    "",
  ];
  for (const [topic] of topics) {
    const rows = Object.entries(explained).filter(([code]) => topicOf(code) === topic);
    if (rows.length === 0) continue;
    index.push(`## ${topic}`, "", "| code | what happened |", "| --- | --- |");
    for (const [code, page] of rows) {
      index.push(`| [\`${code}\`](./${code}.md) | ${page.happened.replaceAll("|", "\\|")} |`);
      writeFileSync(join(folder, `${code}.md`), errorPage(code, topic, page, examples.get(code)));
    }
    index.push("");
  }
  writeFileSync(join(folder, "index.md"), `${index.join("\n").trim()}\n`);
  return Object.keys(explained);
}

/** The consequence for a run, by the word of the table of codes. */
const consequences = {
  end: "A run that has this error ends with it.",
  giveBack: "A run that has this error does not end: it is given back, and stays open.",
  refuse: "The call is refused. A run that cannot begin because of it ends.",
};

/**
 * The facts of a code, from the table that decides what follows.
 *
 * @param {string} code
 */
function factLines(code) {
  const { origin, retryable, forRun } = factsOfCode(code);
  const again = origin === "model" ? "The error says for itself if it is `retryable`." : `\`retryable\`: ${retryable}.`;
  return [`Origin: ${origin}. ${again} ${consequences[forRun]}`, ""];
}

/**
 * @param {string} code
 * @param {string} topic
 * @param {Explanation} page
 * @param {import("../../scripts/lib/error-examples.mjs").ErrorExample | undefined} example
 */
function errorPage(code, topic, { happened, why, do: remedy }, example) {
  return [
    "---",
    `description: ${JSON.stringify(`${code}: ${happened}`)}`,
    "---",
    "",
    `# ${code}`,
    "",
    happened,
    "",
    "## Why it happens",
    "",
    why,
    "",
    "## What to do",
    "",
    remedy,
    "",
    ...factLines(code),
    ...(example === undefined ? [] : ["## Example", "", `\`\`\`${example.language}`, example.text, "```", ""]),
    `More codes of this topic: [${topic}](./index.md#${topic.toLowerCase().replaceAll(/[^a-z]+/g, "-")}). Guides: ${guides[topic]}.`,
    "",
  ].join("\n");
}
