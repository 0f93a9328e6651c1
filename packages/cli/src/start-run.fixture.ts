// Starts a run of the desk in a separate process: prints its id, and runs until it is killed if it hangs.
import { desk } from "./desk.fixture.ts";

const handle = desk.stream(process.argv[2] ?? "hello", { detached: true });
console.log(`run ${handle.runId}`);
const { status } = await handle.result;
console.log(`ended ${status}`);
process.exit();
