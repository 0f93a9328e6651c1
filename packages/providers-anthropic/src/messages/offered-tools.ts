import { isJsonObject, jsonText } from "@bailiwick/core/provider";
import type { HostedTool, ModelRequest, Warning } from "@bailiwick/core/provider";
import type { Block } from "../cache-breakpoints.ts";
import type { ModelContext } from "../model-context.ts";
import { enforcedSchema } from "../schema.ts";
import { notEnforced, strictLimits, takesFromLimits, type RemainingLimits } from "../tools.ts";
import type { PreparedTool, PreparedTools } from "../prepared-tools.ts";

/** The tools of a request, and how its answer is bound to a schema. */
export interface OfferedTools {
  readonly tools: Block[];
  readonly mcpServers: readonly Block[];
  /** The answer's format, if the vendor enforces it. */
  readonly format: { readonly format?: Block };
  /** The answer's schema as text, if it cannot be enforced. */
  readonly instruction: string | undefined;
  /** The vendor runs code for one of the tools. */
  readonly usesContainer: boolean;
}

/**
 * The tools of a request in the vendor's form. Schemas are enforced in order, up to the vendor's limit.
 *
 * @param request - The request.
 * @param tools - Its tools, prepared.
 * @param refused - True if the vendor refused to enforce the schemas of this session.
 * @param context - The model.
 * @param warnings - Gets an entry for each tool that is not enforced or not offered.
 */
export function offerTools(
  request: ModelRequest,
  tools: PreparedTools,
  refused: boolean,
  context: ModelContext,
  warnings: Warning[],
): OfferedTools {
  const room: RemainingLimits = { ...strictLimits };
  const why = refused ? "the vendor refused this session's schemas as too large" : undefined;
  const answer = answerFormat(request, room, why, warnings);
  const hosted = ownTools(tools.hosted, context, warnings);
  const deferred = deferredTools(hosted);
  const functions = tools.functions.map((tool): Block => {
    const strict = strictSchemaOf(tool, room, why, context, warnings);
    const { name, description, schema } = tool;
    return {
      name,
      description,
      input_schema: strict ?? schema,
      ...(strict === undefined ? {} : { strict: true }),
      ...(deferred(name) ? { defer_loading: true } : {}),
    };
  });
  return {
    tools: [...functions, ...hosted.map(hostedTool)],
    mcpServers: hosted.flatMap(({ args }) => (isJsonObject(args["server"]) ? [args["server"]] : [])),
    ...answer,
    usesContainer: hosted.some(({ args }) => jsonText(args["type"]).startsWith("code_execution")),
  };
}

function strictSchemaOf(
  tool: PreparedTool,
  room: RemainingLimits,
  why: string | undefined,
  context: ModelContext,
  warnings: Warning[],
) {
  const { enforced } = tool;
  if (enforced === undefined) return undefined;
  const refuse = (reason: string): undefined => {
    warnings.push(notEnforced(`Tool "${tool.registeredName}"`, reason));
    return undefined;
  };
  if (!context.traits.strictTools) return refuse(`${context.modelId} has none`);
  if (why !== undefined) return refuse(why);
  if (!enforced.ok) return refuse(enforced.reason);
  if (!takesFromLimits(enforced, room)) {
    return refuse(
      `a request may enforce ${strictLimits.tools} tools with ${strictLimits.optional} optional keys and ${strictLimits.unions} unions in all`,
    );
  }
  return enforced.schema;
}

function answerFormat(
  { output }: ModelRequest,
  room: RemainingLimits,
  why: string | undefined,
  warnings: Warning[],
): Pick<OfferedTools, "format" | "instruction"> {
  if (output === undefined) return { format: {}, instruction: undefined };
  const lowered = enforcedSchema(output.schema);
  const reason = why ?? (lowered.ok ? undefined : lowered.reason);
  if (lowered.ok && reason === undefined && takesFromLimits(lowered, { ...room })) {
    // An answer's format counts by its keys and unions, not as a tool.
    room.optional -= lowered.optional;
    room.unions -= lowered.unions;
    return { format: { format: { type: "json_schema", schema: lowered.schema } }, instruction: undefined };
  }
  warnings.push(
    notEnforced("The schema of the answer", reason ?? "it has more optional keys or unions than the vendor enforces"),
  );
  const instruction = `Give the final answer as JSON only, with no other text. It must match this JSON Schema:\n${JSON.stringify(output.schema)}`;
  return { format: {}, instruction };
}

function ownTools(
  hosted: readonly HostedTool[],
  { modelId }: ModelContext,
  warnings: Warning[],
): readonly HostedTool[] {
  return hosted.filter((tool) => {
    if (tool.provider === "anthropic") return true;
    warnings.push({
      code: "unsupported_tool",
      message: `The hosted tool "${tool.name}" belongs to ${tool.provider} and was not offered to ${modelId}.`,
      subject: tool.name,
    });
    return false;
  });
}

/** True if the vendor's tool search finds a function instead of the request listing it. */
function deferredTools(hosted: readonly HostedTool[]): (name: string) => boolean {
  const search = hosted.find(({ args }) => jsonText(args["type"]).startsWith("tool_search_tool"));
  const shown = search?.args["shown"];
  return (name) => search !== undefined && !(Array.isArray(shown) && shown.includes(name));
}

/** Leaves out settings that are only for this adapter. */
function hostedTool({ args }: HostedTool): Block {
  const { server: _server, shown: _shown, ...sent } = args;
  return sent;
}
