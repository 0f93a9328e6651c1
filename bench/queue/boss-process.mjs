// One process that takes jobs of pg-boss, which do nothing.
import { PgBoss } from "../../packages/store-postgres/node_modules/pg-boss/dist/index.js";

const [schema, batch] = process.argv.slice(2);
const boss = new PgBoss({ connectionString: process.env.BAILIWICK_POSTGRES_URL, schema, supervise: false, schedule: false });
await boss.start();
await boss.work("jobs", { pollingIntervalSeconds: 0.5, batchSize: Number(batch) }, async (jobs) => {
  for (const { id } of jobs) process.send?.({ runId: id, at: Date.now() });
});
process.send?.({ ready: true });
