// Runs in its own sandbox, for one call of a tool; `sandbox/channel/run-call.ts` is the other end.
import { openChannel } from "./inside/host-channel.ts";
import { runTool } from "./inside/run-tool.ts";

const [fetchBy, folderVariable] = process.argv.slice(2);
// Set by the process that started this program; the tool's environment has only granted variables.
if (folderVariable === "no-folder-variable") delete process.env["PWD"];
await runTool(openChannel(), { fetchByHost: fetchBy === "fetch-by-host" });
