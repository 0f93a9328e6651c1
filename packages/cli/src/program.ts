import { Command } from "commander";
import { addCrashCommand } from "./commands/crash.ts";
import { addDeclareCommand } from "./commands/declare.ts";
import { addDevCommands } from "./commands/dev.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addEvalCommand } from "./commands/eval.ts";
import { addExplainCommand } from "./commands/explain.ts";
import { addInboxCommands } from "./commands/inbox.ts";
import { addMcpCommand } from "./commands/mcp.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addQuestionsCommand } from "./commands/questions.ts";
import { addRehearseCommand } from "./commands/rehearse.ts";
import { addRunsCommands } from "./commands/runs.ts";
import { addSchedulesCommands } from "./commands/schedules.ts";
import { addSimulateCommand } from "./commands/simulate.ts";
import { addSkillsCommands } from "./commands/skills.ts";
import { addWorkerCommand } from "./commands/worker.ts";

/**
 * Makes the command line.
 *
 * @param version - Version of the package.
 */
export function createProgram(version: string): Command {
  const program = new Command("bailiwick")
    .description("Look at runs, decide questions, develop, drive and serve agents.")
    .version(version)
    .showHelpAfterError("Add --help for the options.")
    .configureOutput({ outputError: (text, write) => write(text) });
  addDevCommands(program);
  addRunsCommands(program);
  addInboxCommands(program);
  addWorkerCommand(program);
  addSchedulesCommands(program);
  addMcpCommand(program);
  addMigrateCommand(program);
  addEvalCommand(program);
  addRehearseCommand(program);
  addQuestionsCommand(program);
  addSimulateCommand(program);
  addCrashCommand(program);
  addDoctorCommand(program);
  addDeclareCommand(program);
  addSkillsCommands(program);
  addExplainCommand(program);
  for (const command of commandsOf(program)) command.exitOverride().allowExcessArguments(false);
  return program;
}

/** Lists a command and all its subcommands. */
export function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}
