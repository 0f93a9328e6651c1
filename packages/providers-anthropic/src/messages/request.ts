import type { ModelRequest, ToolChoice, Warning } from "@bailiwick/core/provider";
import { unsupportedSetting, wellFormedJson, wireToolName } from "@bailiwick/core/provider";
import { beta, contextBetas } from "../betas.ts";
import { placeBreakpoints, type Block } from "../cache-breakpoints.ts";
import { callFields, callOptions } from "../call-options.ts";
import type { RequestAsks } from "../client.ts";
import type { Concession } from "../concessions.ts";
import type { ModelContext } from "../model-context.ts";
import { samplingFields, samplingFor } from "../sampling.ts";
import { thinkingFor } from "../settings.ts";
import { prepareTools } from "../tools.ts";
import type { PreparedTools } from "../prepared-tools.ts";
import { adjusted } from "../warnings.ts";
import { endConversation } from "./ending.ts";
import { readConversation } from "./input.ts";
import { offerTools } from "./offered-tools.ts";

/** The request body, and the data needed to read its answer. */
export interface BuiltRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly asks: RequestAsks;
  readonly tools: PreparedTools;
  /** The features that the vendor refused before, which are not requested again. */
  readonly without: ReadonlySet<Concession>;
  readonly warnings: readonly Warning[];
}

const noTools: NonNullable<ModelRequest["tools"]> = [];
/** Output tokens of a model whose limit is not known. */
const someTokens = 64_000;

/**
 * Maps a request to the body of `POST /v1/messages`.
 *
 * @param request - The request, its messages compiled for this model.
 * @param context - The model.
 * @param stream - True if the answer is streamed.
 */
export function messagesRequest(request: ModelRequest, context: ModelContext, stream: boolean): BuiltRequest {
  const tools = prepareTools(request.tools ?? noTools, context);
  const warnings: Warning[] = [];
  const options = callOptions(request);
  const given = context.concessions.of(request);
  const messages = context.unreadable.readable(request.messages, (warning) => warnings.push(warning));
  const conversation = readConversation(messages, context);
  const maxTokens = outputLimit(request.maxTokens, context, warnings);
  const forced = request.toolChoice === "required" || typeof request.toolChoice === "object";
  const { loopWithoutThinking } = conversation;
  const { thinking, effort, on } = thinkingFor(
    request,
    options,
    context,
    { maxTokens, forced, loopWithoutThinking },
    warnings,
  );
  const offered = offerTools(request, tools, given.has("strict"), context, warnings);
  endConversation(conversation, on, context, warnings);
  if (offered.instruction !== undefined) conversation.system.push({ type: "text", text: offered.instruction });
  if (options.citations === true) citeDocuments(conversation.turns);
  placeBreakpoints(
    { tools: offered.tools, system: conversation.system, messages: conversation.turns },
    request.caching,
    options.cacheTtl ?? "5m",
  );
  const outputConfig = { ...(effort === undefined ? {} : { effort }), ...offered.format };
  const container = options.container ?? (offered.usesContainer ? conversation.container : undefined);
  const fields = wellFormedJson({
    model: context.modelId,
    max_tokens: maxTokens,
    ...(conversation.system.length === 0 ? {} : { system: conversation.system }),
    ...(offered.tools.length === 0
      ? {}
      : { tools: offered.tools, ...toolChoice(request, tools, on, context, warnings) }),
    ...(offered.mcpServers.length === 0 ? {} : { mcp_servers: offered.mcpServers }),
    ...thinkingField(thinking, given),
    ...(Object.keys(outputConfig).length === 0 ? {} : { output_config: outputConfig }),
    ...samplingFor(request, options, on, context, warnings),
    ...stopSequences(request.stopSequences, warnings),
    ...(container === undefined ? {} : { container }),
    ...callFields(options, warnings),
    ...(stream ? { stream: true } : {}),
    ...options.extraBody,
  }) as Readonly<Record<string, unknown>>;
  // Each message was made well-formed when it was mapped.
  const body = { messages: conversation.turns, ...fields };
  const betas = [
    ...context.betas,
    ...usedBetas(options, offered.mcpServers.length > 0, conversation.storesFiles),
    ...(given.has("thinking") ? [beta.thinkingBinding] : []),
  ];
  const sampled = samplingFields.some((name) => name in body);
  return {
    body,
    asks: { betas, apiVersion: sampled && context.sampling !== "none" ? context.sampling : undefined },
    tools,
    without: given,
    warnings,
  };
}

/** Betas of the caller, and of what the request uses. */
function usedBetas(options: ReturnType<typeof callOptions>, hasServers: boolean, storesFiles: boolean): string[] {
  return [
    ...(options.betas ?? []),
    ...(hasServers ? [beta.mcp] : []),
    ...(storesFiles ? [beta.files] : []),
    ...contextBetas(options.contextManagement),
  ];
}

function outputLimit(asked: number | undefined, { capabilities, modelId }: ModelContext, warnings: Warning[]): number {
  const most = capabilities.maxOutputTokens;
  if (asked === undefined) return most ?? someTokens;
  if (most === undefined || asked <= most) return asked;
  warnings.push(
    adjusted("maxTokens", `${modelId} writes at most ${most} tokens: ${most} was sent instead of ${asked}.`),
  );
  return most;
}

function thinkingField(thinking: Block | undefined, given: ReadonlySet<Concession>): { readonly thinking?: Block } {
  if (!given.has("thinking")) return thinking === undefined ? {} : { thinking };
  return { thinking: { type: "adaptive", ...thinking, block_binding: { prefix_mismatch_behavior: "drop_block" } } };
}

function toolChoice(
  request: ModelRequest,
  { hosted }: PreparedTools,
  thinks: boolean,
  context: ModelContext,
  warnings: Warning[],
): object {
  const alone = request.parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  const { toolChoice: choice } = request;
  if (choice === "none") return { tool_choice: { type: "none" } };
  if (choice === undefined || choice === "auto") {
    return choice === undefined && request.parallelToolCalls !== false
      ? {}
      : { tool_choice: { type: "auto", ...alone } };
  }
  if (thinks && context.traits.forcesWhileThinking !== true) {
    warnings.push(unsupportedSetting("toolChoice", "a tool call cannot be forced while the model thinks."));
    return { tool_choice: { type: "auto", ...alone } };
  }
  return {
    tool_choice: {
      ...forcedChoice(
        choice,
        hosted.map(({ name }) => name),
        context,
      ),
      ...alone,
    },
  };
}

function forcedChoice(choice: ToolChoice, hosted: readonly string[], context: ModelContext): object {
  if (typeof choice === "string") return { type: "any" };
  const name = hosted.includes(choice.toolName)
    ? choice.toolName
    : wireToolName(choice.toolName, context.capabilities.toolName);
  return { type: "tool", name };
}

function stopSequences(sequences: readonly string[] | undefined, warnings: Warning[]): object {
  const said = (sequences ?? []).filter((text) => text.trim() !== "");
  if (said.length !== (sequences ?? []).length) {
    warnings.push(
      unsupportedSetting("stopSequences", "Anthropic refuses one that is only white space. The others were sent."),
    );
  }
  return said.length === 0 ? {} : { stop_sequences: said };
}

function citeDocuments(turns: readonly { readonly content: Block[] }[]): void {
  for (const { content } of turns) {
    for (const [index, block] of content.entries()) {
      if (block["type"] === "document") content[index] = { ...block, citations: { enabled: true } };
    }
  }
}
