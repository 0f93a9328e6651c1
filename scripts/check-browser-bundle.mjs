// Bundles what runs outside Node for the browser: it must need no module of Node and stay within its size.
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { root } from "./lib/project.mjs";

/** Gzipped bytes that each entry may weigh, with everything that it loads at its start. */
const budgets = { core: 120_000, agent: 160_000 };

for (const [name, budget] of Object.entries(budgets)) {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "@bailiwick/${name}";`, resolveDir: `${root}/apps/desk`, loader: "ts" },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["browser", "@bailiwick/source"],
    external: ["@napi-rs/keyring"],
    logLevel: "silent",
  }).catch((error) => {
    console.error(`@bailiwick/${name} does not bundle for the browser\n${error.message}`);
    process.exit(1);
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const size = gzipSync(code).length;
  if (/\b(?:import|from|require)\s*\(?\s*["']node:\w/.test(new TextDecoder().decode(code))) {
    console.error(`@bailiwick/${name} loads a module of Node`);
    process.exitCode = 1;
  }
  if (size > budget) {
    console.error(`@bailiwick/${name} weighs ${size} bytes gzipped, its budget is ${budget}`);
    process.exitCode = 1;
  }
  console.log(`@bailiwick/${name}: ${size} of ${budget} bytes gzipped`);
}
