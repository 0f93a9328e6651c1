import { readFile, writeFile } from "node:fs/promises";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";

/**
 * Reads a file that an option names.
 *
 * @throws CommandError `CLI_FILE`
 */
export function readGiven(path: string): Promise<string> {
  return readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw fileError(`The file "${path}" could not be read`, cause);
  });
}

/**
 * Writes a file that an option names.
 *
 * @throws CommandError `CLI_FILE`
 */
export function writeGiven(path: string, text: string): Promise<void> {
  return writeFile(path, text).catch((cause: NodeJS.ErrnoException) => {
    throw fileError(`The file "${path}" could not be written`, cause);
  });
}

function fileError(what: string, cause: NodeJS.ErrnoException): CommandError {
  const why = cause.code === "ENOENT" ? "there is no such file or folder" : cause.message;
  return new CommandError("CLI_FILE", `${what}: ${why}. Check the path.`, exitCodes.failed.code, { cause });
}
