import type { Command } from "commander";
import { exitCodes } from "./exit-codes.ts";
import { commandsOf } from "./program.ts";

/** Writes the tables of commands, options and exit codes for the guide, as Markdown. */
export function commandTables(program: Command): string {
  const leaves = commandsOf(program).filter(({ commands }) => commands.length === 0);
  return [
    "## Commands",
    ...leaves.flatMap(commandSection),
    "",
    "## Exit codes",
    "",
    "| code | meaning |",
    "| ---- | ------- |",
    ...Object.values(exitCodes).map(({ code, meaning }) => `| ${code} | ${meaning} |`),
    "",
  ].join("\n");
}

function commandSection(command: Command): readonly string[] {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  const usage = [
    ...names,
    ...command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
  ];
  const options = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== "--help" && long !== "--version");
  return [
    "",
    `### ${names.slice(1).join(" ")}`,
    "",
    `\`${usage.join(" ")}\`: ${command.description()}.`,
    ...(options.length === 0
      ? []
      : [
          "",
          "| option | meaning |",
          "| ------ | ------- |",
          ...options.map(({ flags, description, argChoices, defaultValue }) => {
            const choices = argChoices === undefined ? "" : ` (${argChoices.map((one) => `\`${one}\``).join(", ")})`;
            const usual = typeof defaultValue === "number" ? ` (default: ${defaultValue})` : "";
            return `| \`${flags}\` | ${description}${choices}${usual} |`;
          }),
        ]),
  ];
}
