import type { ModelSpanStart, RunSpanStart, SpanOwner, TokenUsage, ToolSpanStart } from "@bailiwick/core";
import type { Attributes } from "@opentelemetry/api";
import { asText, inputMessages, runInput, systemInstructions, toolDefinitions } from "./content.ts";

/** Names that dashboards use, by the framework's own. */
const providerNames: Readonly<Record<string, string>> = {
  azure: "azure.ai.openai",
  bedrock: "aws.bedrock",
  gemini: "gcp.gemini",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/**
 * The vendor's name in the conventions for generative AI; an unknown vendor keeps its own name.
 *
 * @param provider - The framework's name of it.
 */
const providerName = (provider: string): string =>
  Object.hasOwn(providerNames, provider) ? (providerNames[provider] ?? provider) : provider;

/** Attributes of each span. */
export const ownerAttributes = ({ agentName, agentId, sessionId, runId }: SpanOwner): Attributes => ({
  "gen_ai.agent.name": agentName,
  "gen_ai.agent.id": agentId,
  "gen_ai.conversation.id": sessionId,
  "bailiwick.run.id": runId,
});

/** Attributes of the metrics of a model call or a run. */
export const modelAttributes = (
  operation: string,
  { modelProvider, model }: ModelSpanStart | RunSpanStart,
): Attributes => ({
  "gen_ai.operation.name": operation,
  "gen_ai.provider.name": providerName(modelProvider),
  "gen_ai.request.model": model,
});

/** Attributes of a run at its start. */
export function runAttributes(start: RunSpanStart, identities: boolean): Attributes {
  const { agentDescription, userId, tenantId, resumed, input } = start;
  return {
    ...ownerAttributes(start),
    "bailiwick.run.resumed": resumed,
    ...(agentDescription !== undefined && { "gen_ai.agent.description": agentDescription }),
    ...(identities && userId !== undefined && { "user.id": userId }),
    ...(identities && tenantId !== undefined && { "bailiwick.tenant.id": tenantId }),
    ...(input !== undefined && { "gen_ai.input.messages": runInput(input) }),
  };
}

/** Attributes of a model call at its start. */
export function callAttributes(start: ModelSpanStart): Attributes {
  const { purpose, structured, maxTokens, temperature, topP, stopSequences, messages, tools } = start;
  const instructions = messages && systemInstructions(messages);
  return {
    ...ownerAttributes(start),
    "gen_ai.output.type": structured ? "json" : "text",
    ...(purpose !== "answer" && { "bailiwick.model.purpose": purpose }),
    ...(maxTokens !== undefined && { "gen_ai.request.max_tokens": maxTokens }),
    ...(temperature !== undefined && { "gen_ai.request.temperature": temperature }),
    ...(topP !== undefined && { "gen_ai.request.top_p": topP }),
    ...(stopSequences !== undefined && { "gen_ai.request.stop_sequences": [...stopSequences] }),
    ...(messages !== undefined && { "gen_ai.input.messages": inputMessages(messages) }),
    ...(tools !== undefined && tools.length > 0 && { "gen_ai.tool.definitions": toolDefinitions(tools) }),
    ...(instructions !== undefined && { "gen_ai.system_instructions": instructions }),
  };
}

/** Attributes of a tool execution at its start. */
export const toolAttributes = (start: ToolSpanStart): Attributes => ({
  ...ownerAttributes(start),
  "gen_ai.tool.type": "function",
  "gen_ai.tool.call.id": start.toolCallId,
  "gen_ai.tool.description": start.description,
  "bailiwick.tool.side_effect_class": start.sideEffectClass,
  ...(start.attempt > 1 && { "bailiwick.tool.attempt": start.attempt }),
  ...(start.arguments !== undefined && { "gen_ai.tool.call.arguments": asText(start.arguments) }),
});

/** The usage. */
export const usageAttributes = (usage: TokenUsage): Attributes => ({
  "gen_ai.usage.input_tokens": usage.inputTokens,
  "gen_ai.usage.output_tokens": usage.outputTokens,
  ...(usage.cachedTokens !== undefined && { "gen_ai.usage.cache_read.input_tokens": usage.cachedTokens }),
  ...(usage.cacheWriteTokens !== undefined && { "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens }),
  ...(usage.reasoningTokens !== undefined && { "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens }),
});
