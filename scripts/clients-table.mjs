// Writes the table of clients in docs/guides/chat.md from clients/*/client.json, the versions that these clients pin, and
// their expected failures; with --check it fails where the page differs.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { rowsOf } from "./hosts-table.mjs";

const root = new URL("../", import.meta.url);
const page = new URL("docs/guides/chat.md", root);
const begin = "<!-- clients: written by scripts/clients-table.mjs -->";
const end = "<!-- /clients -->";

/** Columns of the table, in their order; a client may have any of them. */
export const features = [
  "messages",
  "history",
  "resume",
  "approvals",
  "questions",
  "stop",
  "edit and regenerate",
  "client tools",
  "users apart",
];

/**
 * @typedef {object} ChatClient
 * @property {string} name
 * @property {string} package the package whose pinned version is shown
 * @property {string} route the route that it talks to
 * @property {Readonly<Record<string, readonly string[]>>} works the checks of each feature, by their names
 */

/** @returns {readonly { folder: string, client: ChatClient, pins: Readonly<Record<string, string>>, failures: Readonly<Record<string, string>> }[]} */
export function chatClients() {
  return readdirSync(new URL("clients/", root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((folder) => {
      const client = readJson(`clients/${folder}/client.json`);
      if (client === undefined) return [];
      const pins = readJson(`clients/${folder}/package.json`)?.dependencies ?? {};
      return [{ folder, client, pins, failures: readJson(`clients/${folder}/expected-failures.json`) ?? {} }];
    });
}

/** @returns {string} the table, from what is on disk */
export function clientsTable() {
  const head = ["client", "tested with", "route", ...features, "tested by"];
  const rows = chatClients().map(({ folder, client, pins, failures }) => {
    const unknown = Object.keys(client.works).filter((feature) => !features.includes(feature));
    if (unknown.length > 0) throw new Error(`clients/${folder}/client.json: no such feature: ${unknown.join(", ")}.`);
    const version = pins[client.package];
    if (version === undefined) throw new Error(`clients/${folder}/package.json does not pin ${client.package}.`);
    const cells = features.map((feature) => cell(client.works[feature], failures));
    return [client.name, `\`${client.package}\` ${version}`, client.route, ...cells, `\`clients/${folder}\``];
  });
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/**
 * @param {readonly string[] | undefined} checks
 * @param {Readonly<Record<string, string>>} failures
 */
function cell(checks, failures) {
  if (checks === undefined) return "";
  const failing = checks.filter((name) => Object.hasOwn(failures, name));
  if (failing.length === 0) return "yes";
  const reasons = failing.map((name) => failures[name]).join(" ");
  return failing.length === checks.length ? `no: ${reasons}` : `yes, but: ${reasons}`;
}

/** @param {string} path */
function readJson(path) {
  let text;
  try {
    text = readFileSync(new URL(path, root), "utf8");
  } catch {
    return undefined;
  }
  return JSON.parse(text);
}

/**
 * @param {string} text the page
 * @returns {string} the page with the table as it should be
 */
export function withClients(text) {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < 0) throw new Error(`docs/guides/chat.md has no "${begin}" and "${end}".`);
  return `${text.slice(0, from)}${begin}\n\n${clientsTable()}\n\n${text.slice(to)}`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const text = readFileSync(page, "utf8");
  if (!process.argv.includes("--check")) writeFileSync(page, withClients(text));
  else if (rowsOf(text).join("\n") !== rowsOf(withClients(text)).join("\n")) {
    console.error("docs/guides/chat.md differs from clients/*/client.json. Run: node scripts/clients-table.mjs");
    process.exit(1);
  }
}
