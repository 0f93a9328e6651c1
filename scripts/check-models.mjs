// `pnpm check:models LIST.json`: compares the table of models with a newer list, such as LiteLLM's
// `model_prices_and_context_window.json`, which is given as a file. Fails when a window, a limit or a price differs.
import { readFileSync } from "node:fs";
import { knownModels } from "../packages/core/src/provider.ts";
import { compareModels } from "./lib/model-list.mjs";

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error("Name the newer list: pnpm check:models model_prices_and_context_window.json");
  process.exit(2);
}
const { differences, absent, unlisted } = compareModels(knownModels, JSON.parse(readFileSync(path, "utf8")));
for (const line of differences) console.error(line);
if (absent.length > 0) console.log(`not in the list: ${absent.join(", ")}`);
if (unlisted.length > 0) console.log(`only in the list: ${unlisted.join(", ")}`);
console.log(`${Object.keys(knownModels).length} models, ${differences.length} differences`);
process.exitCode = differences.length > 0 ? 1 : 0;
