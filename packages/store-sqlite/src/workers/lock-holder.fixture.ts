import { DatabaseSync } from "node:sqlite";

/** A process that holds the write lock of a store. With `stopped`, it pauses inside its transaction. */
const [path = "", how] = process.argv.slice(2);
const database = new DatabaseSync(path, { timeout: 120_000 });
database.exec("BEGIN IMMEDIATE");
process.stdout.write("held\n");
process.once("SIGTERM", () => {
  database.exec("COMMIT");
  database.close();
});
// The signals that arrive while it is stopped are handled when it continues.
const alive = setInterval(() => undefined, 1_000);
process.once("SIGTERM", () => clearInterval(alive));
if (how === "stopped") process.kill(process.pid, "SIGSTOP");
