import type { Decision, Interruption } from "@bailiwick/core";
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import type { InputRequests, ServerContext } from "@modelcontextprotocol/server";
import { CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/server";
import type { McpCaller } from "./options.ts";

/** What a client hands back with its answers; signed, so that it is what it was given. */
export interface PendingCall {
  readonly runId: string;
  readonly toolName: string;
}

/** Whether a client's user can be asked. */
export function canAsk(
  ctx: ServerContext,
  declared: { readonly elicitation?: object | undefined } | undefined,
): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const now = envelope?.[CLIENT_CAPABILITIES_META_KEY] as { readonly elicitation?: object } | undefined;
  return (now ?? declared)?.elicitation !== undefined;
}

/** The questions of a run as forms for the client's user; `undefined` when one of them has no form. */
export function formsFor(interruptions: readonly Interruption[]): InputRequests | undefined {
  const forms: InputRequests = {};
  for (const [index, one] of interruptions.entries()) {
    if (one.kind === "approval") {
      forms[`q${index}`] = inputRequired.elicit({
        message: `Approve this call of "${one.toolName}"? ${one.reason}\n${JSON.stringify(one.args, null, 2)}`,
        requestedSchema: {
          type: "object",
          properties: { approve: { type: "boolean", title: "Approve", description: "Whether the call may be made." } },
          required: ["approve"],
        },
      });
      continue;
    }
    const schema = one.kind === "input" ? one.inputJsonSchema : undefined;
    if (schema?.["type"] !== "object" || !isFlat(schema)) return undefined;
    forms[`q${index}`] = inputRequired.elicit({ message: one.reason, requestedSchema: schema as never });
  }
  return forms;
}

/** The decisions that a client's user made; `undefined` while a question has no answer. */
export function decisionsOf(
  interruptions: readonly Interruption[],
  responses: Readonly<Record<string, unknown>> | undefined,
  caller: McpCaller,
): readonly Decision[] | undefined {
  const origin = { channel: "mcp", ...(caller.userId !== undefined && { decidedBy: caller.userId }) };
  const decisions: Decision[] = [];
  for (const [index, one] of interruptions.entries()) {
    const answer = inputResponse(responses, `q${index}`);
    if (answer.kind !== "elicit") return undefined;
    const content = answer.action === "accept" ? answer.content : undefined;
    if (one.kind === "approval") {
      const isApproved = content?.["approve"] === true;
      decisions.push(isApproved ? one.approve(origin) : one.reject("The client's user did not approve it.", origin));
    } else if (content === undefined) return undefined;
    else decisions.push(one.answer(content, origin));
  }
  return decisions;
}

/** Forms of the protocol hold plain fields only. */
function isFlat(schema: Readonly<Record<string, unknown>>): boolean {
  const fields = Object.values((schema["properties"] ?? {}) as Readonly<Record<string, { readonly type?: unknown }>>);
  return fields.every(({ type }) => ["string", "number", "integer", "boolean"].includes(String(type)));
}
