// Stores a schedule: npm run schedule. The worker starts its runs; `npx bailiwick schedules list` shows them.
import { schedule } from "@bailiwick/worker";
import { desk } from "./desk.ts";
import { store } from "./store.ts";

await schedule({
  id: "morning",
  agent: desk,
  cron: "0 8 * * 1-5",
  timezone: "Europe/Berlin",
  input: "Which orders are late?",
});
await store.close();
