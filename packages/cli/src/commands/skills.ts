import type { SkillRow, SkillShelf, SkillSource } from "@bailiwick/skills";
import type { Command } from "commander";
import { CommandError, usageError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { askLine } from "../output/ask.ts";
import { table } from "../output/table.ts";
import type { Terminal } from "../output/terminal.ts";
import { action, withJson, type ExitCode } from "./context.ts";

interface ShelfOptions {
  readonly from?: readonly string[] | undefined;
  readonly lock?: string | undefined;
  readonly own?: boolean | undefined;
}

interface AcceptOptions extends ShelfOptions {
  readonly by: string;
  readonly yes?: boolean | undefined;
  readonly hash?: string | undefined;
}

/** Adds `bailiwick skills`. */
export function addSkillsCommands(program: Command): void {
  const skills = program.command("skills").description("list, lock, compare and accept skills (SKILL.md folders)");
  const add = (name: string): Command =>
    withJson(
      skills
        .command(name)
        .option("--from <source...>", "folder of skills, or package:NAME of an installed package (default: ./skills)")
        .option("--lock <path>", "the lock file (default: skills.lock.json)"),
    );
  add("list")
    .description("list the skills with their source, trust, wished tools and size")
    .option("--own", "the folders are only yours: show their skills as own")
    .action(action<ShelfOptions>(async ({ terminal, options }) => list(terminal, await open(options))));
  add("lock")
    .description("write the sources and hashes of all skills to the lock file; accepts nothing")
    .action(
      action<ShelfOptions>(async ({ terminal, options }) => {
        const shelf = await open(options);
        await shelf.lock();
        const file = lockOf(options);
        terminal.result(
          { file, skills: shelf.rows.map(({ name, hash }) => ({ name, hash })) },
          () => `Wrote ${file} with ${shelf.rows.length} skills. Commit it, and run npx bailiwick skills check in CI.`,
        );
        return exitCodes.done.code;
      }),
    );
  add("diff [name]")
    .description("show what changed since the lock file")
    .action(
      action<ShelfOptions>(async ({ terminal, options }, name?: string) => {
        const text = await (await open(options)).diff(name);
        terminal.result({ diff: text }, () => (text === "" ? "Nothing has changed." : text));
        return exitCodes.done.code;
      }),
    );
  add("accept <name>")
    .description("show a skill of others, and take its text as your own after a yes")
    .requiredOption("--by <name>", "the person who accepts")
    .option("--yes", "accept without a question; needs --hash")
    .option("--hash <hash>", "the hash of the text that was read")
    .action(
      action<AcceptOptions>(async ({ terminal, options }, name = "") =>
        accept(terminal, await open(options), name, options),
      ),
    );
  add("check")
    .description("check that every skill is in the lock file and unchanged, for CI; exits with 1 otherwise")
    .action(
      action<ShelfOptions>(async ({ terminal, options }) => check(terminal, await open(options), lockOf(options))),
    );
}

const lockOf = ({ lock }: ShelfOptions): string => lock ?? "skills.lock.json";

async function open(options: ShelfOptions): Promise<SkillShelf> {
  const { openSkills } = await import("@bailiwick/skills");
  const sources = (options.from ?? ["./skills"]).map((one): SkillSource =>
    one.startsWith("package:") ? { package: one.slice("package:".length) } : one,
  );
  return openSkills(sources, { lock: lockOf(options), origin: options.own === true ? "own" : "outside" });
}

function list(terminal: Terminal, { rows, mistakes }: SkillShelf): ExitCode {
  terminal.result({ skills: rows, mistakes }, () =>
    [
      rows.length === 0
        ? "There are no skills."
        : table(
            terminal,
            ["name", "source", "state", "locked", "wished tools", "tokens"],
            rows.map((row) => [
              row.name,
              row.source,
              row.state,
              row.isLocked ? "yes" : "no",
              row.allowedTools.join(" "),
              String(row.tokens),
            ]),
          ),
      ...mistakes.map(({ file, line, problem }) => `${file}${line === undefined ? "" : `:${line}`}: ${problem}`),
    ].join("\n"),
  );
  return mistakes.length === 0 ? exitCodes.done.code : exitCodes.failed.code;
}

async function accept(terminal: Terminal, shelf: SkillShelf, name: string, options: AcceptOptions): Promise<ExitCode> {
  if (options.yes === true && options.hash === undefined)
    throw usageError("--yes needs --hash sha256-…, the hash of the text that was read.");
  const { hash, text, findings } = await shelf.show(name);
  const shown = findings.map(({ path, what, words }) => `- ${path}: ${what}: ${words}`);
  terminal.print(
    [text, "", `Hash: ${hash}`, ...(shown.length > 0 ? ["Look at these places:", ...shown] : [])].join("\n"),
  );
  if (options.yes !== true) {
    if (!terminal.interactive)
      throw new CommandError(
        "CLI_USAGE",
        "No person can answer here. Run the command at a terminal, or pass --yes with --hash.",
        exitCodes.refused.code,
      );
    const answer = await askLine("Its text will have the authority of your own instructions. Accept it? y/n ");
    if (answer !== "y" && answer !== "yes") {
      terminal.note("Nothing was accepted.");
      return exitCodes.refused.code;
    }
  }
  const accepted = options.hash ?? hash;
  shelf.accept({ name, hash: accepted, by: options.by });
  terminal.result(
    { name, hash: accepted, by: options.by, findings },
    () => `Accepted ${name} for you. On servers, pass accepted: ["${accepted}"].`,
  );
  return exitCodes.done.code;
}

function check(terminal: Terminal, { rows, mistakes, missing }: SkillShelf, file: string): ExitCode {
  const problems = [
    ...mistakes.map(({ file: path, problem }) => `${path}: ${problem}`),
    ...rows.filter(({ isLocked }) => !isLocked).map(({ name }) => `${name} is not in ${file}`),
    ...rows.filter(isChanged).map(({ name, changed }) => `${name} has changed: ${changed.join(", ")}`),
    ...missing.map((name) => `${name} is in ${file}, and its folder is missing`),
  ];
  terminal.result({ problems }, () =>
    problems.length === 0 ? `All ${rows.length} skills are locked and unchanged.` : problems.join("\n"),
  );
  return problems.length === 0 ? exitCodes.done.code : exitCodes.failed.code;
}

const isChanged = ({ changed }: SkillRow): boolean => changed.length > 0;
