// Starts a run of the desk in a separate process: prints its id, and runs until it is killed if it hangs.
import { desk } from "./desk.fixture.ts";

const handle = desk.stream(process.argv[2] ?? "hello", {
  detached: true,
  tenantId: process.env["DESK_TENANT"],
  userId: process.env["DESK_USER"],
});
console.log(`run ${handle.runId}`);
const { status } = await handle.result;
console.log(`ended ${status}`);
process.exit();
