import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { childProgram } from "./child-program.ts";

/** A simulation that a child process plays. */
export interface ChildTask {
  /** Path of the module with the simulation. */
  readonly file: string;
  /** Function of `@bailiwick/testing/simulation` that gets the default export of the module. */
  readonly operation: "simulate" | "selfTest" | "crashTest";
  readonly options: Readonly<Record<string, unknown>>;
}

interface ChildAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly stack?: string | undefined };
}

/** File with the histories that `--save` added. */
export function savedPath(file: string): string {
  return `${resolve(file)}.histories.json`;
}

/**
 * Plays a simulation in a process whose globals are routed from its start.
 *
 * @throws CommandError `CLI_CONFIG`, `SIMULATION_NOT_INSTALLED`, or the error of the simulation.
 */
export async function playInChild<Result>({ file, operation, options }: ChildTask): Promise<Result> {
  const path = resolve(file);
  if (!existsSync(path))
    throw new CommandError(
      "CLI_CONFIG",
      `There is no file "${path}". Pass the path of a module whose default export is a simulation.`,
      exitCodes.failed.code,
    );
  const testing = installed(path, "@bailiwick/testing/simulation");
  const register = installed(path, "@bailiwick/testing/simulation/register");
  const task = JSON.stringify({ testing, file: path, saved: savedPath(file), operation, options });
  const { result, error } = await answerOf([
    ...process.execArgv,
    "--disable-warning=ExperimentalWarning",
    "--import",
    import.meta.resolve("tsx"),
    "--import",
    register,
    "--input-type=module",
    "--eval",
    childProgram,
    "--",
    task,
  ]);
  if (error === undefined) return result as Result;
  const code = /^[A-Z][A-Z_]+$/.test(error.code) ? error.code : "CLI_CONFIG";
  throw new CommandError(
    code,
    code === "CLI_CONFIG" ? `"${path}" could not be played: ${error.stack ?? error.message}` : error.message,
    code === "NOT_REPEATABLE" ? exitCodes.undecided.code : exitCodes.failed.code,
  );
}

/** The address of an installed module, as the project of a file finds it. */
function installed(path: string, specifier: string): string {
  try {
    return pathToFileURL(createRequire(pathToFileURL(path)).resolve(specifier)).href;
  } catch (cause) {
    throw new CommandError(
      "SIMULATION_NOT_INSTALLED",
      `"${specifier}" is not installed where "${path}" is. Run: npm install --save-dev @bailiwick/testing`,
      exitCodes.failed.code,
      { cause },
    );
  }
}

function answerOf(args: readonly string[]): Promise<ChildAnswer> {
  return new Promise((resolve, reject) => {
    // Output of the simulation outside of its processes must not mix with the result.
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
    child.stdout?.pipe(process.stderr);
    let answer: ChildAnswer | undefined;
    child.on("message", (message) => (answer = message as ChildAnswer));
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      if (answer !== undefined) resolve(answer);
      else
        reject(
          new CommandError(
            "CLI_CONFIG",
            `The process of the simulation ended without a result (${signal ?? `exit code ${String(code)}`}).`,
            exitCodes.failed.code,
          ),
        );
    });
  });
}
