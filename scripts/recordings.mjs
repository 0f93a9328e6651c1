// `pnpm recordings add FILE [FOLDER]` adds recorded exchanges with model servers to the folder of recordings, in the form that
// its README describes. Keys, organisations, mail addresses, home folders and large data are removed. Read what was added
// before you publish it: other names cannot be recognized.
import { appendFileSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { wireRecordings } from "./lib/capabilities.mjs";
import { prepared } from "./lib/recordings.mjs";

const [command, file, folder = join(wireRecordings, "..", "recordings")] = process.argv.slice(2);
if (command !== "add" || file === undefined || !existsSync(folder)) {
  console.error(`Write pnpm recordings add FILE [FOLDER]. The folder is ${folder}.`);
  process.exit(2);
}
const ids = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl") && name !== "defects.jsonl")
  .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean))
  .map((line) => JSON.parse(line).id);
for (const added of prepared(readFileSync(file, "utf8"), new Set(ids))) {
  appendFileSync(join(folder, added.file), `${added.line}\n`);
  console.log(added.id);
}
