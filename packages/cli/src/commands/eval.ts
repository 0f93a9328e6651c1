import { mkdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Option, type Command } from "commander";
import type { RunStore } from "@bailiwick/core";
import { CommandError } from "../command-error.ts";
import { openStore } from "../entry/open-store.ts";
import { evalFiles, evaluationsIn } from "../evals/eval-files.ts";
import { installedEvals, type EvalResult, type InstalledEvals } from "../evals/installed-evals.ts";
import { exitCodes } from "../exit-codes.ts";
import { createTerminal } from "../output/terminal.ts";
import { withJson } from "./context.ts";
import { dollars, wholeNumber } from "./numbers.ts";

interface EvalOptions {
  readonly only?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly candidate?: readonly string[] | undefined;
  readonly repeat?: number | undefined;
  readonly fresh?: boolean | undefined;
  readonly rescore?: boolean | undefined;
  readonly budget?: number | undefined;
  readonly baseline?: string | undefined;
  readonly saveBaseline?: boolean | undefined;
  readonly reporter?: "json" | "junit" | "md" | undefined;
  readonly store: string;
  readonly json?: boolean | undefined;
}

const ownStore = "sqlite:.bailiwick/evals.db";

/** Adds `bailiwick eval`. */
export function addEvalCommand(program: Command): void {
  withJson(program.command("eval"))
    .description("run evaluations, and pass or fail with a reason")
    .argument("[files...]", "modules whose default export is an evaluation (default: each *.eval.ts)")
    .option("--only <id...>", "run these cases alone")
    .option("--tag <tag...>", "run the cases with one of these tags")
    .option("--candidate <name...>", "run these candidates alone")
    .option("--repeat <number>", "runs of each case and candidate", wholeNumber)
    .option("--fresh", "ignore the runs of earlier starts")
    .option("--rescore", "score stored runs, and call no model of the agent")
    .option("--budget <dollars>", "stop at this cost of the runs", dollars)
    .option("--baseline <file>", "compare with the scores of this file")
    .option("--save-baseline", "write the scores of the first candidate beside the evaluation")
    .addOption(
      new Option("--reporter <name>", "print another report on standard output").choices(["json", "junit", "md"]),
    )
    .option("--store <address>", `keep the runs in another store (default: ${ownStore})`, ownStore)
    .action(async function run(files: readonly string[]) {
      const options = this.opts<EvalOptions>();
      process.exitCode = await evaluateFiles(await evalFiles(files), options);
    });
}

async function evaluateFiles(files: readonly string[], options: EvalOptions): Promise<number> {
  const terminal = createTerminal(options.json === true);
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.once("SIGINT", stop);
  const store = await storeAt(options.store);
  const results: EvalResult[] = [];
  try {
    for (const file of files) {
      const evals = await installedEvals(file);
      for (const evaluation of await evaluationsIn(file)) {
        terminal.progress(`Evaluating ${evaluation.name} …`);
        const result = await evals.evaluate(evaluation, {
          store,
          signal: stopped.signal,
          onProgress: (line) => terminal.note(line),
          ...(await choicesOf(evals, evaluation.name, options)),
        });
        terminal.settle();
        results.push(result);
        if (options.reporter !== undefined) terminal.print(reportOf(evals, result, options.reporter));
        else if (options.json !== true)
          terminal.print(files.length > 1 || results.length > 1 ? `${result.name}\n${result.text}` : result.text);
        if (options.saveBaseline === true) {
          const path = file.replace(/\.[cm]?[jt]s$/u, ".baseline.json");
          await writeFile(path, `${JSON.stringify(evals.baselineOf(result), null, 2)}\n`);
          terminal.note(`Scores written to ${path}`);
        }
      }
    }
  } finally {
    process.off("SIGINT", stop);
    await store.close?.();
  }
  if (options.json === true) terminal.result(results, () => "");
  const verdicts = new Set(results.map(({ verdict }) => verdict));
  if (verdicts.has("failed")) return exitCodes.failed.code;
  return verdicts.has("undecided") ? exitCodes.undecided.code : exitCodes.done.code;
}

async function choicesOf(
  evals: InstalledEvals,
  name: string,
  { only, tag, candidate, repeat, fresh, rescore, budget, baseline }: EvalOptions,
): Promise<Omit<Parameters<InstalledEvals["evaluate"]>[1], "store">> {
  return {
    ...(only !== undefined && { only }),
    ...(tag !== undefined && { tags: tag }),
    ...(candidate !== undefined && { candidates: candidate }),
    ...(repeat !== undefined && { repeat }),
    ...(fresh === true && { fresh }),
    ...(rescore === true && { rescore }),
    ...(budget !== undefined && { budget: { usd: budget } }),
    ...(baseline !== undefined && { baseline: evals.checkBaseline(await baselineIn(baseline), name, baseline) }),
  };
}

async function baselineIn(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new CommandError(
      "BASELINE_INVALID",
      `The baseline "${path}" could not be read. Write one with: npx bailiwick eval --save-baseline.`,
      exitCodes.failed.code,
      { cause },
    );
  }
}

function reportOf(evals: InstalledEvals, result: EvalResult, reporter: NonNullable<EvalOptions["reporter"]>): string {
  const reports = { json: evals.jsonReport, junit: evals.junitReport, md: evals.markdownReport };
  return reports[reporter](result).trimEnd();
}

/** Opens the store of evaluations; its own file is created. */
async function storeAt(address: string): Promise<RunStore> {
  if (address === ownStore) mkdirSync(dirname(resolve(address.slice("sqlite:".length))), { recursive: true });
  return openStore(address, { migrate: true });
}
