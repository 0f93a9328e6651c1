import { canonicalJson, defaultHasher } from "@bailiwick/core/extension";
import type { JsonSchema, ToolExecutionContext } from "@bailiwick/core";
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { ElicitationMode, QuestionAnswer } from "../questions.ts";
import { schemaOf } from "./json-schema.ts";

/** A call that is under way. */
export interface CallUnderWay {
  readonly ctx: ToolExecutionContext;
}

/** The questions that a server asks while a call is under way, in protocols that have sessions. */
export interface Questions {
  /** Notes a call until what is returned is called. */
  enter(ctx: ToolExecutionContext): () => void;
  /** Answers a question, or never does because the run waits for a person. */
  readonly onElicitation: ((request: ElicitRequest, signal: AbortSignal) => Promise<ElicitResult>) | undefined;
}

const hasher = defaultHasher();

/** Answers a server's questions as its operator said. */
export function createQuestions(server: string, mode: ElicitationMode | undefined): Questions {
  const underWay = new Set<CallUnderWay>();
  const enter = (ctx: ToolExecutionContext): (() => void) => {
    const call = { ctx };
    underWay.add(call);
    return () => void underWay.delete(call);
  };
  if (mode === undefined) return { enter, onElicitation: undefined };
  return {
    enter,
    onElicitation: async (request, signal) => {
      if (request.params.mode === "url") return { action: "decline" };
      if (mode !== "suspend") return wire(await mode({ server, ...formOf(request), signal }), request);
      const [only, other] = underWay;
      // The protocol does not say which call a question belongs to. With two of them it is nobody's to answer.
      if (only === undefined || other !== undefined) return { action: "cancel" };
      return wire(await askRun(only.ctx, server, request), request);
    },
  };
}

/**
 * Makes a server's question one of the run. The call is sent again, from its beginning, once it is answered.
 *
 * @returns The answer; never, in the attempt that asks.
 */
export function askRun(ctx: ToolExecutionContext, server: string, request: ElicitRequest): Promise<QuestionAnswer> {
  const { message, schema } = formOf(request);
  // The same question in the next attempt finds its answer, whatever else the server asked before it.
  const key = `mcp-${hasher.sha256(canonicalJson([message, schema])).slice(0, 24)}`;
  const answer: JsonSchema = {
    type: "object",
    properties: { action: { type: "string", enum: ["accept", "decline", "cancel"] }, content: schema },
    required: ["action"],
    if: { properties: { action: { const: "accept" } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ["content"] },
  };
  return ctx.ask({
    question: `The MCP server "${server}" asks: ${message}`,
    schema: schemaOf(answer, `The question of the MCP server "${server}"`),
    key,
  }) as Promise<QuestionAnswer>;
}

/** The answer as the protocol has it; a field that was left out has the form's default. */
export function wire({ action, content }: QuestionAnswer, request: ElicitRequest): ElicitResult {
  if (action !== "accept") return { action };
  const { properties = {} } = formOf(request).schema as { readonly properties?: Readonly<Record<string, JsonSchema>> };
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const given = Object.entries(content ?? {}).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]);
  const all = { ...Object.fromEntries(defaults), ...Object.fromEntries(given) };
  return { action, content: all as NonNullable<ElicitResult["content"]> };
}

function formOf({ params }: ElicitRequest): { readonly message: string; readonly schema: JsonSchema } {
  return {
    message: params.message,
    schema: "requestedSchema" in params ? params.requestedSchema : { type: "object" },
  };
}
