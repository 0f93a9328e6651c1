import { continueUnfinished, type Continuation } from "./agent/unfinished-runs.ts";
import { parseCommand, type Command } from "./cli/parse-command.ts";
import { exitCodes } from "./cli/report-outcome.ts";
import { runCommand } from "./cli/run-command.ts";
import { usage } from "./cli/usage.ts";
import { openDesk } from "./desk.ts";
import { oneLine } from "./one-line.ts";
import { readSettings } from "./settings.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const command = parseCommand(args);
    if (command.name === "help") {
      console.log(usage);
      return exitCodes.done;
    }
    return await execute(command);
  } catch (error) {
    console.error(oneLine(error));
    return exitCodes.failed;
  }
}

/** Executes the command and prints its outcome; then continues the runs of killed processes. */
async function execute(command: Exclude<Command, { name: "help" }>): Promise<number> {
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  const continuation: Continuation = { signal: interrupted.signal, say: (line) => console.error(line) };
  await using desk = await openDesk(readSettings(process.env));
  let exitCode: number;
  try {
    const outcome = await runCommand(command, desk, continuation);
    console.log(command.json ? JSON.stringify(outcome.json, null, 2) : outcome.lines.join("\n"));
    exitCode = outcome.exitCode;
  } catch (error) {
    console.error(oneLine(error));
    exitCode = exitCodes.failed;
  }
  if (!interrupted.signal.aborted) await continueUnfinished(desk, continuation);
  return exitCode;
}
