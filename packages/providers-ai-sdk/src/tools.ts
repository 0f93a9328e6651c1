import type { LanguageModelV4FunctionTool, LanguageModelV4ProviderTool } from "@ai-sdk/provider";
import {
  jsonText,
  objectSchema,
  parseArguments,
  removeAddedNulls,
  strictSchema,
  toolNameReader,
  wellFormed,
  wellFormedJson,
  wireToolName,
} from "@bailiwick/core/provider";
import type { FunctionToolDefinition, HostedTool, ToolDefinition, Warning } from "@bailiwick/core/provider";
import { hostedProvider } from "./hosted-tool.ts";
import type { ModelContext } from "./model-context.ts";
import type { PreparedTool, PreparedTools } from "./prepared-tools.ts";

/**
 * Prepares the tools of a request. The same array, and the same definition in another array, is prepared once.
 *
 * @param tools - The tools to offer.
 * @param context - The model.
 */
export function prepareTools(tools: readonly ToolDefinition[], context: ModelContext): PreparedTools {
  const known = context.tools.get(tools);
  if (known !== undefined) return known;
  const functions = tools.filter((tool) => tool.type === "function");
  const hosted = tools.filter((tool) => tool.type === "hosted");
  const prepared = functions.map((tool) => prepareFunction(tool, context));
  const enforced = new Map(functions.map(({ name }, index) => [name, prepared[index]?.strictOf]));
  const result: PreparedTools = {
    tools: [...prepared.map(({ tool }) => tool), ...hosted.filter(isBridged).map(providerTool)],
    warnings: [
      ...prepared.flatMap(({ warnings }) => warnings),
      ...hosted.filter((tool) => !isBridged(tool)).map((tool) => notOffered(tool, context)),
    ],
    readName: toolNameReader(
      functions.map(({ name }) => name),
      context.capabilities.toolName,
    ),
    isFunction: (wireName) => prepared.some(({ tool }) => tool.name === wireName),
    isHosted: (name) => hosted.some((tool) => isBridged(tool) && tool.name === name),
    readInput(name, text) {
      const parsed = parseArguments(text);
      const schema = enforced.get(name);
      return schema === undefined || !("input" in parsed) ? parsed : { input: removeAddedNulls(parsed.input, schema) };
    },
  };
  context.tools.set(tools, result);
  return result;
}

function prepareFunction(tool: FunctionToolDefinition, context: ModelContext): PreparedTool {
  const known = context.tool.get(tool);
  if (known !== undefined) return known;
  const { schema, strict, warnings } = schemaOf(tool, context);
  const result: PreparedTool = {
    tool: {
      type: "function",
      name: wireToolName(tool.name, context.capabilities.toolName),
      description: wellFormed(tool.description),
      inputSchema: wellFormedJson(schema) as LanguageModelV4FunctionTool["inputSchema"],
      ...(context.vendor.strictTools ? { strict } : {}),
    },
    warnings,
    strictOf: strict ? tool.inputSchema : undefined,
  };
  context.tool.set(tool, result);
  return result;
}

function schemaOf(tool: FunctionToolDefinition, { modelId, vendor }: ModelContext) {
  const plain = { schema: objectSchema(tool.inputSchema), strict: false, warnings: [] as Warning[] };
  if (tool.strict !== true) return plain;
  const lowered = vendor.strictTools
    ? strictSchema(tool.inputSchema)
    : { ok: false as const, reason: `the AI SDK has no strict mode for ${modelId}` };
  if (lowered.ok) return { schema: lowered.schema, strict: true, warnings: [] };
  const message = `Tool "${tool.name}" is sent without strict mode: ${lowered.reason}. Arguments are still checked here.`;
  return { ...plain, warnings: [{ code: "strict_unavailable", message, subject: "strict" }] };
}

function isBridged({ provider }: HostedTool): boolean {
  return provider === hostedProvider;
}

function providerTool({ name, args }: HostedTool): LanguageModelV4ProviderTool {
  return {
    type: "provider",
    id: jsonText(args["id"]) as LanguageModelV4ProviderTool["id"],
    name,
    args: { ...(args["args"] as Readonly<Record<string, unknown>> | undefined) },
  };
}

function notOffered({ name, provider }: HostedTool, { modelId }: ModelContext): Warning {
  return {
    code: "unsupported_tool",
    message: `The hosted tool "${name}" belongs to ${provider} and was not offered to ${modelId}. Make it with hostedTool() from the AI SDK's own helper.`,
    subject: name,
  };
}
