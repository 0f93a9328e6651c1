import type { Validation } from "../contracts/resolved-tool.ts";
import type { Tool, ToolExample } from "../contracts/tool.ts";
import { InvalidExampleError } from "../errors/configuration-errors.ts";
import type { Validate } from "../tools/compiled-schema.ts";

/**
 * Checks each example against the schemas. An output is checked against what the tool's `execute` returns.
 *
 * @returns A promise for each check that a schema makes asynchronously.
 * @throws InvalidExampleError at once, or by a promise.
 */
export function validateExamples(
  tool: Tool,
  examples: readonly ToolExample[],
  validateInput: Validate,
  validateOutput: Validate | undefined,
): readonly Promise<void>[] {
  const pending: Promise<void>[] = [];
  for (const [index, example] of examples.entries()) {
    const check = (part: "input" | "output", validate: Validate): void => {
      const judge = (validation: Validation): void => {
        if (validation.ok) return;
        const [issue] = validation.issues;
        const path =
          issue === undefined || issue.path === ""
            ? part
            : `${part}${issue.path.startsWith("[") ? "" : "."}${issue.path}`;
        throw new InvalidExampleError(tool.name, index, path, issue?.message ?? "It does not match the schema.");
      };
      const validation = validate(example[part]);
      if (validation instanceof Promise) pending.push(validation.then(judge));
      else judge(validation);
    };
    check("input", validateInput);
    if (validateOutput !== undefined && example.output !== undefined) check("output", validateOutput);
  }
  return pending;
}
