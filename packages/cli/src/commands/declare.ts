import type { FieldQuestion, ResultQuestion, Writers } from "@bailiwick/agent/declare";
import type { ToolExplanation } from "@bailiwick/core";
import type { Command } from "commander";
import type { Target } from "../entry/target.ts";
import { exitCodes } from "../exit-codes.ts";
import { askLine } from "../output/ask.ts";
import { writeGiven } from "../output/files.ts";
import { oneLine } from "../output/printable.ts";
import type { Terminal } from "../output/terminal.ts";
import { type ExitCode, targetAction, withTarget } from "./context.ts";
import { allSamples, allToolsOf, declarationsPath, readDeclarations } from "./declarations-of.ts";
import { requireConfig } from "./require-config.ts";

interface DeclareOptions {
  readonly write?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly check?: boolean | undefined;
  readonly file?: string | undefined;
}

/** Adds `bailiwick declare`. */
export function addDeclareCommand(program: Command): void {
  withTarget(program.command("declare"))
    .description("propose the declarations of tools whose effect is guessed; exits with 1 if there are any")
    .option(
      "--write",
      "write the proposals to a file; at a terminal, ask who writes the results of each tool that reads",
    )
    .option("--yes", "write the proposals and ask nothing: results stay untrusted")
    .option("--check", "compare the file with the tools, for CI; exits with 1 if a tool is new or has changed")
    .option("--file <path>", "file with the declarations (default: declarations.ts beside the entry module)")
    .action(
      targetAction<DeclareOptions>(async ({ terminal, target, options }) => {
        requireConfig(target, "declare");
        const path = declarationsPath(target, options.file);
        if (options.check === true) return check(terminal, target, path);
        if (options.write === true || options.yes === true) return write(terminal, target, path, options.yes === true);
        return show(terminal, target);
      }),
    );
}

async function show(terminal: Terminal, target: Target): Promise<ExitCode> {
  const explained = target.agents.map(async (agent) =>
    (await agent.explainTools()).filter(isOpen).map((tool) => ({ agent: agent.name, ...tool })),
  );
  const rows = (await Promise.all(explained)).flat();
  terminal.result(rows, () =>
    rows.length === 0
      ? "Every tool declares its effect."
      : rows
          .map(({ agent, name, effect, why, declaration }) =>
            [
              `${terminal.paint("bold", name)} of agent ${agent} counts as a ${effect}: ${oneLine(why, 300)}`,
              `  Add: ${declaration ?? ""}`,
            ].join("\n"),
          )
          .join("\n\n"),
  );
  return rows.length === 0 ? exitCodes.done.code : exitCodes.failed.code;
}

async function write(terminal: Terminal, target: Target, path: string, isYes: boolean): Promise<ExitCode> {
  const { declarationsFile, proposeDeclarations } = await import("@bailiwick/agent/declare");
  const isAsking = !isYes && process.stdin.isTTY;
  const declarations = await proposeDeclarations(allToolsOf(target), {
    before: await readDeclarations(path),
    ...(isAsking && { samples: await allSamples(target), whoWrites: askWho, isOwnField: askAbout }),
  });
  await writeGiven(path, declarationsFile(declarations));
  const names = Object.keys(declarations);
  terminal.result({ file: path, tools: names }, () =>
    [
      `Wrote ${path} with the declarations of ${names.length} tools. Review them: a guess can be wrong.`,
      `Then use them: tools: declared([...], declarations), with "declared" from @bailiwick/agent/declare.`,
    ].join("\n"),
  );
  return exitCodes.done.code;
}

/** Asks the person at the terminal about a tool that reads. Any other answer than "no" or "some" leaves it untrusted. */
async function askWho({ text, samples }: ResultQuestion): Promise<Writers> {
  const shown = samples.map((sample) => oneLine(JSON.stringify(sample), 60)).join(", ");
  const was = shown === "" ? "" : `\n  It returned: ${shown}`;
  const answer = await askLine(`${oneLine(text, 300)}${was}\n  [yes/no/some fields, default yes] `);
  if (/^no?$/iu.test(answer)) return "own";
  return /^s(?:ome)?\b/iu.test(answer) ? "mixed" : "outside";
}

/** Asks the person at the terminal. Returns true for "no"; any other answer leaves the field untrusted. */
async function askAbout({ text, samples }: FieldQuestion): Promise<boolean> {
  const shown = samples.map((sample) => oneLine(JSON.stringify(sample), 60)).join(", ");
  const answer = await askLine(`${oneLine(text, 300)}\n  It was: ${shown}\n  [yes/no, default yes] `);
  return /^no?$/iu.test(answer);
}

async function check(terminal: Terminal, target: Target, path: string): Promise<ExitCode> {
  const { checkDeclarations } = await import("@bailiwick/agent/declare");
  const declarations = await readDeclarations(path);
  const problems = await checkDeclarations(allToolsOf(target), declarations ?? {});
  terminal.result(problems, () =>
    problems.length === 0
      ? "The declarations fit the tools."
      : problems.map(({ text }) => oneLine(text, 500)).join("\n"),
  );
  return problems.length === 0 ? exitCodes.done.code : exitCodes.failed.code;
}

/** True if a property of a tool is guessed or defaulted. */
function isOpen({ declaration }: ToolExplanation): boolean {
  return declaration !== undefined;
}
