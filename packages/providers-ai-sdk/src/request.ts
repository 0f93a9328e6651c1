import type { JSONSchema7, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { wellFormedJson, wireToolName } from "@bailiwick/core/provider";
import type { ModelRequest, Warning } from "@bailiwick/core/provider";
import type { SupportedUrls } from "./files.ts";
import { withCacheMarks } from "./cache-marks.ts";
import type { ModelContext } from "./model-context.ts";
import { promptOf } from "./prompt.ts";
import { providerOptionsFor, reasoningOf, samplingOf } from "./settings.ts";
import type { PreparedTools } from "./prepared-tools.ts";
import { prepareTools } from "./tools.ts";

/** A request in the form of an AI SDK model. */
export interface BuiltRequest {
  /** The tool in the form of version 4. */
  readonly options: LanguageModelV4CallOptions;
  readonly tools: PreparedTools;
  readonly warnings: Warning[];
}

const noTools: readonly [] = [];

/**
 * Builds the options of a call.
 *
 * @param request - The request, its history compiled for this model.
 * @param context - The model.
 * @param urls - Addresses that the model accepts.
 * @param abortSignal - Cancels the call.
 */
export function buildRequest(
  request: ModelRequest,
  context: ModelContext,
  urls: SupportedUrls,
  abortSignal: AbortSignal,
): BuiltRequest {
  const tools = prepareTools(request.tools ?? noTools, context);
  const warnings = [...tools.warnings];
  const { output, toolChoice } = request;
  const options: LanguageModelV4CallOptions = {
    prompt: withCacheMarks(promptOf(request.messages, context, urls, warnings), request.caching, context),
    ...samplingOf(request),
    ...reasoningOf(request, context, warnings),
    ...providerOptionsFor(request, context, warnings),
    ...(tools.tools.length === 0 ? {} : { tools: [...tools.tools] }),
    ...(tools.tools.length === 0 || toolChoice === undefined ? {} : { toolChoice: choiceOf(toolChoice, context) }),
    ...(output === undefined
      ? {}
      : {
          responseFormat: {
            type: "json",
            schema: wellFormedJson(output.schema) as JSONSchema7,
            name: output.name,
          },
        }),
    ...(request.includeRawEvents === true ? { includeRawChunks: true } : {}),
    abortSignal,
  };
  return { options, tools, warnings };
}

function choiceOf(
  choice: NonNullable<ModelRequest["toolChoice"]>,
  { capabilities }: ModelContext,
): NonNullable<LanguageModelV4CallOptions["toolChoice"]> {
  if (typeof choice === "string") return { type: choice };
  return { type: "tool", toolName: wireToolName(choice.toolName, capabilities.toolName) };
}
