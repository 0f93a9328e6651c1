// The example in examples/vite, with the packages of the workspace loaded from source.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { modelServer } from "../../packages/testing/src/model-server/index.ts";
import { openCases } from "../lib/cases.mjs";
import { driveExample, installExample } from "../lib/example.mjs";

const folder = fileURLToPath(new URL("../../examples/vite/", import.meta.url));
const { check, end } = openCases("example-vite", new URL("./", import.meta.url));

await check("the example is installed from its lockfile", () => installExample(folder));
await check("the page is built", async () => {
  const { build } = await import(pathToFileURL(createRequire(join(folder, "package.json")).resolve("vite")).href);
  const conditions = ["@bailiwick/source", "module", "browser", "development|production"];
  await build({ root: folder, resolve: { conditions }, logLevel: "error" });
});
await check("an approval survives a reload of the page", () =>
  driveExample({ folder, start: ["--conditions=@bailiwick/source", "server.ts"], chromium, modelServer }),
);
end();
