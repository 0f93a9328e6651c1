import { parseArgs } from "node:util";
import { DeskError } from "../desk-error.ts";

/** The request on the command line. */
export type Command =
  | { readonly name: "help" }
  | { readonly name: "list" | "runs"; readonly json: boolean }
  | { readonly name: "handle"; readonly mailId: string; readonly json: boolean }
  | { readonly name: "answer"; readonly runId: string; readonly value: unknown; readonly json: boolean }
  | { readonly name: "approve"; readonly runId: string; readonly callId: string | undefined; readonly json: boolean };

/**
 * Reads the command line.
 *
 * @param args - Without node and the script.
 * @throws DeskError - `USAGE`, naming the error.
 */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [name, first, second, ...more] = positionals;
  const json = values.json === true;
  if (values.help === true || name === "help") return { name: "help" };
  switch (name) {
    case "list":
    case "runs":
      if (first !== undefined) throw usageError(`${name} takes no arguments, but got ${first}.`);
      return { name, json };
    case "handle":
      if (first === undefined) throw usageError("handle needs a mail id, such as m-003.");
      if (second !== undefined) throw usageError(`handle takes one mail id, but got ${second} too.`);
      return { name, mailId: first, json };
    case "answer":
      if (first === undefined || second === undefined) {
        throw usageError("answer needs a run id and the answer as JSON. See them with: desk runs.");
      }
      if (more.length > 0) throw usageError("answer takes a run id and one JSON value: put it in quotes.");
      return { name, runId: first, value: readJson(second), json };
    case "approve":
      if (first === undefined) throw usageError("approve needs a run id. See them with: desk runs.");
      if (more.length > 0) throw usageError("approve takes a run id and one call id.");
      return { name, runId: first, callId: second, json };
    case undefined:
      throw usageError("No command given.");
    default:
      throw usageError(`There is no command ${name}.`);
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
  } catch (cause) {
    throw usageError(cause instanceof Error ? (cause.message.split(". ")[0] ?? cause.message) : String(cause));
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`The answer is not JSON: ${text.slice(0, 60)}.`);
  }
}

function usageError(message: string): DeskError {
  return new DeskError("USAGE", `${message.replace(/\.?$/, ".")} Try: desk --help`);
}
