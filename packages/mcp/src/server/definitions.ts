import { ConfigurationError } from "@bailiwick/core";
import { compileSchema, declaredEffect, isStandardSchema } from "@bailiwick/core/extension";
import type { JsonSchema, Tool } from "@bailiwick/core";
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { askTools, servedTools } from "./options.ts";
import type { McpServerOptions } from "./options.ts";
import type { ServedAgent } from "./served-agent.ts";

/** Tools that a client can call. */
export interface ServedDefinition {
  readonly listed: ListedTool;
  /** The agent whose policy applies to the call. */
  readonly agent: ServedAgent;
  /** Absent for the agent itself. */
  readonly tool?: Tool | undefined;
}

/**
 * The definitions that clients are shown.
 *
 * @throws SchemaNotConvertibleError for a schema that has no JSON Schema.
 */
export function definitionsOf(options: McpServerOptions): ReadonlyMap<string, ServedDefinition> {
  const definitions = new Map<string, ServedDefinition>();
  const { agent } = options;
  for (const tool of servedTools(options)) definitions.set(tool.name, { listed: listedTool(tool), agent, tool });
  for (const { agent: asked, ...ask } of askTools(options)) {
    const inputSchema = {
      type: "object" as const,
      properties: {
        question: { type: "string", minLength: 1, description: "What the agent is asked, or told to do." },
      },
      required: ["question"],
    };
    definitions.set(ask.name, { listed: { ...ask, inputSchema }, agent: asked });
  }
  return definitions;
}

function listedTool(tool: Tool): ListedTool {
  const { name, description } = tool;
  const sideEffectClass = declaredEffect(tool) ?? "side-effecting";
  const input = compileSchema(tool.inputSchema, {
    what: `The inputSchema of tool "${name}"`,
    ...(tool.inputJsonSchema !== undefined && { jsonSchema: tool.inputJsonSchema }),
  });
  const output = outputSchemaOf(tool);
  const isRead = sideEffectClass === "pure" || sideEffectClass === "read-only";
  return {
    name,
    description,
    inputSchema: { ...input.jsonSchema, type: "object" },
    ...(output !== undefined && { outputSchema: output }),
    annotations: {
      readOnlyHint: isRead,
      // The key "call" is new with each call: a client that repeats a call would repeat its effect.
      ...(!isRead && { destructiveHint: true, idempotentHint: typeof tool.idempotencyKey === "function" }),
    },
  };
}

/** Results that a client gets as data. A secret is never among them: its placeholder has another form. */
function outputSchemaOf({ name, outputSchema, sensitivity, toModelOutput }: Tool): JsonSchema | undefined {
  if (outputSchema === undefined || sensitivity === "secret" || toModelOutput !== undefined) return undefined;
  if (!isStandardSchema(outputSchema)) return undefined;
  try {
    const standard = outputSchema["~standard"] as {
      readonly jsonSchema?: { output(options: { readonly target: string }): JsonSchema };
    };
    const schema = standard.jsonSchema?.output({ target: "draft-2020-12" });
    return schema?.["type"] === "object" ? schema : undefined;
  } catch (error) {
    throw new ConfigurationError(
      "INVALID_MCP_OPTION",
      `The outputSchema of tool "${name}" has no JSON Schema that could be shown to clients. Leave it out, or use one that has.`,
      { cause: error },
    );
  }
}
