import { readFile } from "node:fs/promises";
import { BailiwickError } from "@bailiwick/core";
import { CommanderError } from "commander";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { errorCode } from "./explain/error-codes.ts";
import { printable, printableJson } from "./output/printable.ts";
import { createProgram } from "./program.ts";

/** Runs the command line of this process, and ends the process. */
export async function start(): Promise<void> {
  // A consumer such as `head` may close the pipe early.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  try {
    await createProgram(await ownVersion()).parseAsync(process.argv);
  } catch (error) {
    process.exitCode = report(error, process.argv.includes("--json"));
  }
  // Agents of the entry module may have connections and timers that would keep the process alive.
  process.stdout.write("", () => process.exit());
}

function report(error: unknown, json: boolean): number {
  // Commander has printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done.code : exitCodes.usage.code;
  const code = BailiwickError.isInstance(error) ? error.code : "UNEXPECTED";
  const message = error instanceof Error ? error.message : String(error);
  if (json) process.stderr.write(`${printableJson(JSON.stringify({ error: { code, message } }))}\n`);
  else {
    const known = errorCode(code) !== undefined && !code.startsWith("CLI_");
    const more = known ? `\nMore about it: bailiwick explain ${code}` : "";
    const stack = code === "UNEXPECTED" && error instanceof Error ? `\n${error.stack ?? ""}` : "";
    process.stderr.write(`${printable(`${code}: ${message}${more}${stack}`)}\n`);
  }
  return exitCodeOf(error);
}

async function ownVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}
