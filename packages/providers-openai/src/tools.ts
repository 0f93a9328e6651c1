import {
  parseArguments,
  removeAddedNulls,
  strictSchema,
  toolNameReader,
  validSchema,
  wellFormed,
  wellFormedJson,
  wireToolName,
} from "@bailiwick/core/provider";
import type { FunctionToolDefinition, JsonSchema, ToolDefinition, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";
import type { PreparedTool, PreparedTools } from "./prepared-tools.ts";
import { toolSchema } from "./tool-schema.ts";

/**
 * Prepares the tools of a request. The same array, and the same definition in another array, is prepared once.
 *
 * @param tools - The offered tools.
 * @param context - The model.
 */
export function prepareTools(tools: readonly ToolDefinition[], context: ModelContext): PreparedTools {
  const known = context.tools.get(tools);
  if (known !== undefined) return known;
  const hosted = tools.filter((tool) => tool.type === "hosted");
  const custom = new Set(hosted.filter((tool) => tool.args["type"] === "custom").map((tool) => tool.name));
  const functions = tools.filter((tool) => tool.type === "function");
  const prepared = functions.filter((tool) => !custom.has(tool.name)).map((tool) => prepareTool(tool, context));
  const byName = new Map(functions.map((tool) => [tool.name, tool]));
  const wireNames = [...custom].map((name) => wireToolName(name, context.capabilities.toolName));
  const names = new Set([...prepared.map(({ name }) => name), ...wireNames]);
  const result: PreparedTools = {
    functions: prepared,
    hosted,
    warnings: prepared.flatMap(({ warning }) => (warning === undefined ? [] : [warning])),
    readName: toolNameReader([...byName.keys(), ...custom], context.capabilities.toolName),
    declares: (name) => names.has(name),
    serverRuns: (name) => context.compat.hostedCustomCalls === true && !names.has(name),
    readInput(name, argumentText) {
      const parsed = parseArguments(argumentText);
      const tool = byName.get(name);
      if (!("input" in parsed) || tool === undefined || tool.strict !== true) return parsed;
      return { input: removeAddedNulls(parsed.input, tool.inputSchema) };
    },
  };
  context.tools.set(tools, result);
  return result;
}

function prepareTool(tool: FunctionToolDefinition, context: ModelContext): PreparedTool {
  const known = context.tool.get(tool);
  if (known !== undefined) return known;
  const lowered = tool.strict === true ? lowerSchema(tool.inputSchema, context, `Tool "${tool.name}"`) : undefined;
  const result: PreparedTool = {
    name: wireToolName(tool.name, context.capabilities.toolName),
    description: wellFormed(tool.description),
    parameters: wellFormedJson(
      lowered?.schema ?? toolSchema(tool.inputSchema, context.traits.toolSchemas),
    ) as JsonSchema,
    strict: lowered?.strict ?? false,
    warning: lowered?.warning,
  };
  context.tool.set(tool, result);
  return result;
}

/**
 * A schema for strict mode, or the unchanged schema with a warning that gives the reason.
 *
 * @param schema - The schema.
 * @param context - The model.
 * @param subject - The owner of the schema, as the beginning of a sentence.
 * @param offered - True if the vendor has strict mode here. Default: as for functions.
 */
export function lowerSchema(
  schema: JsonSchema,
  context: ModelContext,
  subject: string,
  offered: boolean = context.compat.strictTools,
): { readonly schema: JsonSchema; readonly strict: boolean; readonly warning: Warning | undefined } {
  const warn = (reason: string): Warning => ({
    code: "strict_unavailable",
    message: `${subject} is sent without strict mode: ${reason}. Answers are still checked here.`,
    subject: "strict",
  });
  if (!offered) {
    return {
      schema: toolSchema(schema, context.traits.toolSchemas),
      strict: false,
      warning: warn(`${context.compat.provider} has none`),
    };
  }
  const strict = strictSchema(validSchema(schema));
  return strict.ok
    ? { schema: strict.schema, strict: true, warning: undefined }
    : { schema: toolSchema(schema, context.traits.toolSchemas), strict: false, warning: warn(strict.reason) };
}
