// Starts a child that never answers, and writes down both process ids, one a line.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const file = process.argv[2] ?? "";
const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6)"], {
  stdio: "inherit",
});
process.on("SIGTERM", () => undefined);
setInterval(() => undefined, 1e6);
appendFileSync(file, `${process.pid}\n${child.pid ?? 0}\n`);
