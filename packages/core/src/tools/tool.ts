import type { ContentPart } from "../contracts/content-part.ts";
import type { Path } from "../contracts/path.ts";
import type { PreviewContext, ToolPreview } from "../contracts/preview.ts";
import type { RunContext } from "../contracts/run-context.ts";
import type { NoSandboxConfig } from "../contracts/sandbox-config.ts";
import type { Schema } from "../contracts/schema.ts";
import type { LookupResult, Tool, ToolExample, ToolFields } from "../contracts/tool.ts";
import type { ToolExecutionContext } from "../contracts/tool-context.ts";
import type { ToolFlow, ToolOutputTrust } from "../contracts/tool-flow.ts";
import type { ToolReturn } from "../contracts/tool-return.ts";
import { InvalidToolError } from "../errors/configuration-errors.ts";
import { checkArgument } from "../errors/value-checks.ts";
import { isField, validateFields } from "./validate-fields.ts";

/** The parsed value that `execute` and the other callbacks get. `unknown` for raw JSON Schema. */
export type ParsedInput<InputSchema> = InputSchema extends Schema<infer Parsed, infer _Arguments> ? Parsed : unknown;

/** The arguments that the model writes: the schema's input type, which paths refer to. `unknown` for raw JSON Schema. */
type InputArguments<InputSchema> = InputSchema extends Schema<infer _Parsed, infer Arguments> ? Arguments : unknown;

/**
 * The output of a value that `execute` returned: a `ToolReturn` is unwrapped; a streaming tool that returns nothing has
 * its text as output.
 */
export type ReturnedOutput<Returned> = [Returned] extends [void]
  ? string
  : Returned extends ToolReturn<infer Output>
    ? Output
    : Exclude<Returned, void>;

/** The fields of a tool whose types follow from its schemas; shared by `tool()` and `sandboxedTool()`. */
export interface TypedToolFields<
  Name extends string,
  InputSchema extends object,
  Output,
  Dependencies,
> extends ToolFields {
  /** 1 to 128 of `A-Za-z0-9._-`. */
  readonly name: Name;
  /**
   * A Standard JSON Schema (zod ≥ 4.2, arktype ≥ 2.2, wrapped valibot or effect), any other Standard Schema (zod/mini, zod 3 to
   * 4.1) with `inputJsonSchema`, or JSON Schema, such as TypeBox makes.
   */
  readonly inputSchema: InputSchema;
  /**
   * True to ask a person before each call. A predicate gets the validated input; if it throws, it counts as `true`.
   * Default `false`.
   */
  readonly needsApproval?:
    | boolean
    | ((
        input: ParsedInput<InputSchema>,
        ctx: ToolExecutionContext<NoInfer<Dependencies>>,
      ) => boolean | Promise<boolean>)
    | undefined;
  /**
   * One sentence for the person who decides about a call, such as `Pay 5 EUR to Anna?`; by default the tool's name
   * with the deciding values.
   */
  readonly describeCall?: ((input: ParsedInput<InputSchema>) => string) | undefined;
  /**
   * Shows the person who decides what the call would do, such as the difference of a file; for tools that write. Called
   * after guardrails and policies and before the question, for at most 10 seconds; it only reads. The approval holds for
   * its `digest`: before `execute`, it is called again, and another digest asks again, unless `exact` is true. If it
   * fails, the call is refused (`PREVIEW_FAILED`). It is not called if the flow policy itself asks about the call.
   */
  readonly preview?:
    | ((
        input: ParsedInput<InputSchema>,
        ctx: PreviewContext<NoInfer<Dependencies>>,
      ) => Promise<ToolPreview> | ToolPreview)
    | undefined;
  /**
   * Arguments that decide what happens to whom, such as `["orderId", "amount"]`; short for `flow.authority`. An argument
   * of a writer that is not listed decides too, unless `flow.payload` lists it as content. An empty list says that no
   * argument decides.
   */
  readonly decides?: readonly Path<InputArguments<InputSchema>>[] | undefined;
  /**
   * Names of tools whose pending step a call of this tool completes, such as `["checkout"]` on `confirm_payment`; short
   * for `flow.confirms`.
   */
  readonly confirms?: readonly string[] | undefined;
  /** Information flow into the arguments. */
  readonly flow?: ToolFlow<InputArguments<InputSchema>, ParsedInput<InputSchema>> | undefined;
  /** Integrity of the output, and the people who may see it. */
  readonly output?: ToolOutputTrust<NoInfer<Output>> | undefined;
  /** Called per run; if it throws, the tool is disabled with a warning. Default `true`. */
  readonly isEnabled?: boolean | ((ctx: RunContext) => boolean | Promise<boolean>) | undefined;
  /** 1 to 5 worked examples. */
  readonly examples?: readonly ToolExample<InputArguments<InputSchema>, NoInfer<Output>>[] | undefined;
  /** Makes repeated calls safe; see `ToolFields.idempotencyScope`. */
  readonly idempotencyKey?:
    | "call"
    | ((input: ParsedInput<InputSchema>, ctx: ToolExecutionContext<NoInfer<Dependencies>>) => string | Promise<string>)
    | undefined;
  /**
   * Called on resume to find out whether an effect that has an intent and no result happened. Needs `idempotencyKey`.
   */
  readonly lookup?:
    | ((
        key: string,
        input: ParsedInput<InputSchema>,
        ctx: ToolExecutionContext<NoInfer<Dependencies>>,
      ) => Promise<LookupResult<NoInfer<Output>>>)
    | undefined;
}

/** Options of `tool()`. */
export interface ToolOptions<
  Name extends string,
  InputSchema extends object,
  Returned,
  Output,
  Dependencies,
> extends TypedToolFields<Name, InputSchema, Output, Dependencies> {
  /** A closure runs in this process; for isolation use `sandboxedTool()`. */
  readonly sandboxPolicy?: "none" | NoSandboxConfig | undefined;
  /** Parses the return value of `execute`; the parsed value is used from then on. */
  readonly outputSchema?: Schema<Output, Returned> | undefined;
  /** The tool itself. Returns the output, or `toolReturn()`; it may return nothing only with `streamingHint`. */
  readonly execute: (
    input: ParsedInput<InputSchema>,
    ctx: ToolExecutionContext<Dependencies>,
  ) => Promise<Returned | ToolReturn<NoInfer<Returned>>> | Returned | ToolReturn<NoInfer<Returned>>;
  /** The model reads this instead of the output as JSON. Write it after `execute`, so that its parameter is inferred. */
  readonly toModelOutput?:
    | ((output: NoInfer<Output>, input: ParsedInput<InputSchema>) => string | readonly ContentPart[])
    | undefined;
}

/**
 * Makes a tool from a function in this process. Its input is inferred from `inputSchema`, its output from
 * `outputSchema` or from the return type of `execute`. Each field is checked here; the registry checks the combination
 * of fields when an agent gets the tool. `clientTool()` makes a tool that the client runs.
 *
 * @param options - The tool; each field names its default.
 * @returns The tool, frozen, with its types in a phantom, so that it fits any list of `Tool`.
 * @throws InvalidToolError for an unknown or a wrong field, and without `execute`.
 * @example
 * ```ts
 * import { tool } from "@bailiwick/core";
 * import { z } from "zod";
 *
 * export const findOrder = tool({
 *   name: "find_order",
 *   description: "Finds an order by its number.",
 *   inputSchema: z.object({ orderId: z.string() }),
 *   changes: "nothing",
 *   returns: "own",
 *   execute: async ({ orderId }) => ({ orderId, status: "shipped" }),
 * });
 * ```
 */
export function tool<
  const Name extends string,
  InputSchema extends object,
  Returned,
  Output = ReturnedOutput<Returned>,
  Dependencies = unknown,
>(
  options: ToolOptions<Name, InputSchema, Returned, Output, Dependencies>,
): Tool<ParsedInput<InputSchema>, Output, Dependencies, Name> {
  // The erased contract uses `unknown`, while these callbacks receive the parsed input.
  checkOwnFields(options as unknown as Tool);
  return Object.freeze({ ...options }) as unknown as Tool<ParsedInput<InputSchema>, Output, Dependencies, Name>;
}

function checkOwnFields(given: Tool): void {
  checkArgument(given, "object", "tool({ name, description, inputSchema, execute })");
  const { name } = given;
  if (given.runsOn !== undefined)
    throw new InvalidToolError(name, 'there is no field "runsOn". Use clientTool() for a tool that the client runs.');
  // An unknown field name explains a missing field better.
  if ((given.execute as unknown) === undefined && Object.keys(given).every(isField))
    throw new InvalidToolError(
      name,
      "execute is missing. Give execute, or use clientTool() for a tool that the client runs.",
    );
  validateFields(given);
}
