import { checkArgument } from "@bailiwick/core";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { EvaluationError } from "../evaluation-error.ts";
import type { Case, CaseSource } from "../case.ts";
import { placed } from "./read-cases.ts";

/**
 * Cases of a file with one JSON object in each line.
 *
 * @param path - Path of the file, from the working directory.
 * @throws EvaluationError `CASE_INVALID` with the line, when the cases are read.
 * @example
 * ```ts
 * import { jsonl, type CaseSource } from "@bailiwick/evals";
 *
 * export const cases: CaseSource = jsonl("refunds.jsonl");
 * ```
 */
export function jsonl(path: string): CaseSource {
  checkArgument(path, "string", 'jsonl("cases.jsonl")');
  return {
    name: path,
    async *read() {
      let line = 0;
      const input = createReadStream(path, "utf8");
      try {
        for await (const text of createInterface({ input, crlfDelay: Infinity })) {
          line += 1;
          const json = line === 1 ? text.replace(/^\u{FEFF}/u, "") : text;
          if (json.trim() !== "") yield placed(parsed(json, `${path}:${line}`), `${path}:${line}`);
        }
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === undefined || error instanceof EvaluationError
          ? error
          : new EvaluationError("CASE_INVALID", `"${path}" could not be read: ${(error as Error).message}.`);
      } finally {
        input.destroy();
      }
    },
  };
}

/** @throws EvaluationError `CASE_INVALID` */
export function parsed(json: string, where: string): Case {
  try {
    return JSON.parse(json) as Case;
  } catch (error) {
    throw new EvaluationError("CASE_INVALID", `The case at ${where} is not JSON: ${(error as Error).message}.`);
  }
}
