import type { JsonSchema, Schema } from "@bailiwick/core";
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { QuestionAnswer } from "../questions.ts";
import { askPerson } from "./ask-person.ts";
import { schemaOf } from "./json-schema.ts";
import type { CallUnderWay } from "./call-under-way.ts";

/**
 * Asks a server's question as a question of the run. Once it is answered, the call is sent again from its beginning; a
 * task is polled again.
 *
 * @param place - Key of the question in its task.
 * @returns The answer; the attempt that asks never returns.
 */
export function askRun(
  call: CallUnderWay,
  server: string,
  request: ElicitRequest,
  place?: string,
): Promise<QuestionAnswer> {
  const { message, schema } = formOf(request);
  return askPerson(call, {
    question: `The MCP server "${server}" asks: ${message}`,
    schema: schemaOf(answerSchemaOf(request), `The question of the MCP server "${server}"`) as Schema<QuestionAnswer>,
    content: [message, schema, ...(place === undefined ? [] : [place])],
  });
}

/** Schema of an answer: an accepted one has to fit the server's form. */
export function answerSchemaOf(request: ElicitRequest): JsonSchema {
  return {
    type: "object",
    properties: { action: { type: "string", enum: ["accept", "decline", "cancel"] }, content: formOf(request).schema },
    required: ["action"],
    if: { properties: { action: { const: "accept" } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ["content"] },
  };
}

/** The answer in the protocol's form; an omitted field gets the form's default. */
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
