import { flushCompileCache } from "node:module";
import { sqliteStore } from "../sqlite-store.ts";

/** Opens a store, which migrates its file. */
flushCompileCache();
const [path = ""] = process.argv.slice(2);
const store = sqliteStore({ path });
process.stdout.write("migrated\n");
await store.close();
