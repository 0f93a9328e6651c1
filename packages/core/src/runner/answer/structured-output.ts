import type { JsonSchema } from "../../contracts/json.ts";
import type { AssistantMessage } from "../../contracts/message.ts";
import type { FunctionToolDefinition, ModelProvider } from "../../contracts/model-provider.ts";
import type { SchemaIssue } from "../../contracts/schema.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import type { RunSink } from "../../events/event-bus.ts";
import { removeAddedNulls } from "../../providers/strict-schema.ts";
import type { CompiledSchema } from "../../tools/compiled-schema.ts";
import { parsePartialJson } from "./partial-json.ts";

/** How an answer that matches a schema is requested from one model. */
export interface OutputPlan {
  /** `native`: the vendor enforces it; `tool`: the model answers by calling a tool that is never executed. */
  readonly mode: "native" | "tool";
  readonly schema: CompiledSchema;
  /** The schema for the model: always an object at the root. */
  readonly jsonSchema: JsonSchema;
  /** The root was not an object: the answer is under `value`. */
  readonly wrapped: boolean;
  /** Name of the tool in `tool` mode. */
  readonly toolName: string;
}

export type StructuredAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/**
 * Plans a structured answer for a model.
 *
 * @param schema - The original schema, which validates.
 */
export function planOutput(
  schema: CompiledSchema,
  model: ModelProvider,
  hasTools: boolean,
  isTaken: (name: string) => boolean,
): OutputPlan {
  const { jsonSchema } = schema;
  const native = model.capabilities.structuredOutput;
  const wrapped = jsonSchema["type"] !== "object";
  let toolName = "final_answer";
  while (isTaken(toolName)) toolName = `${toolName}_`;
  return {
    mode: native === "with-tools" || (native === "without-tools" && !hasTools) ? "native" : "tool",
    schema,
    wrapped,
    jsonSchema: wrapped ? wrapRoot(jsonSchema) : jsonSchema,
    toolName,
  };
}

function wrapRoot(jsonSchema: JsonSchema): JsonSchema {
  const { $defs, definitions, $schema: _, ...root } = jsonSchema;
  return {
    type: "object",
    properties: { value: root },
    required: ["value"],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** The tool that a model without native structured answers calls to answer. */
export function finalAnswerTool(plan: OutputPlan): FunctionToolDefinition {
  return {
    type: "function",
    name: plan.toolName,
    description: "Gives the final answer. Call it once, alone, when everything else is done.",
    inputSchema: plan.jsonSchema,
  };
}

/**
 * Turns a call of the final-answer tool into the text of the answer, so that no tool runs for it. Next to other calls
 * it is dropped: the model answers again when it has their results.
 */
export function takeFinalAnswer(response: ModelResponse, plan: OutputPlan | undefined): ModelResponse {
  if (plan?.mode !== "tool") return response;
  const { message } = response;
  const answer = message.toolCalls.find((call) => call.name === plan.toolName);
  if (answer === undefined) return response;
  const toolCalls = message.toolCalls.filter((call) => call.name !== plan.toolName);
  const own = new Set(message.toolCalls.filter((call) => call.name === plan.toolName).map((call) => call.id));
  const others = message.content.filter((part) => part.type !== "tool_call" || !own.has(part.toolCallId));
  if (toolCalls.length > 0) return { ...response, message: { ...message, content: others, toolCalls } };
  const spoken = others.filter((part) => part.type !== "text");
  const next: AssistantMessage = {
    ...message,
    content: [...spoken, { type: "text", text: answer.arguments === "" ? "{}" : answer.arguments }],
    toolCalls: [],
    finishReason: message.finishReason === "tool_calls" ? "stop" : message.finishReason,
  };
  return { ...response, message: next, finishReason: next.finishReason };
}

/**
 * Reads and validates an answer with the original schema.
 *
 * @param text - The model's answer; a Markdown fence around it is removed.
 * @param clean - Takes out of the parsed answer what may not leave, before it is validated.
 */
export async function readStructured(
  text: string,
  plan: OutputPlan,
  clean: (value: unknown) => unknown,
): Promise<StructuredAnswer> {
  let parsed: unknown;
  try {
    parsed = clean(JSON.parse(unfence(text)));
  } catch (error) {
    return {
      ok: false,
      issues: [{ path: "", message: `not valid JSON (${error instanceof Error ? error.message : String(error)})` }],
    };
  }
  const stripped = removeAddedNulls(parsed, plan.jsonSchema);
  const isWrapped = plan.wrapped && typeof stripped === "object" && stripped !== null && "value" in stripped;
  const inner = isWrapped ? await plan.schema.validate(stripped.value) : undefined;
  if (inner?.ok === true) return inner;
  const bare = await plan.schema.validate(stripped);
  return bare.ok ? bare : (inner ?? bare);
}

function unfence(text: string): string {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text);
  return fenced?.[1] ?? text;
}

export function repairPrompt(issues: readonly SchemaIssue[]): string {
  const list = issues.map((issue) => `- ${issue.path === "" ? "(root)" : issue.path}: ${issue.message}`).join("\n");
  return `Your answer does not match the required schema:\n${list}\nAnswer again with the complete, corrected JSON and nothing else.`;
}

export interface StructuredStream {
  /** Adds a piece of the answer's text, and shows the partial value. */
  push(text: string): void;
  /** True if a call that begins is the final answer, which is not shown as a call. */
  takesCall(call: { readonly id: string; readonly name: string }): boolean;
  /** True if the call of that id is the final answer. */
  isOwn(toolCallId: string): boolean;
}

const noStructure: StructuredStream = { push: () => undefined, takesCall: () => false, isOwn: () => false };

/**
 * Shows `structured.delta` events while an answer streams. Partial answers are only parsed again after they grew by a
 * sixteenth, so a long answer does not cost quadratic work.
 *
 * @param shows - False while an answer is held for a verdict.
 * @param clean - Removes the parts of a partial answer that must not be shown.
 */
export function structuredStream(
  plan: OutputPlan | undefined,
  sink: RunSink,
  shows: boolean,
  clean: (value: unknown) => unknown,
): StructuredStream {
  if (plan === undefined) return noStructure;
  let own: Set<string> | undefined;
  let text = "";
  let parsedLength = 0;
  return {
    push(piece: string): void {
      if (!shows || !sink.wants("structured.delta")) return;
      text += piece;
      if (text.length - parsedLength < parsedLength / 16) return;
      parsedLength = text.length;
      const partial = parsePartialJson(text);
      if (partial === undefined) return;
      const value = plan.wrapped ? (partial as { readonly value?: unknown }).value : partial;
      if (value !== undefined) sink.show({ type: "structured.delta", partial: clean(value) });
    },
    takesCall(call): boolean {
      if (plan.mode !== "tool" || call.name !== plan.toolName) return false;
      (own ??= new Set()).add(call.id);
      return true;
    },
    isOwn: (toolCallId) => own?.has(toolCallId) === true,
  };
}
