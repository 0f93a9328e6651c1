// A thread that runs third-party code in interpreters; `sandbox/wasm/sandbox-thread.ts` is the other end.
import { parentPort, workerData } from "node:worker_threads";

import { serveTasks } from "./wasm/inside/serve-tasks.ts";

if (parentPort !== null) serveTasks(parentPort, workerData as object);
