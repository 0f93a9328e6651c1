import { canonicalJson, defaultHasher } from "@bailiwick/core/extension";
import type { JsonSchema, ToolExecutionContext } from "@bailiwick/core";
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { QuestionAnswer } from "../questions.ts";
import { schemaOf } from "./json-schema.ts";

const hasher = defaultHasher();

/**
 * Makes a server's question one of the run. The call is sent again, from its beginning, once it is answered.
 *
 * @returns The answer; never, in the attempt that asks.
 */
export function askRun(ctx: ToolExecutionContext, server: string, request: ElicitRequest): Promise<QuestionAnswer> {
  const { message, schema } = formOf(request);
  // The same question in the next attempt finds its answer, even if the server asks other questions before it.
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

/** The question and the form of its answer. */
export function formOf({ params }: ElicitRequest): { readonly message: string; readonly schema: JsonSchema } {
  return {
    message: params.message,
    schema: "requestedSchema" in params ? params.requestedSchema : { type: "object" },
  };
}
