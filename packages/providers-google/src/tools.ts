import {
  objectSchema,
  parseArguments,
  toolNameReader,
  wellFormed,
  wellFormedJson,
  wireToolName,
  mapSchemas,
} from "@bailiwick/core/provider";
import type { FunctionToolDefinition, JsonSchema, ToolDefinition, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";
import type { PreparedTool, PreparedTools } from "./prepared-tools.ts";
import { openApiSchema } from "./open-api-schema.ts";

/**
 * Prepares the tools of a request. The same array, and the same definition in another array, is prepared once.
 *
 * @param tools - The offered tools.
 * @param context - The model.
 */
export function prepareTools(tools: readonly ToolDefinition[], context: ModelContext): PreparedTools {
  const known = context.tools.get(tools);
  if (known !== undefined) return known;
  const functions = tools.filter((tool) => tool.type === "function");
  const prepared = functions.map((tool) => prepareTool(tool, context));
  const result: PreparedTools = {
    functions: prepared,
    hosted: tools.filter((tool) => tool.type === "hosted"),
    warnings: prepared.flatMap(({ warnings }) => warnings),
    readName: toolNameReader(
      functions.map(({ name }) => name),
      context.capabilities.toolName,
    ),
    readInput: parseArguments,
  };
  context.tools.set(tools, result);
  return result;
}

function prepareTool(tool: FunctionToolDefinition, context: ModelContext): PreparedTool {
  const known = context.tool.get(tool);
  if (known !== undefined) return known;
  const schema = wellFormedJson(objectSchema(tool.inputSchema)) as JsonSchema;
  const lowered = lowerSchema(schema, context, `Tool "${tool.name}"`);
  const strict = tool.strict === true && context.traits.validatesCalls;
  const warnings = [...lowered.warnings];
  if (tool.strict === true && !strict) {
    warnings.push({
      code: "strict_unavailable",
      message: `Tool "${tool.name}" is sent without strict mode: ${context.modelId} has none. Arguments are still checked here.`,
      subject: "strict",
    });
  }
  const result: PreparedTool = {
    declaration: {
      name: wireToolName(tool.name, context.capabilities.toolName),
      description: wellFormed(tool.description),
      ...parameters(lowered.schema, context),
    },
    strict,
    warnings,
  };
  context.tool.set(tool, result);
  return result;
}

/** The schema's field; in Google's own kind of schema, a function without arguments has none. */
function parameters(schema: JsonSchema, { openApiSchemas }: ModelContext): Readonly<Record<string, unknown>> {
  if (!openApiSchemas) return { parametersJsonSchema: schema };
  return schema["properties"] === undefined ? {} : { parameters: schema };
}

/**
 * A schema as the backend accepts it.
 *
 * @param schema - The schema.
 * @param context - The model.
 * @param subject - The owner of the schema, as the beginning of a sentence.
 */
export function lowerSchema(
  schema: JsonSchema,
  context: ModelContext,
  subject: string,
): { readonly schema: JsonSchema; readonly warnings: readonly Warning[] } {
  if (!context.openApiSchemas) return { schema: vendorSchema(schema), warnings: [] };
  const { schema: lowered, lost } = openApiSchema(schema);
  if (lost.length === 0) return { schema: lowered, warnings: [] };
  const message = `${subject} is sent without ${lost.join(", ")}: the backend's schemas have no such keywords. Values are still checked here.`;
  return { schema: lowered, warnings: [{ code: "schema_simplified", message, subject: "schema" }] };
}

/** Keywords that may be next to a reference. */
const besideReference = new Set(["$ref", "description", "default"]);

/**
 * A JSON Schema as the vendor accepts it: `const` is written as an `enum` of one value, the dialect is left out, and a
 * reference is combined only with a description and a default (https://github.com/anomalyco/opencode/issues/12295).
 *
 * @param schema - The schema.
 */
function vendorSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, (inner) => {
    if (typeof inner["$ref"] === "string") {
      return Object.fromEntries(Object.entries(inner).filter(([key]) => besideReference.has(key)));
    }
    const { $schema: _dialect, const: constant, ...rest } = inner;
    return constant === undefined ? rest : { ...rest, enum: [constant] };
  }) as JsonSchema;
}
