import { checkArgument } from "@bailiwick/core";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { EvaluationError } from "../evaluation-error.ts";
import type { CaseSource } from "../case.ts";
import { parsed } from "./jsonl.ts";
import { placed } from "./read-cases.ts";

const ending = ".case.json";

/**
 * The `*.case.json` files of a folder, as the studio saves them: `{ agent, input, expected }`. The name of a file is the id
 * of its case.
 *
 * @param folder - Path of the folder, from the working directory.
 * @throws EvaluationError `CASE_INVALID` with the file, when the cases are read.
 * @example
 * ```ts
 * import { caseFiles, type CaseSource } from "@bailiwick/evals";
 *
 * export const cases: CaseSource = caseFiles("cases/");
 * ```
 */
export function caseFiles(folder: string): CaseSource {
  checkArgument(folder, "string", 'caseFiles("./cases")');
  return {
    name: folder,
    async *read() {
      const names = await readdir(folder).catch((error: unknown) => {
        throw new EvaluationError(
          "CASE_INVALID",
          `The folder "${folder}" could not be read: ${(error as Error).message}.`,
        );
      });
      for (const name of names.filter((one) => one.endsWith(ending)).toSorted()) {
        const path = join(folder, name);
        const one = parsed(await readFile(path, "utf8"), path);
        yield placed({ id: name.slice(0, -ending.length), ...Object(one) }, path);
      }
    },
  };
}
