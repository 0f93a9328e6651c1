// Its own process that stores runs in a file and is killed: the newest commits are in the write-ahead log.
import { sqliteStore } from "./sqlite-store.ts";

const [path = "", from = "0", to = "0"] = process.argv.slice(2);
const store = sqliteStore({ path, processes: "one" });
for (let n = Number(from); n < Number(to); n += 1)
  await store.create({ id: `run-${n}`, agentId: "a", definitionHash: "d", sessionId: `s${n}`, input: "x".repeat(500) });
console.log("stored");
setInterval(() => undefined, 1_000);
