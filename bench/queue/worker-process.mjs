// One worker process: says when each run began and ended.
import { worker } from "../../packages/worker/src/index.ts";
import { benchAgent, openStore, quiet } from "./world.mjs";

const [place, concurrency] = process.argv.slice(2);
const store = openStore(place);
let collisions = 0;
worker({
  agents: [benchAgent(store)],
  store,
  concurrency: Number(concurrency),
  logger: quiet,
  onRun: ({ runId, output }) => {
    if (output === undefined) collisions += 1;
    if (process.connected) process.send?.({ runId, at: Date.now(), collisions });
  },
});
process.send?.({ ready: true });
