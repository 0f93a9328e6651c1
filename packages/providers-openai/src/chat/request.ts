import { unsupportedSetting, wireToolName } from "@bailiwick/core/provider";
import type { ModelRequest, Warning } from "@bailiwick/core/provider";
import { cacheKey } from "../cache-key.ts";
import { wrapAnswer } from "../answer-wrapper.ts";
import { callFields, callOptions } from "../call-options.ts";
import type { ModelContext } from "../model-context.ts";
import { effortFor, effortWithTools, samplingFor } from "../settings.ts";
import { lowerSchema, prepareTools } from "../tools.ts";
import type { PreparedTools } from "../prepared-tools.ts";
import { writeBody } from "../written-body.ts";
import { chatMessages } from "./messages.ts";

/** The request body, and the data needed to read its answer. */
export interface BuiltRequest {
  /** JSON. */
  readonly body: string;
  readonly tools: PreparedTools;
  readonly warnings: readonly Warning[];
  /** True if the answer comes in a wrapper; see `wrapAnswer`. */
  readonly wrapped: boolean;
}

const noTools: NonNullable<ModelRequest["tools"]> = [];

/**
 * Maps a request to the body of `POST /chat/completions`.
 *
 * @param request - The request, its messages compiled for this model.
 * @param context - The model.
 * @param stream - True if the answer is streamed.
 */
export function chatRequest(request: ModelRequest, context: ModelContext, stream: boolean): BuiltRequest {
  const { compat } = context;
  const unoffered: Warning[] = [];
  const tools = prepareTools(offeredTools(request, context, unoffered), context);
  const warnings: Warning[] = [...unoffered, ...tools.warnings];
  const options = callOptions(request, context);
  const chosenEffort = effortFor(request.reasoning, context, warnings);
  const effort = tools.functions.length === 0 ? chosenEffort : effortWithTools(chosenEffort, context, warnings);
  const messages = chatMessages(request.messages, context, warnings);
  const fields = {
    model: context.modelId,
    ...toolSettings(request, tools, context, warnings),
    ...outputFormat(request, context, warnings),
    ...compat.body,
    ...(effort === undefined ? {} : reasoningField(effort, request, context)),
    ...thinkingField(request, context),
    ...samplingFor(request, effort, context, warnings),
    ...stopField(request, context, warnings),
    ...(request.maxTokens === undefined ? {} : { [compat.maxTokens]: request.maxTokens }),
    ...cacheField(request, context, warnings),
    ...callFields(options, context, warnings),
    ...(stream ? { stream: true, ...(compat.streamUsage ? { stream_options: { include_usage: true } } : {}) } : {}),
    ...options.extraBody,
  };
  const wrapped =
    context.capabilities.structuredOutput !== "none" &&
    request.output !== undefined &&
    wrapAnswer(request.output.schema).wrapped;
  const offered = tools.functions.length === 0 ? {} : { tools: wireTools(tools, context) };
  return { body: writeBody(fields, { messages, ...offered }), tools, warnings, wrapped };
}

function toolSettings(request: ModelRequest, tools: PreparedTools, context: ModelContext, warnings: Warning[]): object {
  for (const tool of tools.hosted) {
    warnings.push({
      code: "unsupported_tool",
      message: `The hosted tool "${tool.name}" was not offered: Chat Completions has no hosted tools. Use the Responses API.`,
      subject: tool.name,
    });
  }
  if (tools.functions.length === 0) return {};
  const { compat } = context;
  const parallel = request.parallelToolCalls;
  if (parallel !== undefined && !compat.parallelToolCalls) {
    warnings.push(unsupportedSetting("parallelToolCalls", `${compat.provider} has no such setting.`));
  }
  const choice = chosen(request, context, warnings);
  return {
    ...(choice === undefined ? {} : { tool_choice: wireChoice(choice, context) }),
    ...(parallel !== undefined && compat.parallelToolCalls ? { parallel_tool_calls: parallel } : {}),
  };
}

/** The tool choice; the model's own if the server cannot force one. */
function chosen(request: ModelRequest, { compat }: ModelContext, warnings: Warning[]): ModelRequest["toolChoice"] {
  const { toolChoice: choice, reasoning } = request;
  const thinks = reasoning?.enabled === true && reasoning.effort !== "none";
  const never = compat.forcedChoice === "never" || (compat.forcedChoice === "without-thinking" && thinks);
  if (!isForced(choice) || !never) return choice;
  const when = compat.forcedChoice === "never" ? "" : " while the model thinks";
  warnings.push(
    unsupportedSetting("toolChoice", `${compat.provider} cannot force a tool call${when}: the model decides.`),
  );
  return "auto";
}

function isForced(choice: ModelRequest["toolChoice"]): boolean {
  return choice === "required" || typeof choice === "object";
}

/** Thinking, if the server has a switch for it; a forced call turns it off unless thinking was requested. */
function thinkingField({ reasoning, toolChoice }: ModelRequest, { compat, traits }: ModelContext): object {
  if (traits.thinkingSwitch === undefined) return {};
  const mustBeOff = compat.forcedChoice === "without-thinking" && isForced(toolChoice);
  if (reasoning === undefined && !mustBeOff) return {};
  const on = reasoning?.enabled === true && reasoning.effort !== "none";
  switch (traits.thinkingSwitch) {
    case "thinking":
      return {
        thinking: on
          ? { type: "enabled", ...(compat.keepsThinking ? { clear_thinking: false } : {}) }
          : { type: "disabled" },
      };
    case "adaptive":
      return { thinking: { type: on ? "adaptive" : "disabled" } };
    case "enable_thinking":
      return { enable_thinking: on };
    case "chat_template_kwargs":
      return { chat_template_kwargs: { enable_thinking: on } };
  }
}

function wireChoice(choice: NonNullable<ModelRequest["toolChoice"]>, context: ModelContext): unknown {
  if (typeof choice === "string") return choice;
  if (context.compat.namedToolChoice === false) return "required";
  return { type: "function", function: { name: wireToolName(choice.toolName, context.capabilities.toolName) } };
}

/** The tools of a request: a single one for a server that cannot be given its name. */
function offeredTools(request: ModelRequest, { compat }: ModelContext, warnings: Warning[]): typeof noTools {
  const { tools = noTools, toolChoice } = request;
  if (compat.tools === false && tools.length > 0) {
    warnings.push({
      code: "unsupported_tool",
      message: `Tools were not offered: ${compat.provider} does not support tools.`,
      subject: "tools",
    });
    return noTools;
  }
  if (typeof toolChoice !== "object" || compat.namedToolChoice !== false) return tools;
  return tools.filter(({ name }) => name === toolChoice.toolName);
}

/** The functions as JSON, written once for a list of tools. */
function wireTools(tools: PreparedTools, { compat, writtenTools }: ModelContext): string {
  let text = writtenTools.get(tools);
  if (text === undefined) {
    text = JSON.stringify(
      tools.functions.map(({ name, description, parameters, strict }) => ({
        type: "function",
        function: { name, description, parameters, ...(compat.strictTools ? { strict } : {}) },
      })),
    );
    writtenTools.set(tools, text);
  }
  return text;
}

function outputFormat({ output }: ModelRequest, context: ModelContext, warnings: Warning[]): object {
  if (output === undefined) return {};
  if (context.capabilities.structuredOutput === "none") {
    warnings.push(unsupportedSetting("output", `${context.modelId} does not support answers by JSON Schema.`));
    return {};
  }
  const { schema } = wrapAnswer(output.schema);
  // Groq, and OpenAI's models behind gateways, refuse `strict` with a schema of another form.
  const lowered =
    output.strict === false
      ? { schema, strict: false, warning: undefined }
      : lowerSchema(schema, context, "The schema of the answer", true);
  if (lowered.warning !== undefined) warnings.push(lowered.warning);
  const name = wireToolName(output.name, context.capabilities.toolName);
  return {
    response_format: { type: "json_schema", json_schema: { name, schema: lowered.schema, strict: lowered.strict } },
  };
}

function reasoningField(effort: string, { reasoning }: ModelRequest, { compat }: ModelContext): object {
  if (compat.reasoning !== "reasoning") return { reasoning_effort: effort };
  // OpenRouter accepts either; a budget is more precise.
  const budget = reasoning?.enabled === true && reasoning.effort === undefined ? reasoning.budgetTokens : undefined;
  return { reasoning: budget === undefined ? { effort } : { max_tokens: budget } };
}

function stopField({ stopSequences }: ModelRequest, { modelId, traits }: ModelContext, warnings: Warning[]): object {
  if (stopSequences === undefined || stopSequences.length === 0) return {};
  if (traits.reasons) {
    warnings.push(unsupportedSetting("stopSequences", `the reasoning model ${modelId} does not accept them.`));
    return {};
  }
  if (stopSequences.length > 4) {
    warnings.push(
      unsupportedSetting("stopSequences", "only the first four were sent, because the vendor accepts at most four."),
    );
  }
  return { stop: stopSequences.slice(0, 4) };
}

function cacheField(request: ModelRequest, { compat, modelId }: ModelContext, warnings: Warning[]): object {
  if (request.caching === false && compat.openaiModels) {
    warnings.push(unsupportedSetting("caching", `${modelId} always caches, and this API cannot turn that off.`));
  }
  const key = compat.promptCacheKey ? cacheKey(request) : undefined;
  return key === undefined ? {} : { prompt_cache_key: key };
}
