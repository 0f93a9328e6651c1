import { BailiwickError, isEnded } from "@bailiwick/core";
import type { Decision, Interruption, RunHandle, RunInput, RunOptions, RunOutput } from "@bailiwick/core";
import { leavesOf } from "@bailiwick/core/extension";
import { inputRequired, MissingRequiredClientCapabilityError } from "@modelcontextprotocol/server";
import type {
  CallToolResult,
  InputRequests,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from "@modelcontextprotocol/server";
import { callOnce } from "./call-once.ts";
import { answerOf, failed, toolResultOf } from "./call-result.ts";
import type { ServedDefinition } from "./definitions.ts";
import { followRun } from "./follow-run.ts";
import type { McpServerOptions } from "./options.ts";
import { answersTo, formsFor, missingFor } from "./questions.ts";
import type { ClientCapabilities, PendingCall } from "./questions.ts";
import { isBusy, restOf, untilDecided } from "./rest-of.ts";
import type { McpCaller } from "./served-agent.ts";
import type { SharedSessions } from "./shared-sessions.ts";
import { demandTasks, takesTasks, taskOf, taskRunOptions } from "./tasks.ts";
import type { TaskRuns } from "./tasks.ts";

/** One request of a client to call a tool. */
export interface ServedCall {
  readonly definition: ServedDefinition;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: McpCaller;
  readonly ctx: ServerContext;
  /** Capabilities of a client that declares them once, for its session. */
  readonly declared: ClientCapabilities | undefined;
}

/** Parts that all calls share. */
export interface Serving {
  readonly options: McpServerOptions;
  readonly codec: RequestStateCodec<PendingCall>;
  /** Absent if calls never become tasks. */
  readonly tasks: TaskRuns | undefined;
  /** Absent if a session lives in one process. */
  readonly shared: SharedSessions | undefined;
  /** Receives the errors that clients do not see. */
  readonly onError: (error: unknown) => void;
  /** Records that a call of a tool was refused, because no person could decide. */
  readonly onRefused: (toolName: string) => void;
}

/** A run that waits for a person. */
interface Waiting {
  readonly runId: string;
  readonly interruptions: readonly Interruption[];
  /** Ids of the suspicious questions that have one yes. */
  readonly again?: readonly string[] | undefined;
}

/** State of a call: its run ended, waits, or continues as a task; or the user declined and the run was cancelled. */
type Step = { readonly output: RunOutput } | { readonly waiting: Waiting } | { readonly taskId: string } | "declined";

type Responses = Readonly<Record<string, unknown>> | undefined;

/** Maximum number of rounds of questions in one call of a session. */
const maxRounds = 32;
/** Time that the client's user has for one question in a session, in milliseconds. */
const answerMs = 600_000;

/**
 * Runs a call, or resumes one whose questions were answered. A client gets a result that says if it failed.
 *
 * @throws MissingRequiredClientCapabilityError for a tool that asks the client's model or for its folders, which it lacks,
 * and for a tool that runs only as a task.
 */
export async function runCall(serving: Serving, call: ServedCall): Promise<CallToolResult | InputRequiredResult> {
  const { tasks } = serving;
  if (tasks?.terms.tools[call.definition.listed.name]?.required === true) demandTasks(call.ctx);
  try {
    const pending = call.ctx.mcpReq.requestState<PendingCall>();
    if (pending === undefined) {
      // The run checks a tool's schema. The question of an agent is its message, which no schema checks.
      const isAsking = call.definition.tool === undefined;
      if (isAsking && !isQuestion(call.input["question"]))
        return failed(
          `"${call.definition.listed.name}" takes "question", a text that is not empty. The agent was not asked.`,
        );
      return await settle(serving, call, await begin(serving, call));
    }
    if (pending.toolName !== call.definition.listed.name)
      return failed("These answers belong to another call, so nothing was done.");
    const { run, output, interruptions } = await call.definition.agent.inspect(pending.runId);
    // The answers arrived in an earlier request, which another process has or whose response was lost.
    if (output !== undefined && isEnded(run.state)) return resultOf(call.definition, output);
    const waiting = { runId: pending.runId, interruptions, again: pending.again };
    const wasAsked = ({ id }: Interruption): boolean => pending.asked.includes(id);
    return await settle(serving, call, await answer(serving, call, waiting, call.ctx.mcpReq.inputResponses, wasAsked));
  } catch (error) {
    if (MissingRequiredClientCapabilityError.isInstance(error)) throw error;
    if (call.ctx.mcpReq.signal.aborted) return failed("The call was cancelled.");
    serving.onError(error);
    // An inner error may contain text that is not meant for the client.
    const code = BailiwickError.isInstance(error) ? error.code : "INTERNAL";
    return failed(`The call failed (${code}).`);
  }
}

async function begin(serving: Serving, call: ServedCall): Promise<Step> {
  const { definition, input, caller, ctx } = call;
  const { tasks, options } = serving;
  const asTask =
    tasks !== undefined && takesTasks(ctx)
      ? taskRunOptions(tasks.terms, { name: definition.listed.name, arguments: input, caller })
      : callDeadline(definition);
  const step = await follow(serving, call, (signal) =>
    definition.agent.stream(inputOf(options, call), { ...runOptions(call, signal), ...asTask }),
  );
  const { inputResponses } = ctx.mcpReq;
  if (typeof step === "string" || !("waiting" in step) || inputResponses === undefined) return step;
  // A client may answer without the state of an earlier round. An approval needs that state, because the call was shown
  // with it.
  return answer(serving, call, step.waiting, inputResponses, ({ kind }) => kind === "question");
}

/** Time in milliseconds after which the run of a call without a task expires, if its server was lost. */
const longestCallMs = 86_400_000;

/** Deadline of a tool's call: only this server continues it, and no client waits for days. */
function callDeadline({ tool }: ServedDefinition): { readonly deadlineAt?: number } {
  return tool === undefined ? {} : { deadlineAt: Date.now() + longestCallMs };
}

/** Resumes the run of a call. A run that another process drives is left alone. */
async function resume(
  serving: Serving,
  call: ServedCall,
  runId: string,
  decisions: readonly Decision[],
): Promise<Exclude<Step, "declined">> {
  const { agent } = call.definition;
  for (;;) {
    try {
      return await follow(serving, call, (signal) => agent.resumeStream(runId, decisions, runOptions(call, signal)));
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    const output = await restOf(agent, runId, call.ctx.mcpReq.signal);
    if (output !== undefined) return stepOf(output);
  }
}

/** Follows the run of a call until it ends or waits, or becomes a task of a client that supports tasks. */
async function follow(
  serving: Serving,
  call: ServedCall,
  start: (signal: AbortSignal) => RunHandle,
): Promise<Exclude<Step, "declined">> {
  const { tasks } = serving;
  const { ctx, definition } = call;
  if (tasks === undefined || !takesTasks(ctx)) return stepOf(await followRun(ctx, start(ctx.mcpReq.signal)));
  const { terms } = tasks;
  const afterMs = terms.tools[definition.listed.name]?.afterMs ?? terms.afterMs;
  const rests = (output: RunOutput): Promise<void> => restAsTask(serving, call, output);
  const { runId, output } = await tasks.follow({ ctx, start, afterMs, isTask: false, rests });
  return output === undefined ? { taskId: runId } : stepOf(output);
}

/** Ends the run of a task that waits for a person whom the client cannot ask. */
export async function restAsTask(serving: Serving, call: ServedCall, output: RunOutput): Promise<void> {
  const { interruptions, runId, status } = output;
  if (status !== "suspended" || interruptions.some(({ kind }) => kind === "unknown_outcome")) return;
  const forms = serving.options.questions === "elicit" ? formsFor(interruptions, { style: "ids" }) : undefined;
  if (forms !== undefined && missingFor(forms, call.ctx, call.declared).length === 0) return;
  await refused(serving, call, { runId, interruptions });
}

function isQuestion(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function stepOf(output: RunOutput): Exclude<Step, "declined"> {
  return output.status === "suspended" || output.status === "sleeping" ? { waiting: output } : { output };
}

/** Resumes a run with the given answers, and cancels it if the user declined a question. */
async function answer(
  serving: Serving,
  call: ServedCall,
  waiting: Waiting,
  responses: Responses,
  counts: (interruption: Interruption) => boolean,
): Promise<Step> {
  const { agent } = call.definition;
  const { runId, interruptions, again } = waiting;
  const { decisions, isDeclined, ...first } = await answersTo(interruptions, responses, call.caller, counts, { again });
  if (isDeclined) {
    await agent.cancel(runId, "The client's user declined to answer.");
    return "declined";
  }
  if (decisions.length === 0) return { waiting: { ...waiting, again: [...(again ?? []), ...first.again] } };
  return resume(serving, call, runId, decisions);
}

/** Makes the result of a call; questions of its run go to the client's user, if the client supports them. */
async function settle(serving: Serving, call: ServedCall, first: Step): Promise<CallToolResult | InputRequiredResult> {
  let step = first;
  for (let round = 1; typeof step !== "string" && "waiting" in step; round += 1) {
    const { waiting } = step;
    const forms = await formsOf(serving, call, waiting);
    if (forms === undefined || round > maxRounds) return refused(serving, call, waiting);
    if (call.ctx.mcpReq.envelope !== undefined) {
      const asked = waiting.interruptions.map(({ id }) => id);
      const { runId, again } = waiting;
      const pending = { runId, toolName: call.definition.listed.name, asked, again };
      return inputRequired({ inputRequests: forms, requestState: await serving.codec.mint(pending, call.ctx) });
    }
    step = await askInSession(serving, call, waiting, forms);
  }
  if (typeof step !== "string" && "taskId" in step) return createdTask(serving, call, step.taskId);
  if (typeof step === "string") return failed("The questions of this call were not answered, so nothing was done.");
  return resultOf(call.definition, step.output);
}

/** The result of a call whose run ended. */
export function resultOf({ tool, listed }: ServedDefinition, output: RunOutput): CallToolResult {
  return tool === undefined ? answerOf(output) : toolResultOf(output, listed.outputSchema !== undefined);
}

/**
 * Hands the task over to the client. If the client cancelled the call earlier, it never learns the id, so the run is
 * cancelled. The protocol's server passes a result of another type on unchanged.
 */
async function createdTask(
  { tasks }: Serving,
  { definition, ctx }: ServedCall,
  runId: string,
): Promise<CallToolResult> {
  if (tasks === undefined) throw new Error("A call became a task of a server without tasks.");
  const task = taskOf(await definition.agent.inspect(runId), tasks.terms);
  if (ctx.mcpReq.signal.aborted) {
    await definition.agent.cancel(runId, "The client cancelled the call.");
    return failed("The call was cancelled.");
  }
  return { resultType: "task", status: "working", ...task } as unknown as CallToolResult;
}

/**
 * Asks over the session of a client of 2025-11-25 or before, and waits for the answers. If several processes serve the
 * session, the answer may reach another one, which stores it.
 */
async function askInSession(serving: Serving, call: ServedCall, waiting: Waiting, forms: InputRequests): Promise<Step> {
  const { mcpReq } = call.ctx;
  const { agent } = call.definition;
  const { runId } = waiting;
  const settled = new AbortController();
  const signal = AbortSignal.any([mcpReq.signal, settled.signal]);
  const answers = sendForms(serving, call, waiting, forms, signal);
  const first = await Promise.race([
    answers,
    ...(serving.shared === undefined ? [] : [untilDecided(agent, runId, signal)]),
  ])
    .catch(async (error: unknown) => {
      await agent.cancel(runId, "The client's user could not be asked.");
      throw error;
    })
    .finally(() => {
      settled.abort(new Error("The question was answered."));
      answers.catch(() => undefined);
    });
  if (first === "ended") return "declined";
  if (first === "decided") return resume(serving, call, runId, []);
  return answer(serving, call, waiting, first, () => true);
}

/** Sends the forms of a run one after the other. */
async function sendForms(
  { shared }: Serving,
  { ctx, definition }: ServedCall,
  { runId, interruptions }: Waiting,
  forms: InputRequests,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { mcpReq } = ctx;
  // Sends on the stream of the call: a client may have no other one, or another process may have it.
  const limits = { timeout: answerMs, signal, relatedRequestId: mcpReq.id };
  const asked = interruptions.map(({ id }) => id);
  const responses: Record<string, unknown> = {};
  for (const [key, form] of Object.entries(forms)) {
    const question = { runId, toolName: definition.listed.name, asked, key };
    const _meta = await shared?.metadataFor(question, ctx.http?.authInfo);
    const params = { ...form.params, ...(_meta !== undefined && { _meta }) } as never;
    if (form.method === "roots/list") responses[key] = await mcpReq.send({ method: "roots/list", params }, limits);
    else if (form.method === "sampling/createMessage") responses[key] = await mcpReq.requestSampling(params, limits);
    else responses[key] = await mcpReq.elicitInput(params, limits);
  }
  return responses;
}

async function formsOf(
  { options, shared }: Serving,
  call: ServedCall,
  { runId, interruptions, again }: Waiting,
): Promise<InputRequests | undefined> {
  if (options.questions !== "elicit" || interruptions.length === 0) return undefined;
  // Another process may get the answer of a shared session, and cannot ask again.
  const once = shared !== undefined && call.ctx.mcpReq.envelope === undefined;
  const forms = formsFor(interruptions, { again, once });
  if (forms === undefined) return undefined;
  const missing = missingFor(forms, call.ctx, call.declared);
  if (missing.length === 0) return forms;
  if (missing.includes("elicitation")) return undefined;
  await call.definition.agent.cancel(runId, `The client has no ${missing.join(" and ")}.`);
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: Object.fromEntries(missing.map((one) => [one, {}])),
  });
}

async function refused(
  serving: Serving,
  call: ServedCall,
  { runId, interruptions: [first] }: Waiting,
): Promise<CallToolResult> {
  await call.definition.agent.cancel(runId, "No person can be asked.");
  if (first !== undefined) serving.onRefused(call.definition.listed.name);
  const why = first === undefined ? "it would wait for longer than a call may" : first.question.title;
  return failed(`The call was not made: a person would have to decide first, and none can be asked here. ${why}`);
}

/** Options with which the run of a call is started, and resumed. */
export function runOptions(
  { definition, input, caller }: Pick<ServedCall, "definition" | "input" | "caller">,
  signal: AbortSignal,
): RunOptions {
  return {
    signal,
    ...(caller.userId !== undefined && { userId: caller.userId }),
    ...(caller.tenantId !== undefined && { tenantId: caller.tenantId }),
    ...(definition.tool !== undefined && {
      model: callOnce(definition.tool.name, input),
      toolUseBehavior: "stop_on_first_tool",
      maxTurns: 2,
    }),
  };
}

/** The call as the run gets it. It counts as the user's words only if the operator declares so. */
function inputOf({ argumentsFrom }: McpServerOptions, { definition, input }: ServedCall): RunInput {
  const isUntrusted = argumentsFrom !== "user";
  if (definition.tool === undefined) {
    const text = String(input["question"]);
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
