// `pnpm models:table FOLDER RECORDINGS DAY` writes the tables of models in packages/core/src/models/tables. FOLDER holds
// `node_modules` with @earendil-works/pi-ai, the vendors' SDKs and the vendors' packages of the AI SDK; RECORDINGS is a folder
// of recorded conversations; DAY is the day of the packages (2026-11-20). Prints where sources disagree, and changed rows.
import { writeFileSync } from "node:fs";
import { knownModels } from "../packages/core/src/provider.ts";
import { modelRows } from "./lib/model-rows.mjs";
import { readAliases, readPackages } from "./lib/model-sources.mjs";

const [folder, recordings, day] = process.argv.slice(2);
if (folder === undefined || recordings === undefined || !/^\d{4}-\d\d-\d\d$/.test(day ?? "")) {
  console.error(
    "Name a folder with the packages, one with recordings, and the day: pnpm models:table /tmp/sources ../recordings 2026-11-20",
  );
  process.exit(2);
}
const packages = readPackages(folder);
const { rows, disagreements } = modelRows(packages, readAliases(recordings), day ?? "");
for (const [vendor, name] of [
  ["openai", "openai"],
  ["anthropic", "anthropic"],
  ["google", "google"],
]) {
  const own = Object.entries(rows)
    .filter(([id]) => id.startsWith(`${vendor}/`))
    .sort(([one], [two]) => (one < two ? -1 : 1));
  const lines = own.map(([id, row]) => `  ${JSON.stringify(id)}: ${literal(row)},`);
  writeFileSync(
    new URL(`../packages/core/src/models/tables/${name}.ts`, import.meta.url),
    `// Made by scripts/model-table.mjs: run it again instead of editing a row. Prices, windows and efforts are from the catalogue
// of @earendil-works/pi-ai ${packages.version} (Copyright (c) Mario Zechner, MIT license); the rest from scripts/lib/model-facts.mjs.
import type { KnownModel } from "../known-model.ts";

/** One model a line. */
export const ${name}Models: Readonly<Record<\`${vendor}/\${string}\`, KnownModel>> = {
${lines.join("\n")}
};
`,
  );
}
for (const line of disagreements) console.log(line);
const known = /** @type {Readonly<Record<string, any>>} */ (knownModels);
for (const id of new Set([...Object.keys(known), ...Object.keys(rows)])) {
  if (!(id in rows)) console.log(`removed: ${id}`);
  else if (!(id in known)) console.log(`new: ${id}`);
  else if (literal(known[id]) !== literal(/** @type {any} */ (rows[id]))) console.log(`changed: ${id}`);
}
console.log(`${Object.keys(rows).length} models, ${disagreements.length} disagreements`);

/**
 * @param {unknown} value
 * @returns {string} the value as it is written in code
 */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(
      ([name, each]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${literal(each)}`,
    );
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }
  return JSON.stringify(value);
}
