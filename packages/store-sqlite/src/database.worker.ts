import { workerData } from "node:worker_threads";
import type { Opened, ThreadData } from "./thread/messages.ts";

// The starter waits for this thread: the thread reports that it runs before anything can fail, and then the result of
// opening.
const data = workerData as ThreadData;
Atomics.store(data.progress, 0, 1);
Atomics.notify(data.progress, 0);
try {
  const { serveDatabase } = await import("./database/serve-database.ts");
  serveDatabase(data);
} catch (error) {
  const message = `The store "${data.name}" cannot be opened: its thread could not be loaded: ${String(error)}.`;
  data.port.postMessage({ failure: { kind: "store", code: "STORE_THREAD_UNAVAILABLE", message } } satisfies Opened, []);
} finally {
  Atomics.store(data.progress, 1, 1);
  Atomics.notify(data.progress, 1);
}
