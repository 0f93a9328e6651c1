import { parseCommand, type Command } from "./cli/parse-command.ts";
import { exitCodes, type Outcome } from "./cli/report-outcome.ts";
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
    const outcome = await execute(command);
    console.log(command.json ? JSON.stringify(outcome.json, null, 2) : outcome.lines.join("\n"));
    return outcome.exitCode;
  } catch (error) {
    console.error(oneLine(error));
    return exitCodes.failed;
  }
}

async function execute(command: Exclude<Command, { name: "help" }>): Promise<Outcome> {
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  await using desk = await openDesk(readSettings(process.env));
  return await runCommand(command, desk, interrupted.signal);
}
