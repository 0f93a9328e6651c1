import { postgresStore } from "./postgres-store.ts";

// A program that ends without closing its store.
const store = postgresStore({ url: process.env["BAILIWICK_POSTGRES_URL"] ?? "", schema: process.argv[2] });
const record = { id: "r", agentId: "a", definitionHash: "", sessionId: "s", input: "go" };
await store.create(record, { owner: "o", ttlMs: 60_000 });
await new Promise<void>((resolve) => {
  store.subscribe?.("r", resolve);
  void store.signal("r", { name: "steer", id: "x", payload: 1 });
});
process.stdout.write("over");
