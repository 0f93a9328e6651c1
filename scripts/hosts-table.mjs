// Writes the table of hosts in docs/guides/hosts.md from clients/*/host.json and the versions that these clients pin; with
// --check it fails where the page differs.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const root = new URL("../", import.meta.url);
const page = new URL("docs/guides/hosts.md", root);
const begin = "<!-- hosts: written by scripts/hosts-table.mjs -->";
const end = "<!-- /hosts -->";

/**
 * @typedef {object} Host
 * @property {string} name
 * @property {string} version a version, or a package whose pinned version is meant
 * @property {string} stores
 * @property {string} afterResponse
 * @property {string} limits
 */

/** @returns {string} the rows, from what is on disk */
export function hostsTable() {
  const folders = readdirSync(new URL("clients/", root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const rows = folders.flatMap((folder) => {
    const hosts = readJson(`clients/${folder}/host.json`);
    if (hosts === undefined) return [];
    const pins = readJson(`clients/${folder}/package.json`)?.dependencies ?? {};
    return [hosts].flat().map((host) => row(host, pins, `\`clients/${folder}\``));
  });
  const { engines } = readJson("packages/store-sqlite/package.json");
  const node = {
    name: "Node",
    version: engines.node.replace(">=", "from "),
    stores: "all but `store-durable-objects`",
    afterResponse: "the process continues",
    limits: "",
  };
  const head = ["host", "tested with", "tested stores", "work after a response", "limits", "tested by"];
  return [
    `| ${head.join(" | ")} |`,
    `| ${head.map(() => "---").join(" | ")} |`,
    row(node, {}, "every test"),
    ...rows,
  ].join("\n");
}

/**
 * @param {Host} host
 * @param {Readonly<Record<string, string>>} pins
 * @param {string} tests
 */
function row({ name, version, stores, afterResponse, limits }, pins, tests) {
  const tested = pins[version] === undefined ? version : `${version} ${pins[version]}`;
  return `| ${[name, tested, stores, afterResponse, limits, tests].join(" | ")} |`;
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
export function withTable(text) {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < 0) throw new Error(`docs/guides/hosts.md has no "${begin}" and "${end}".`);
  return `${text.slice(0, from)}${begin}\n\n${hostsTable()}\n\n${text.slice(to)}`;
}

/**
 * @param {string} text the page
 * @returns {string[]} its rows, without the padding that the formatter adds
 */
export function rowsOf(text) {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.replaceAll(/\s+/g, " ").replaceAll(/-{3,}/g, "---"));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const text = readFileSync(page, "utf8");
  if (!process.argv.includes("--check")) writeFileSync(page, withTable(text));
  else if (rowsOf(text).join("\n") !== rowsOf(withTable(text)).join("\n")) {
    console.error(
      "docs/guides/hosts.md: the table differs from clients/*/host.json. Run: node scripts/hosts-table.mjs",
    );
    process.exit(1);
  }
}
