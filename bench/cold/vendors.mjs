// Cold start of each adapter, from the start of a process to its first answer, beside the vendor's bare SDK.
// usage, from the root, after `pnpm build`: node bench/cold/vendors.mjs [ROUNDS]
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { modelServer } from "../../packages/testing/dist/model-server/index.js";

const rounds = Number(process.argv[2] ?? 10);
const file = fileURLToPath(new URL("first-answer.mjs", import.meta.url));
const run = promisify(execFile);
const flags = ["--experimental-import-meta-resolve", "--disable-warning=ExperimentalWarning"];
const empty = fileURLToPath(new URL("nothing.mjs", import.meta.url));

const took = {};
const note = (name, result) => (took[name] ??= []).push(result);
for (let round = 0; round < rounds; round += 1) {
  for (const vendor of ["openai", "anthropic", "google"]) {
    for (const who of round % 2 === 0 ? ["sdk", "ours"] : ["ours", "sdk"]) {
      await using server = await modelServer([{ text: "Hello." }], { strict: false });
      const { stdout } = await run(process.execPath, [...flags, file, vendor, who, server.baseURL(vendor)]);
      note(`${vendor} ${who}`, JSON.parse(stdout));
    }
  }
  note("node alone", JSON.parse((await run(process.execPath, [empty])).stdout));
}
for (const [name, results] of Object.entries(took)) {
  const of = (key) => results.map((result) => result[key]).toSorted((a, b) => a - b);
  const told = (key) => `best ${of(key)[0].toFixed(0)}, middle ${of(key)[results.length >> 1].toFixed(0)}`;
  console.log(`${name.padEnd(16)} ms: ${told("ms").padEnd(24)} CPU ms: ${told("cpuMs")}`);
}
