import { BailiwickError } from "@bailiwick/core";
import { leavesOf } from "@bailiwick/core/extension";
import type { Decision, RunHandle, RunInput, RunOptions, RunOutput } from "@bailiwick/core";
import { inputRequired } from "@modelcontextprotocol/server";
import type {
  CallToolResult,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from "@modelcontextprotocol/server";
import { callOnce } from "./call-once.ts";
import { answerOf, failed, toolResultOf } from "./call-result.ts";
import type { ServedDefinition } from "./definitions.ts";
import type { McpCaller, McpServerOptions } from "./options.ts";
import { canAsk, decisionsOf, formsFor } from "./questions.ts";
import type { PendingCall } from "./questions.ts";

/** One request of a client to call a tool. */
export interface ServedCall {
  readonly definition: ServedDefinition;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: McpCaller;
  readonly ctx: ServerContext;
  /** What the client said that it can, where the protocol says it once. */
  readonly declared: { readonly elicitation?: object | undefined } | undefined;
}

/** What all calls share. */
export interface Serving {
  readonly options: McpServerOptions;
  readonly codec: RequestStateCodec<PendingCall>;
  /** Told of what clients are not told. */
  readonly onError: (error: unknown) => void;
}

/** Runs a call, or goes on with one whose questions were answered. Never throws: a client is told that it failed. */
export async function runCall(serving: Serving, call: ServedCall): Promise<CallToolResult | InputRequiredResult> {
  try {
    const pending = call.ctx.mcpReq.requestState<PendingCall>();
    const output = pending === undefined ? await begin(serving, call) : await goOn(serving, call, pending);
    if (output === undefined) return failed("The questions of this call were not answered, so nothing was done.");
    if (output.status === "suspended") return await ask(serving, call, output);
    if (call.definition.tool === undefined) return answerOf(output);
    return toolResultOf(output, call.definition.listed.outputSchema !== undefined);
  } catch (error) {
    if (call.ctx.mcpReq.signal.aborted) return failed("The call was cancelled.");
    serving.onError(error);
    // What failed inside may name what is none of the client's business.
    const code = BailiwickError.isInstance(error) ? error.code : "INTERNAL";
    return failed(`The call failed (${code}).`);
  }
}

function begin(serving: Serving, call: ServedCall): Promise<RunOutput> {
  const { options } = serving;
  return outputOf(call, options.agent.stream(inputOf(options, call), runOptions(call)));
}

/** @returns `undefined` when a question was not answered; the run is ended then. */
async function goOn(
  { options }: Serving,
  call: ServedCall,
  { runId, toolName }: PendingCall,
): Promise<RunOutput | undefined> {
  const { agent } = options;
  if (toolName !== call.definition.listed.name) return undefined;
  const open = await agent.interruptions(runId);
  const decisions: readonly Decision[] | undefined = decisionsOf(open, call.ctx.mcpReq.inputResponses, call.caller);
  if (decisions === undefined) {
    await agent.cancel(runId, "The client's user did not answer.");
    return undefined;
  }
  return outputOf(call, agent.resumeStream(runId, decisions, runOptions(call)));
}

/** Asks the client's user where that is wanted and can be; else the run is ended, and the client is told why. */
async function ask(
  serving: Serving,
  call: ServedCall,
  output: RunOutput,
): Promise<CallToolResult | InputRequiredResult> {
  const { options, codec } = serving;
  const { interruptions, runId } = output;
  const forms =
    options.questions === "elicit" && interruptions.length > 0 && canAsk(call.ctx, call.declared)
      ? formsFor(interruptions)
      : undefined;
  if (forms === undefined) {
    await options.agent.cancel(runId, "Nobody can be asked.");
    const [first] = interruptions;
    const why = first === undefined ? "it would wait for longer than a call may" : first.reason;
    return failed(`The call was not made: a person would have to decide first, and nobody can be asked here. ${why}`);
  }
  const requestState = await codec.mint({ runId, toolName: call.definition.listed.name }, call.ctx);
  return inputRequired({ inputRequests: forms, requestState });
}

function runOptions({ definition, input, caller, ctx }: ServedCall): RunOptions {
  return {
    signal: ctx.mcpReq.signal,
    ...(caller.userId !== undefined && { userId: caller.userId }),
    ...(caller.tenantId !== undefined && { tenantId: caller.tenantId }),
    ...(definition.tool !== undefined && {
      model: callOnce(definition.tool.name, input),
      toolUseBehavior: "stop_on_first_tool",
      maxTurns: 2,
    }),
  };
}

/** What the run is told of the call. It is the user's word only where the operator says so. */
function inputOf({ argumentsFrom }: McpServerOptions, { definition, input }: ServedCall): RunInput {
  const isUntrusted = argumentsFrom !== "user";
  if (definition.tool === undefined) {
    const text = typeof input["question"] === "string" ? input["question"] : JSON.stringify(input["question"] ?? "");
    return isUntrusted
      ? [
          { type: "text", text: "A client asks:" },
          { type: "text", text, untrusted: true },
        ]
      : text;
  }
  const lines = leavesOf(input).map(
    ({ path, value }) => `${path}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const text = `Call "${definition.tool.name}".`;
  if (lines.length === 0) return text;
  const given = { type: "text" as const, text: lines.join("\n"), ...(isUntrusted && { untrusted: true }) };
  return [{ type: "text", text }, given];
}

/** Follows a run to its end; what its tools report on the way goes to a client that wants to know. */
async function outputOf({ ctx }: ServedCall, handle: RunHandle): Promise<RunOutput> {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  let progress = 0;
  for await (const event of handle) {
    if (progressToken === undefined || event.type !== "tool.progress") continue;
    progress += 1;
    const params = { progressToken, progress, ...(event.message !== undefined && { message: event.message }) };
    // A client that has gone away is told nothing.
    await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  }
  return handle.result;
}
