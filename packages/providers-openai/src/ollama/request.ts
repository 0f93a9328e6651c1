import { checkKnownNames, isJsonObject, unsupportedSetting } from "@bailiwick/core/provider";
import type { JsonSchema, ModelRequest, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "../model-context.ts";
import type { PreparedTools } from "../prepared-tools.ts";
import { effortFor } from "../settings.ts";
import { prepareTools } from "../tools.ts";
import { writeBody } from "../written-body.ts";
import { ollamaMessages } from "./messages.ts";
import { callOptionNames, type OllamaCallOptions, type OllamaOptions } from "./options.ts";

/** The request body, and the data needed to read its answer. */
export interface OllamaRequest {
  /** JSON. */
  readonly body: string;
  readonly tools: PreparedTools;
  readonly warnings: readonly Warning[];
}

const noTools: NonNullable<ModelRequest["tools"]> = [];

/**
 * Maps a request to the body of `POST /api/chat`.
 *
 * @param request - The request, its messages compiled for this model.
 * @param context - The model.
 * @param defaults - Settings of the model.
 * @param stream - True if the answer is streamed.
 */
export function ollamaRequest(
  request: ModelRequest,
  context: ModelContext,
  defaults: Pick<OllamaOptions, "numCtx" | "keepAlive">,
  stream: boolean,
): OllamaRequest {
  const own: OllamaCallOptions = request.providerOptions?.[context.compat.provider] ?? {};
  checkKnownNames(own, callOptionNames, "providerOptions.ollama");
  const warnings: Warning[] = [];
  const tools = prepareTools(offered(request, warnings), context);
  warnings.push(...tools.warnings);
  const messages = ollamaMessages(request.messages, context, warnings);
  const think = thinking(request, context, warnings);
  const keepAlive = own.keepAlive ?? defaults.keepAlive;
  const fields = {
    model: context.modelId,
    stream,
    // Without these two, the server drops the beginning of a conversation that does not fit, and still answers.
    truncate: false,
    shift: false,
    ...toolList(tools, warnings),
    ...(request.output === undefined ? {} : { format: request.output.schema }),
    ...(think === undefined ? {} : { think }),
    ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
    options: { ...runtimeOptions(request, defaults.numCtx), ...own.options },
    ...own.extraBody,
  };
  return { body: writeBody(fields, { messages }), tools, warnings };
}

/** Ollama neither forces nor forbids calls, so a tool that must not be called is not offered. */
function offered(
  { tools = noTools, toolChoice, parallelToolCalls }: ModelRequest,
  warnings: Warning[],
): typeof noTools {
  if (tools.length === 0 || toolChoice === "none") return noTools;
  if (parallelToolCalls !== undefined)
    warnings.push(unsupportedSetting("parallelToolCalls", "Ollama has no such setting."));
  if (toolChoice === undefined || toolChoice === "auto") return tools;
  warnings.push(unsupportedSetting("toolChoice", "Ollama cannot force a tool call: the model decides."));
  return typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.toolName) : tools;
}

function toolList(tools: PreparedTools, warnings: Warning[]): object {
  for (const { name } of tools.hosted) {
    warnings.push({
      code: "unsupported_tool",
      message: `The hosted tool "${name}" was not offered: Ollama has no hosted tools.`,
      subject: name,
    });
  }
  if (tools.functions.length === 0) return {};
  return {
    tools: tools.functions.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters: schemaObjects(parameters) },
    })),
  };
}

/** A schema without boolean schemas: the server reads each property and each alternative as an object. */
function schemaObjects(schema: JsonSchema): JsonSchema {
  const { properties, anyOf } = schema;
  return {
    ...schema,
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, asObject(inner)])) }
      : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(asObject) } : {}),
  };
}

function asObject(schema: unknown): JsonSchema {
  if (isJsonObject(schema)) return schemaObjects(schema);
  return schema === false ? { not: {} } : {};
}

/** A level for the models that accept one; for others, thinking is turned on or off. */
function thinking(request: ModelRequest, context: ModelContext, warnings: Warning[]): string | boolean | undefined {
  const { reasoning } = request;
  if (reasoning === undefined) return undefined;
  return effortFor(reasoning, context, warnings) ?? (reasoning.enabled && reasoning.effort !== "none");
}

function runtimeOptions(
  { temperature, topP, maxTokens, stopSequences }: ModelRequest,
  numCtx: number | undefined,
): object {
  return {
    ...(numCtx === undefined ? {} : { num_ctx: numCtx }),
    ...(maxTokens === undefined ? {} : { num_predict: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stop: stopSequences }),
  };
}
