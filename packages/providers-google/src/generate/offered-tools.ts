import { unsupportedSetting, wireToolName } from "@bailiwick/core/provider";
import type { HostedTool, ModelRequest, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "../model-context.ts";
import type { GoogleCallOptions } from "../options.ts";
import type { PreparedTools } from "../prepared-tools.ts";

/** `tools` and `toolConfig` of a request. */
export function offeredTools(
  request: ModelRequest,
  prepared: PreparedTools,
  options: GoogleCallOptions,
  context: ModelContext,
  warnings: Warning[],
  stream: boolean,
): object {
  if (request.parallelToolCalls === false) {
    warnings.push(unsupportedSetting("parallelToolCalls", "Gemini decides how many calls it makes."));
  }
  const functions = offeredFunctions(prepared, context, warnings);
  const hosted = offeredHosted(prepared.hosted, functions.length > 0, context, warnings);
  const tools = [
    ...(functions.length === 0 ? [] : [{ functionDeclarations: functions }]),
    ...hosted.map(({ args }) => args),
  ];
  const pieces = argumentPieces(options, context, warnings) && stream;
  const calling = functions.length === 0 ? undefined : callingConfig(request, prepared, context, warnings, pieces);
  const toolConfig = {
    ...(calling === undefined ? {} : { functionCallingConfig: calling }),
    // The vendor accepts both kinds in one turn only if its own calls are shown, so that they can be sent back with
    // ours.
    ...(functions.length > 0 && hosted.length > 0 ? { includeServerSideToolInvocations: true } : {}),
    ...(options.retrievalConfig === undefined ? {} : { retrievalConfig: options.retrievalConfig }),
  };
  return {
    ...(tools.length === 0 ? {} : { tools }),
    ...(Object.keys(toolConfig).length === 0 ? {} : { toolConfig }),
  };
}

function offeredFunctions({ functions }: PreparedTools, { modelId, traits }: ModelContext, warnings: Warning[]) {
  if (functions.length === 0 || traits.functions) return functions.map(({ declaration }) => declaration);
  warnings.push({
    code: "unsupported_tool",
    message: `${modelId} does not support function calls, so no tool was offered. Use a model that supports them.`,
    subject: "tools",
  });
  return [];
}

function offeredHosted(
  hosted: readonly HostedTool[],
  beside: boolean,
  { api, modelId, traits }: ModelContext,
  warnings: Warning[],
): readonly HostedTool[] {
  return hosted.filter((tool) => {
    const why =
      tool.provider !== "google"
        ? `is of ${tool.provider}`
        : !beside
          ? undefined
          : api === "vertex"
            ? "cannot be combined with functions on Vertex AI"
            : traits.thirdGeneration
              ? undefined
              : "cannot be combined with functions before Gemini 3";
    if (why === undefined) return true;
    const message = `The hosted tool "${tool.name}" ${why} and was not offered to ${modelId}.`;
    warnings.push({ code: "unsupported_tool", message, subject: tool.name });
    return false;
  });
}

function callingConfig(
  request: ModelRequest,
  tools: PreparedTools,
  context: ModelContext,
  warnings: Warning[],
  pieces: boolean,
): Readonly<Record<string, unknown>> | undefined {
  const mode = callingMode(request, tools, context, warnings);
  return pieces ? { ...mode, streamFunctionCallArguments: true } : mode;
}

/** True if the vendor streams arguments in pieces as asked. */
function argumentPieces(options: GoogleCallOptions, { api, modelId, traits }: ModelContext, warnings: Warning[]) {
  if (options.streamFunctionCallArguments !== true) return false;
  if (api === "vertex" && traits.thirdGeneration) return true;
  const why = api === "vertex" ? `${modelId} is older than Gemini 3.` : "only Vertex AI streams arguments in pieces.";
  warnings.push(unsupportedSetting("streamFunctionCallArguments", why));
  return false;
}

function callingMode(
  { toolChoice }: ModelRequest,
  { functions, hosted }: PreparedTools,
  context: ModelContext,
  warnings: Warning[],
): Readonly<Record<string, unknown>> | undefined {
  // Forced calls follow their schemas in any case.
  const free = functions.some(({ strict }) => strict) ? { mode: "VALIDATED" } : undefined;
  if (toolChoice === undefined || toolChoice === "auto") return free;
  if (toolChoice === "none") return { mode: "NONE" };
  if (toolChoice === "required") return { mode: "ANY" };
  if (hosted.some(({ name }) => name === toolChoice.toolName)) {
    warnings.push(unsupportedSetting("toolChoice", `the hosted tool "${toolChoice.toolName}" cannot be forced.`));
    return free;
  }
  return { mode: "ANY", allowedFunctionNames: [wireToolName(toolChoice.toolName, context.capabilities.toolName)] };
}
