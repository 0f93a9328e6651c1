// Runs agents in Bun. One line a case; ends with 1 when one differs from expected-failures.json.
import { binary } from "../lib/binary.mjs";
import { runHost } from "../lib/run-host.mjs";

const here = new URL("./", import.meta.url);
const bun = binary(here, "bun", `@oven/bun-${process.platform}-${process.arch}`, "bin/bun");
await runHost("bun", here, bun, ["--conditions=@bailiwick/source"]);
