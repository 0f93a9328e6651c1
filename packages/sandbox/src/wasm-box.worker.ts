// A thread that runs code of others in interpreters: see `sandbox/wasm/box-thread.ts` for the other end.
import { parentPort, workerData } from "node:worker_threads";

import { serveTasks } from "./wasm/inside/serve-tasks.ts";

if (parentPort !== null) serveTasks(parentPort, workerData as object);
