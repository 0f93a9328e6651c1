// The example in examples/next, with the packages as they are built: Next bundles some of them.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { runStep } from "../../scripts/lib/processes.mjs";
import { pnpmCommand, root } from "../../scripts/lib/project.mjs";
import { modelServer } from "../../packages/testing/src/model-server/index.ts";
import { openCases } from "../lib/cases.mjs";
import { driveExample, installExample } from "../lib/example.mjs";

const folder = fileURLToPath(new URL("../../examples/next/", import.meta.url));
const next = join(folder, "node_modules/next/dist/bin/next");
const { check, end } = openCases("example-next", new URL("./", import.meta.url), { seconds: 300 });
const used = ["agent", "providers-openai", "react", "server", "store-sqlite"];

await check("the packages are built", async () => {
  const [pnpm, ...args] = pnpmCommand();
  const filters = used.map((name) => `--filter=./packages/${name}...`);
  await runStep(
    "build",
    pnpm,
    [...args, "exec", "turbo", "run", "build", ...filters, "--output-logs=errors-only"],
    root,
  );
});
await check("the example is installed from its lockfile", () => installExample(folder));
await check("the example is built", () =>
  runStep("next build", process.execPath, [next, "build"], folder, { NEXT_TELEMETRY_DISABLED: "1" }),
);
await check("an approval survives a reload of the page", () =>
  driveExample({ folder, start: [next, "start", "--hostname", "127.0.0.1", "--port", "0"], chromium, modelServer }),
);
end();
