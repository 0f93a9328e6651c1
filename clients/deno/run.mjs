// Runs agents in Deno. One line a case; ends with 1 when one differs from expected-failures.json.
import { binary } from "../lib/binary.mjs";
import { runHost } from "../lib/run-host.mjs";

const here = new URL("./", import.meta.url);
const libc = process.platform === "linux" ? "-glibc" : "";
const deno = binary(here, "deno", `@deno/${process.platform}-${process.arch}${libc}`, "deno");
await runHost("deno", here, deno, ["run", "-A", "--conditions=@bailiwick/source", "--node-modules-dir=manual"]);
