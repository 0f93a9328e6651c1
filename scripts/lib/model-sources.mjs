// Reads the sources of the tables of models: packages in a `node_modules` folder, and recorded conversations.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** @typedef {Readonly<Record<string, any>>} Row one entry of a source */

const catalogue = "@earendil-works/pi-ai";
const vendors = /** @type {const} */ (["openai", "anthropic", "google"]);

/**
 * Files in which packages list the ids of models, by vendor.
 *
 * @type {readonly (readonly [string, string, string, RegExp])[]}
 */
const idLists = [
  ["openai", "openai", "resources/shared.d.ts", /'((?:gpt-[4-9]|o\d)[a-z0-9.-]*)'/g],
  ["openai", "@ai-sdk/openai", "dist/index.d.ts", /'((?:gpt-[4-9]|o\d)[a-z0-9.-]*)'/g],
  ["anthropic", "@anthropic-ai/sdk", "resources/messages/messages.d.ts", /'(claude-[a-z]+-[0-9][a-z0-9-]*)'/g],
  ["anthropic", "@ai-sdk/anthropic", "dist/index.d.ts", /'(claude-[a-z]+-[0-9][a-z0-9-]*)'/g],
  ["google", "@google/genai", "dist/genai.d.ts", /'(gemini-[0-9][a-z0-9.-]*)'/g],
  ["google", "@ai-sdk/google", "dist/index.d.ts", /'(gemini-[0-9][a-z0-9.-]*)'/g],
];

/**
 * @param {string} folder - Holds `node_modules` with the packages.
 * @returns {{ vendors: Readonly<Record<string, Map<string, Row>>>, gateways: Readonly<Record<string, Map<string, Row>>>,
 *   ids: readonly { vendor: string, source: string, ids: ReadonlySet<string> }[], version: string }} the catalogue's rows by
 *   id, those of gateways by `vendor/id`, and the ids that other packages list
 */
export function readPackages(folder) {
  const root = join(folder, "node_modules");
  const data = join(root, catalogue, "dist/providers/data");
  /** @param {string} name */
  const rows = (name) => {
    const lists = Object.values(JSON.parse(readFileSync(join(data, `${name}.json`), "utf8")));
    const chat = lists.flatMap((list) => Object.values(list)).filter(({ type }) => type === "chat");
    return new Map(chat.map((/** @type {Row} */ row) => [row.id, row]));
  };
  const ids = idLists.flatMap(([vendor, name, file, form]) => {
    const path = join(root, name, file);
    if (!existsSync(path)) return [];
    const found = [...readFileSync(path, "utf8").matchAll(form)].map(([, id]) => id ?? "");
    return found.length === 0 ? [] : [{ vendor, source: `${name} ${versionOf(root, name)}`, ids: new Set(found) }];
  });
  return {
    vendors: Object.fromEntries(vendors.map((name) => [name, rows(name)])),
    gateways: Object.fromEntries(["openrouter", "vercel-ai-gateway", "azure"].map((name) => [name, rows(name)])),
    ids,
    version: versionOf(root, catalogue),
  };
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {string}
 */
function versionOf(root, name) {
  return JSON.parse(readFileSync(join(root, name, "package.json"), "utf8")).version;
}

const servers = /** @type {Readonly<Record<string, string>>} */ ({
  "api.openai.com": "openai",
  "api.anthropic.com": "anthropic",
  "generativelanguage.googleapis.com": "google",
});

/**
 * Reads other names of models from recordings: the id that was asked, and the one that answered.
 *
 * @param {string} folder - Recorded conversations, JSON Lines.
 * @returns {ReadonlyMap<string, string>} answering `vendor/id` by asked one
 */
export function readAliases(folder) {
  /** @type {Map<string, string>} */
  const aliases = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl") && name !== "defects.jsonl")) {
    for (const line of readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean)) {
      const { server, model, response } = JSON.parse(line);
      const vendor = servers[server];
      if (vendor === undefined || typeof model !== "string") continue;
      const body = JSON.stringify(response.body ?? response.stream ?? "").replaceAll('\\"', '"');
      const answered = /"(?:model|modelVersion)":\s*"([^"]+)"/.exec(body)?.[1];
      if (answered !== undefined && answered !== model) aliases.set(`${vendor}/${model}`, `${vendor}/${answered}`);
    }
  }
  return aliases;
}
