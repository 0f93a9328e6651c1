// Stores a run: npm run enqueue -- "Refund order 1042". The worker drives it.
import { desk } from "./desk.ts";
import { store } from "./store.ts";

const { runId } = await desk.enqueue(process.argv[2] ?? "Where is order 1042?");
console.log(runId);
await store.close();
