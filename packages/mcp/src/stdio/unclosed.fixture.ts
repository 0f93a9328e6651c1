// Connects to a server that is a program, uses it, and forgets to close it: this process has to end by itself.
import { fileURLToPath } from "node:url";
import { mcp } from "../index.ts";

const tracker = mcp({
  name: "tracker",
  command: process.execPath,
  args: ["--conditions=@bailiwick/source", fileURLToPath(new URL("../stdio-tracker.fixture.ts", import.meta.url))],
  sandbox: "none",
});
console.log(Object.keys(await tracker.pins()).length > 0 ? "listed" : "empty");
