import type { ContentPart } from "../contracts/content-part.ts";
import type { Schema } from "../contracts/schema.ts";
import type { Tool } from "../contracts/tool.ts";
import { InvalidToolError } from "../errors/configuration-errors.ts";
import { ToolError } from "../errors/tool-error.ts";
import type { ParsedInput, TypedToolFields } from "./tool.ts";
import { checkArgument } from "../errors/value-checks.ts";
import { checkPlainWords } from "./plain-words.ts";
import { validateFields } from "./validate-fields.ts";

/** Fields of a tool that only make sense for code that runs here. */
const serverFields = [
  "sandboxPolicy",
  "timeoutMs",
  "secretsAllowed",
  "memoryGuardTier",
  "allowUnsandboxed",
  "idempotencyKey",
  "idempotencyScope",
  "idempotencyTtlMs",
  "lookup",
  "cache",
  "retry",
  "streamingHint",
] as const;

/** Options of `clientTool()`: those of `tool()` without `execute` and its settings. */
export interface ClientToolOptions<Name extends string, InputSchema extends object, Output> extends Omit<
  TypedToolFields<Name, InputSchema, Output, unknown>,
  (typeof serverFields)[number]
> {
  /** 1 to 128 of `A-Za-z0-9._-`. */
  readonly name: Name;
  /** The schema, as for `tool()`. The client gets the parsed value, which must be JSON. */
  readonly inputSchema: InputSchema;
  /** Checks the client's result; the parsed value is the output. Without a schema any JSON is accepted. */
  readonly outputSchema?: Schema<Output> | undefined;
  /** The model reads this instead of the output as JSON; runs in this process. */
  readonly toModelOutput?:
    | ((output: NoInfer<Output>, input: ParsedInput<InputSchema>) => string | readonly ContentPart[])
    | undefined;
}

/**
 * Makes a tool that the client runs, such as the user's browser. A call passes the same gate as any other: the flow policy,
 * `needsApproval` and the schema. Then the run suspends with a `client_tool` interruption and the stop reason
 * `awaiting_client_tool`; `agent.resume(runId, [interruption.answer(output)])` continues it, in any process, and
 * `interruption.fail(reason)` gives the model an error. The output comes from the user's device, so it is untrusted unless
 * `output` declares otherwise. In a run with `flow.unattended: "fail"` the call fails and the run continues.
 *
 * @param options - The tool; each field names its default.
 * @returns The tool, frozen.
 * @throws InvalidToolError for an unknown or a wrong field, and for fields of tools that run in this process.
 * @example
 * ```ts
 * import { clientTool } from "@bailiwick/core";
 * import { z } from "zod";
 *
 * export const pickFile = clientTool({
 *   name: "pick_file",
 *   description: "Lets the user pick a file in the page, and returns its name.",
 *   inputSchema: z.object({ accept: z.string() }),
 *   outputSchema: z.object({ fileName: z.string() }),
 *   sideEffectClass: "read-only",
 * });
 * ```
 */
export function clientTool<const Name extends string, InputSchema extends object, Output = unknown>(
  options: ClientToolOptions<Name, InputSchema, Output>,
): Tool<ParsedInput<InputSchema>, Output, unknown, Name> {
  const given = options as unknown as Tool;
  checkArgument(given, "object", "clientTool({ name, description, inputSchema })");
  const { name } = given;
  for (const field of ["execute", "composition", "runsOn", ...serverFields] as const) {
    if (given[field] !== undefined)
      throw new InvalidToolError(
        name,
        `"${field}" is not a field of clientTool(): the client runs the tool. Leave it out, or use tool().`,
      );
  }
  checkPlainWords(given, `Tool "${name}"`);
  const made: Tool = Object.freeze({
    ...given,
    runsOn: "client",
    ...(given.returns === undefined && {
      output: Object.freeze({ ...given.output, integrity: given.output?.integrity ?? "untrusted" }),
    }),
    execute: () => {
      throw new ToolError(
        `"${name}" runs on the client: only a run can call it, and suspends until the client answers.`,
      );
    },
  });
  validateFields(made);
  // The erased contract uses `unknown`, while these callbacks receive the parsed input.
  return made as Tool<ParsedInput<InputSchema>, Output, unknown, Name>;
}
