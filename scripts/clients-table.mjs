// Writes two tables from the folders of clients/ and the versions that these pin: the clients in docs/guides/chat.md, from
// each client.json, and the hosts in docs/guides/hosts.md, from each host.json. With --check it fails where a page differs.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const root = new URL("../", import.meta.url);

/** Columns of the table of clients, in their order; a client may have any of them. */
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
 * @property {string} [pins] the folder that pins it; default: the client's own
 * @property {string} route the route that it talks to
 * @property {Readonly<Record<string, readonly string[]>>} works the checks of each feature, by their names
 */

/**
 * @typedef {object} Host
 * @property {string} name
 * @property {string} version a version, or a package whose pinned version is meant
 * @property {string} stores
 * @property {string} afterResponse
 * @property {string} limits
 */

/**
 * A table that is written into a page.
 *
 * @typedef {object} WrittenTable
 * @property {string} page from the root
 * @property {string} mark the word in the comments around it
 * @property {readonly string[]} head
 * @property {() => readonly (readonly string[])[]} rows from what is on disk
 */

/** @type {readonly WrittenTable[]} */
export const tables = [
  {
    page: "docs/guides/chat.md",
    mark: "clients",
    head: ["client", "tested with", "route", ...features, "tested by"],
    rows: () => chatClients().map(clientRow),
  },
  {
    page: "docs/guides/hosts.md",
    mark: "hosts",
    head: ["host", "tested with", "tested stores", "work after a response", "limits", "tested by"],
    rows: hostRows,
  },
];

/**
 * @template T
 * @param {string} file such as client.json, with one entry or a list
 * @returns {readonly { folder: string, entry: T, pins: Readonly<Record<string, string>>, failures: Readonly<Record<string, string>> }[]}
 */
function entriesIn(file) {
  return readdirSync(new URL("clients/", root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((folder) => {
      const pins = readJson(`clients/${folder}/package.json`)?.dependencies ?? {};
      const failures = readJson(`clients/${folder}/expected-failures.json`) ?? {};
      return [readJson(`clients/${folder}/${file}`) ?? []].flat().map((entry) => ({ folder, entry, pins, failures }));
    });
}

/** The entries of each client.json. */
export const chatClients = () => /** @type {typeof entriesIn<ChatClient>} */ (entriesIn)("client.json");

/** @param {ReturnType<typeof chatClients>[number]} client */
function clientRow({ folder, entry, pins, failures }) {
  const unknown = Object.keys(entry.works).filter((feature) => !features.includes(feature));
  if (unknown.length > 0) throw new Error(`clients/${folder}/client.json: no such feature: ${unknown.join(", ")}.`);
  const manifest = entry.pins === undefined ? undefined : readJson(`${entry.pins}/package.json`);
  const version = { ...pins, ...manifest?.dependencies, ...manifest?.devDependencies }[entry.package];
  if (version === undefined) throw new Error(`No package.json of clients/${folder} pins ${entry.package}.`);
  const [published = entry.package, pinned = version] = /^npm:(.+)@([^@]+)$/.exec(version)?.slice(1) ?? [];
  const cells = features.map((feature) => cell(entry.works[feature], failures));
  return [entry.name, `\`${published}\` ${pinned}`, entry.route, ...cells, `\`clients/${folder}\``];
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

function hostRows() {
  const { engines } = readJson("packages/store-sqlite/package.json");
  const version = engines.node.replace(">=", "from ");
  const node = ["Node", version, "all but `store-durable-objects`", "the process continues", "", "every test"];
  const hosts = /** @type {typeof entriesIn<Host>} */ (entriesIn)("host.json");
  const rows = hosts.map(({ folder, entry, pins }) => {
    const tested = pins[entry.version] === undefined ? entry.version : `${entry.version} ${pins[entry.version]}`;
    return [entry.name, tested, entry.stores, entry.afterResponse, entry.limits, `\`clients/${folder}\``];
  });
  return [node, ...rows];
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
 * @param {WrittenTable} table
 * @returns {string} the page with the table as it should be
 */
export function withTable(text, { page, mark, head, rows }) {
  const begin = `<!-- ${mark}: written by scripts/clients-table.mjs -->`;
  const end = `<!-- /${mark} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < 0) throw new Error(`${page} has no "${begin}" and "${end}".`);
  const table = [head, head.map(() => "---"), ...rows()].map((row) => `| ${row.join(" | ")} |`).join("\n");
  return `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`;
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
  for (const table of tables) {
    const page = new URL(table.page, root);
    const text = readFileSync(page, "utf8");
    const wanted = withTable(text, table);
    if (!process.argv.includes("--check")) writeFileSync(page, wanted);
    else if (rowsOf(text).join("\n") !== rowsOf(wanted).join("\n")) {
      console.error(`${table.page} differs from the folders in clients/. Run: node scripts/clients-table.mjs`);
      process.exitCode = 1;
    }
  }
}
