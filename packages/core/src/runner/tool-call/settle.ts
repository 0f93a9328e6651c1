import type { ContentPart } from "../../contracts/content-part.ts";
import type { ToolMessage } from "../../contracts/message.ts";
import type { ToolCallResult } from "../../contracts/tool-call-result.ts";
import { wellFormed } from "../../json/well-formed.ts";
import type { Presentation } from "./presentation.ts";

/** The one place where a call becomes its message for the model and its result for people. */
export function settle(presentation: Presentation): { readonly message: ToolMessage; readonly result: ToolCallResult } {
  const { call, outcome, failure } = presentation;
  const { run, toolCallId, toolName } = call;
  const message: ToolMessage = {
    role: "tool",
    id: run.ids.next("message"),
    toolCallId,
    toolName,
    content: readable(failure === undefined ? presentation.content : errorContent(presentation)),
    ...(failure !== undefined && { isError: true }),
    timestamp: run.clock.now(),
  };
  const result: ToolCallResult = {
    toolCallId,
    toolName,
    input: call.validated ? call.args : call.rawArguments,
    ...(failure === undefined && presentation.output !== undefined && { output: presentation.output }),
    ...(failure !== undefined && { error: failure }),
    isError: failure !== undefined,
    durationMs: outcome.durationMs,
    ...(outcome.deduplicated === true && { deduplicated: true }),
    ...(outcome.cached === true && { cached: true }),
    ...(outcome.simulated === true && { simulated: true }),
    ...(outcome.details !== undefined && { details: outcome.details }),
  };
  return { message, result };
}

/** An error is marked as one in its text too: some wires have no field for it. */
function errorContent(presentation: Presentation): string | readonly ContentPart[] {
  const { content, failure } = presentation;
  const label = `Error (${failure?.kind ?? "execution_failed"}): `;
  if (typeof content === "string") return `${label}${content}`;
  return [{ type: "text", text: label.trimEnd() }, ...content];
}

/** Text that every vendor takes: halves of surrogate pairs are replaced. */
function readable(content: string | readonly ContentPart[]): string | readonly ContentPart[] {
  if (typeof content === "string") return wellFormed(content);
  return content.map((part) => (part.type === "text" ? { ...part, text: wellFormed(part.text) } : part));
}
