import type { HostedTool, ModelRequest, ToolChoice, Warning } from "@bailiwick/core/provider";
import { ConfigurationError, isJsonObject, jsonText, unsupportedSetting, wireToolName } from "@bailiwick/core/provider";
import { cacheKey, leadingSystem } from "../cache-key.ts";
import { wrapAnswer } from "../answer-wrapper.ts";
import { callFields, callOptions } from "../call-options.ts";
import type { ModelContext } from "../model-context.ts";
import type { OpenAICallOptions } from "../options.ts";
import { effortFor, samplingFor } from "../settings.ts";
import { lowerSchema, prepareTools } from "../tools.ts";
import type { PreparedTools } from "../prepared-tools.ts";
import { writeBody } from "../written-body.ts";
import { inputItems } from "./input.ts";

/** The request body, and the data needed to read its answer. */
export interface BuiltRequest {
  /** JSON. */
  readonly body: string;
  readonly tools: PreparedTools;
  readonly warnings: readonly Warning[];
  /** True if the answer comes in a wrapper; see `wrapAnswer`. */
  readonly wrapped: boolean;
  /** True if the vendor writes the answer in the background. */
  readonly inBackground: boolean;
}

/** The minimum of `max_output_tokens`. */
const minOutputTokens = 16;

/**
 * Maps a request to the body of `POST /responses`.
 *
 * @param request - The request, its messages compiled for this model.
 * @param context - The model.
 * @param stream - True if the answer is streamed.
 */
export function responsesRequest(request: ModelRequest, context: ModelContext, stream: boolean): BuiltRequest {
  const tools = prepareTools(request.tools ?? noTools, context);
  const warnings: Warning[] = [...tools.warnings];
  const options = callOptions(request, context);
  const reasoning = reasoningSettings(request, context, warnings);
  const include = inclusions(tools, options, context);
  const offered = wireTools(tools, context, warnings);
  const fields = {
    model: context.modelId,
    store: false,
    ...(include.length === 0 ? {} : { include }),
    ...(offered === undefined ? {} : toolSettings(request, tools, context)),
    ...textSettings(request, options, context, warnings),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...samplingFor(request, reasoning?.effort, context, warnings),
    ...outputLimit(request.maxTokens, warnings),
    ...cacheSettings(request, context, warnings),
    ...callFields(options, context, warnings),
    // The vendor only keeps stored answers for later.
    ...(options.background === true ? { background: true, store: true } : stream ? { stream: true } : {}),
    ...options.extraBody,
  };
  if (request.stopSequences !== undefined && request.stopSequences.length > 0) {
    warnings.push(unsupportedSetting("stopSequences", 'the Responses API has none. Pass api: "chat" to use them.'));
  }
  const wrapped = request.output !== undefined && wrapAnswer(request.output.schema).wrapped;
  // Parallel agents share the request only up to the instructions.
  const marks = request.caching === "shared" && context.traits.cacheBreakpoints;
  const input = inputItems(request.messages, context, marks ? leadingSystem(request.messages).at(-1) : undefined);
  const body = writeBody(fields, { input, ...(offered === undefined ? {} : { tools: offered }) });
  return { body, tools, warnings, wrapped, inBackground: options.background === true };
}

const noTools: NonNullable<ModelRequest["tools"]> = [];

function reasoningSettings(request: ModelRequest, context: ModelContext, warnings: Warning[]) {
  const effort = effortFor(request.reasoning, context, warnings);
  const { reasoning } = request;
  if (!context.traits.reasons) return effort === undefined ? undefined : { effort };
  if (reasoning === undefined) return undefined;
  const summary = reasoning.enabled && reasoning.summary !== "none" ? { summary: reasoning.summary ?? "auto" } : {};
  return { ...(effort === undefined ? {} : { effort }), ...summary };
}

function inclusions(
  { hosted }: PreparedTools,
  options: OpenAICallOptions,
  { traits }: ModelContext,
): readonly string[] {
  const include = new Set(options.include);
  // The encrypted form makes it possible to send reasoning back to a vendor that stores nothing.
  if (traits.encryptsReasoning) include.add("reasoning.encrypted_content");
  for (const { args } of hosted) {
    if (args["type"] === "web_search") include.add("web_search_call.action.sources");
    if (args["type"] === "code_interpreter") include.add("code_interpreter_call.outputs");
    if (args["type"] === "file_search") include.add("file_search_call.results");
  }
  return [...include];
}

/** The tools as JSON, serialized once for a list of tools; `undefined` if none is offered. */
function wireTools(tools: PreparedTools, context: ModelContext, warnings: Warning[]): string | undefined {
  const hosted = tools.hosted.filter((tool) => {
    if (tool.provider === context.compat.provider || tool.provider === "openai") {
      refuseCallersTool(tool);
      return true;
    }
    warnings.push({
      code: "unsupported_tool",
      message: `The hosted tool "${tool.name}" belongs to ${tool.provider} and was not offered to ${context.modelId}.`,
      subject: tool.name,
    });
    return false;
  });
  if (tools.functions.length + hosted.length === 0) return undefined;
  const known = context.writtenTools.get(tools);
  if (known !== undefined) return known;
  const text = JSON.stringify([
    ...tools.functions.map(({ name, description, parameters, strict }) => ({
      type: "function",
      name,
      description,
      parameters,
      strict,
    })),
    ...hosted.map(({ args, name }) =>
      args["type"] === "custom" ? { ...args, name: wireToolName(name, context.capabilities.toolName) } : args,
    ),
  ]);
  context.writtenTools.set(tools, text);
  return text;
}

/** Tools whose calls the caller runs, each with its own kind of item. */
const callersTools: ReadonlySet<string> = new Set(["apply_patch", "computer", "computer_use_preview", "local_shell"]);

function refuseCallersTool({ name, args }: HostedTool): void {
  const type = jsonText(args["type"]);
  const isLocalShell = type === "shell" && isJsonObject(args["environment"]) && args["environment"]["type"] === "local";
  const isOwnSearch = type === "tool_search" && args["execution"] === "client";
  if (!callersTools.has(type) && !isLocalShell && !isOwnSearch) return;
  throw new ConfigurationError(
    "INVALID_HOSTED_TOOL",
    `The vendor does not run "${name}" (${type}): it expects the caller to run its calls, and nothing here does. Offer your own tool instead, such as customTool() with a tool of that name.`,
  );
}

function toolSettings(request: ModelRequest, tools: PreparedTools, context: ModelContext): object {
  return {
    ...(request.toolChoice === undefined ? {} : { tool_choice: toolChoice(request.toolChoice, tools, context) }),
    ...(request.parallelToolCalls === undefined ? {} : { parallel_tool_calls: request.parallelToolCalls }),
  };
}

function toolChoice(choice: ToolChoice, { hosted }: PreparedTools, context: ModelContext): unknown {
  if (typeof choice === "string") return choice;
  const own = hosted.find((tool) => tool.name === choice.toolName);
  if (own !== undefined) {
    return own.args["type"] === "custom"
      ? { type: "custom", name: wireToolName(own.name, context.capabilities.toolName) }
      : { type: own.args["type"] };
  }
  return { type: "function", name: wireToolName(choice.toolName, context.capabilities.toolName) };
}

function textSettings(
  request: ModelRequest,
  options: OpenAICallOptions,
  context: ModelContext,
  warnings: Warning[],
): object {
  const verbosity = options.verbosity === undefined ? {} : { verbosity: options.verbosity };
  const { output } = request;
  if (output === undefined) return options.verbosity === undefined ? {} : { text: verbosity };
  const lowered =
    output.strict === false
      ? { schema: wrapAnswer(output.schema).schema, strict: false, warning: undefined }
      : lowerSchema(wrapAnswer(output.schema).schema, context, "The schema of the answer");
  if (lowered.warning !== undefined) warnings.push(lowered.warning);
  const name = wireToolName(output.name, context.capabilities.toolName);
  return {
    text: { format: { type: "json_schema", name, schema: lowered.schema, strict: lowered.strict }, ...verbosity },
  };
}

function outputLimit(maxTokens: number | undefined, warnings: Warning[]): object {
  if (maxTokens === undefined) return {};
  if (maxTokens >= minOutputTokens) return { max_output_tokens: maxTokens };
  warnings.push({
    code: "adjusted_setting",
    message: `"maxTokens" ${maxTokens} is below the vendor's minimum: ${minOutputTokens} was sent.`,
    subject: "maxTokens",
  });
  return { max_output_tokens: minOutputTokens };
}

function cacheSettings(request: ModelRequest, { modelId, traits }: ModelContext, warnings: Warning[]): object {
  if (request.caching === false) {
    // Explicit mode without breakpoints turns the cache of newer models off.
    if (traits.cacheBreakpoints) return { prompt_cache_options: { mode: "explicit" } };
    warnings.push(unsupportedSetting("caching", `${modelId} always caches, and this API cannot turn that off.`));
    return {};
  }
  const key = cacheKey(request);
  return key === undefined ? {} : { prompt_cache_key: key };
}
