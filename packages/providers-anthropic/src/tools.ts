import {
  ConfigurationError,
  jsonText,
  objectSchema,
  parseArguments,
  toolNameReader,
  wellFormed,
  wellFormedJson,
  wireToolName,
} from "@bailiwick/core/provider";
import type { FunctionToolDefinition, JsonSchema, ToolDefinition, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";
import type { PreparedTool, PreparedTools } from "./prepared-tools.ts";
import { nameProperties, withOwnNames } from "./property-names.ts";
import { enforcedSchema, type EnforcedSchema } from "./schema.ts";

/** Types of hosted tools that the vendor only describes: the agent's own tool of that name runs the call. */
const runHere = /^(bash|text_editor|memory|computer)_\d+$/;

/**
 * Prepares the tools of a request. The same array, and the same definition in another array, is prepared once.
 *
 * @param tools - The offered tools.
 * @param context - The model.
 * @throws ConfigurationError `INVALID_HOSTED_TOOL` for a tool that the vendor only describes, without the tool that runs it.
 */
export function prepareTools(tools: readonly ToolDefinition[], context: ModelContext): PreparedTools {
  const known = context.tools.get(tools);
  if (known !== undefined) return known;
  const hosted = tools.filter((tool) => tool.type === "hosted");
  const described = new Set(hosted.filter(({ args }) => runHere.test(jsonText(args["type"]))).map(({ name }) => name));
  const own = tools.filter((tool) => tool.type === "function");
  const missing = [...described].find((name) => !own.some((tool) => tool.name === name));
  if (missing !== undefined) {
    throw new ConfigurationError(
      "INVALID_HOSTED_TOOL",
      `The vendor only describes "${missing}": nothing there runs its calls. Add your own tool with the name "${missing}", or leave it out.`,
    );
  }
  const functions = own.filter(({ name }) => !described.has(name));
  const prepared = functions.map((tool) => prepareTool(tool, context));
  const ownNames = new Map(prepared.map((tool) => [tool.registeredName, tool.ownNames]));
  const result: PreparedTools = {
    functions: prepared,
    hosted,
    readName: toolNameReader(
      functions.map(({ name }) => name),
      context.capabilities.toolName,
    ),
    readInput: (name, text) => withOwnNames(parseArguments(text), ownNames.get(name)),
  };
  context.tools.set(tools, result);
  return result;
}

function prepareTool(tool: FunctionToolDefinition, context: ModelContext): PreparedTool {
  const known = context.tool.get(tool);
  if (known !== undefined) return known;
  const { schema, ownNames } = nameProperties(wellFormedJson(objectSchema(tool.inputSchema)) as JsonSchema);
  const result: PreparedTool = {
    name: wireToolName(tool.name, context.capabilities.toolName),
    registeredName: tool.name,
    description: wellFormed(tool.description),
    schema,
    ownNames,
    enforced: tool.strict === true ? enforced(tool.inputSchema, ownNames) : undefined,
  };
  context.tool.set(tool, result);
  return result;
}

function enforced(schema: JsonSchema, ownNames: ReadonlyMap<string, string>): EnforcedSchema {
  const [renamed] = ownNames.values();
  if (renamed !== undefined) return { ok: false, reason: `the vendor refuses the name "${renamed}"` };
  const lowered = enforcedSchema(schema);
  return lowered.ok ? { ...lowered, schema: wellFormedJson(lowered.schema) as JsonSchema } : lowered;
}

/** The vendor's limits for one request: tools, optional keys and unions of all enforced schemas together. */
export const strictLimits = { tools: 20, optional: 24, unions: 16 } as const;

/** The rest of {@link strictLimits}. */
export interface RemainingLimits {
  tools: number;
  optional: number;
  unions: number;
}

/**
 * True if a schema's enforcement still fits into the limit, from which it is then deducted.
 *
 * @param schema - The schema for enforcement.
 * @param left - The remaining limits.
 */
export function takesFromLimits(schema: EnforcedSchema & { readonly ok: true }, left: RemainingLimits): boolean {
  if (left.tools < 1 || schema.optional > left.optional || schema.unions > left.unions) return false;
  left.tools -= 1;
  left.optional -= schema.optional;
  left.unions -= schema.unions;
  return true;
}

/**
 * The warning for a schema that is not enforced.
 *
 * @param subject - The owner of the schema, as the beginning of a sentence.
 * @param reason - The reason.
 */
export function notEnforced(subject: string, reason: string): Warning {
  return {
    code: "strict_unavailable",
    message: `${subject} is sent without strict mode: ${reason}. What comes back is still checked here.`,
    subject: "strict",
  };
}
