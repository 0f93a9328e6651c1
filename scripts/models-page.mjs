// `pnpm models:page` writes docs/guides/model-servers.md from the records of the code; with --check it fails where the page
// differs or a record names no page.
import { readFileSync, writeFileSync } from "node:fs";
import { knownModels } from "../packages/core/src/provider.ts";
import { aiSdk } from "../packages/providers-ai-sdk/src/index.ts";
import { compatPages } from "../packages/providers-openai/src/compat-pages.ts";
import { compat } from "../packages/providers-openai/src/index.ts";
import { ollamaServer } from "../packages/providers-openai/src/ollama/record.ts";
import { modelsPage } from "./lib/models-page.mjs";

const path = new URL("../docs/guides/model-servers.md", import.meta.url);
const page = modelsPage({ compat, compatPages, ollamaServer, knownModels, aiSdk });
if (!process.argv.includes("--check")) {
  writeFileSync(path, page);
} else {
  const unsourced = Object.keys(compat).filter((name) => !(name in compatPages));
  if (unsourced.length > 0) console.error(`These records name no page: ${unsourced.join(", ")}.`);
  const differs = readFileSync(path, "utf8") !== page;
  if (differs) console.error("docs/guides/model-servers.md is not the page of the records: run pnpm models:page.");
  process.exitCode = differs || unsourced.length > 0 ? 1 : 0;
}
