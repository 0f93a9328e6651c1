import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { exitCodes } from "../exit-codes.ts";
import { playInChild, savedPath } from "../simulate/play-in-child.ts";
import { action, withJson, type ExitCode } from "./context.ts";
import { countFromZero, wholeNumber } from "./numbers.ts";

interface SimulateOptions {
  readonly seeds?: number | undefined;
  readonly from?: number | undefined;
  readonly single: boolean;
  readonly pairs?: number | undefined;
  readonly history?: string | undefined;
  readonly save?: boolean | undefined;
  readonly selfTest?: boolean | undefined;
  readonly jobs?: number | undefined;
}

/** The members of a report of `simulate` that the command reads. */
interface Report {
  readonly broken: readonly { readonly historyText: string; readonly report: string }[];
  readonly histories: number;
  readonly singles: number;
  readonly pairs: number;
  readonly known: number;
  readonly accepted: readonly string[];
  readonly warnings: readonly string[];
  readonly text: string;
}

/** Adds `bailiwick simulate`. */
export function addSimulateCommand(program: Command): void {
  withJson(program.command("simulate"))
    .description("play a simulation: find the order of answers and faults that breaks a promise")
    .argument("<file>", "module whose default export is a simulation")
    .option(
      "--seeds <number>",
      "histories with drawn orders and faults (default: that of the simulation, else 200)",
      countFromZero,
    )
    .option("--from <seed>", "first seed (default: 1)", wholeNumber)
    .option("--single", "play each single fault at each choice point, which is the default")
    .option("--no-single", "leave out the single faults")
    .option("--pairs <number>", "histories with two faults (default: 0)", countFromZero)
    .option("--history <history>", "play this history alone")
    .option(
      "--save",
      "append the shortest histories to a file with the ending .histories.json, which is played first from then on",
    )
    .option("--self-test", "plant defects in the store and the person, and check that they are noticed")
    .option("--jobs <number>", "number of processes that share the histories (default: 1)", wholeNumber)
    .action(
      action<SimulateOptions>(async ({ terminal, options }, file = ""): Promise<ExitCode> => {
        terminal.progress("Playing histories …");
        if (options.selfTest === true) {
          const report = await playInChild<{ readonly passed: boolean; readonly text: string }>({
            file,
            operation: "selfTest",
            options: {},
          });
          terminal.settle();
          terminal.result(report, () => report.text);
          return report.passed ? exitCodes.done.code : exitCodes.failed.code;
        }
        const report = await play(file, options);
        terminal.settle();
        if (options.save === true) await save(file, report);
        terminal.result(report, () => report.text);
        return report.broken.length === 0 ? exitCodes.done.code : exitCodes.failed.code;
      }),
    );
}

async function play(file: string, { seeds, from, single, pairs, history, jobs = 1 }: SimulateOptions): Promise<Report> {
  const explore = {
    file,
    ...(seeds !== undefined && { seeds }),
    ...(from !== undefined && { from }),
    ...(!single && { single }),
    ...(pairs !== undefined && { pairs }),
    ...(history !== undefined && { history }),
  };
  const count = history === undefined ? jobs : 1;
  const reports = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      playInChild<Report>({
        file,
        operation: "simulate",
        options: count === 1 ? explore : { ...explore, part: { index, of: count } },
      }),
    ),
  );
  const [first] = reports;
  return reports.length === 1 && first !== undefined ? first : merged(reports);
}

/** Adds up the reports of several processes. */
function merged(reports: readonly Report[]): Report {
  const sum = (name: "histories" | "singles" | "pairs" | "known"): number =>
    reports.reduce((total, report) => total + report[name], 0);
  const broken = [...new Map(reports.flatMap((report) => report.broken.map((one) => [one.historyText, one]))).values()];
  const warnings = [...new Set(reports.flatMap((report) => report.warnings))];
  const counts = { histories: sum("histories"), singles: sum("singles"), pairs: sum("pairs"), known: sum("known") };
  const text =
    broken.length > 0
      ? broken.map(({ report }) => report).join("\n\n")
      : `${counts.histories} histories, ${counts.singles} single faults, ${counts.pairs} pairs: no promise is broken`;
  return { broken, ...counts, accepted: reports[0]?.accepted ?? [], warnings, text };
}

async function save(file: string, { broken }: Report): Promise<void> {
  const path = savedPath(file);
  const before = JSON.parse(await readFile(path, "utf8").catch(() => "[]")) as readonly string[];
  const histories = new Set([...before, ...broken.map(({ historyText }) => historyText)]);
  if (histories.size > before.length) await writeFile(path, `${JSON.stringify([...histories], null, 2)}\n`);
}
