import type { EventBus } from "../../contracts/event-bus.ts";
import type { PreviewContext } from "../../contracts/preview.ts";
import type { Label } from "../../contracts/label.ts";
import type { Message } from "../../contracts/message.ts";
import type { Logger } from "../../contracts/ports/logger.ts";
import type { MemoryAccess } from "../../contracts/ports/memory-store.ts";
import type { SecretAccess } from "../../contracts/ports/secrets.ts";
import type { RunContext } from "../../contracts/run-context.ts";
import type { InheritedRunOptions } from "../../contracts/run-options.ts";
import type { Schema } from "../../contracts/schema.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";
import type { Endorser, Fence, ToolExecutionContext } from "../../contracts/tool-context.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { askGivenSchema } from "../hooks/hooks-runner.ts";
import { callKey } from "../../journal/run-state.ts";
import { sealedBlobs } from "../../journal/sealed-blobs.ts";
import { READ_RESULT, keepBlobsOf } from "../../tools/read-result.ts";
import { accessWithoutSource } from "../caller/inherited-secrets.ts";
import { frozenCopy, frozenViews } from "../../user-code/copies.ts";
import { attemptOf, flowCallOf, toolOf, type PipelineCall } from "./call.ts";
import { labelKey } from "./call-label.ts";
import { storedLabelOf, toolMemory } from "./tool-memory.ts";
import type { Execution, Nap } from "./execution.ts";
import { EndorsementError } from "../../errors/endorsement-error.ts";
import { parsePath, valuesAt } from "../../tools/paths.ts";

type Rights = Pick<ToolExecutionContext, "secrets" | "fetch">;
type Progress = Parameters<ToolExecutionContext["reportProgress"]>[0];
type Question<T> = Parameters<ToolExecutionContext["ask"]>[0] & { readonly schema: Schema<T> };

function fenceOf(run: string, epoch: number): Fence {
  return Object.freeze({ run, epoch, toString: () => `${run}/${String(epoch).padStart(12, "0")}` });
}

/** The context of a call before it runs, for predicates and key functions. */
export function toolContext(call: PipelineCall): ToolExecutionContext {
  call.context ??= Object.freeze(new CallContext(call, undefined));
  return call.context;
}

/** The context of a `lookup` for an effect with this key. */
export function lookupContext(call: PipelineCall, idempotencyKey: string): ToolExecutionContext {
  return Object.freeze(new CallContext(call, undefined, idempotencyKey));
}

/** The context of a `preview`: reads, and changes nothing. */
export function previewContext(call: PipelineCall): PreviewContext {
  return Object.freeze(new CallContext(call, undefined, undefined, true));
}

export function executionContext(call: PipelineCall, execution: Execution): ToolExecutionContext {
  const context = Object.freeze(new CallContext(call, execution));
  const { store, sealer } = call.run.agent;
  if (call.toolName === READ_RESULT) keepBlobsOf(context, sealedBlobs(store, sealer));
  return context;
}

/**
 * The context of a call. A class, because unused parts must cost nothing: each right is created on first use, and bound
 * to this object. Functions come from getters, so that a tool can destructure them.
 */
class CallContext implements ToolExecutionContext {
  readonly #call: PipelineCall;
  readonly #execution: Execution | undefined;
  #rights: Rights | undefined;
  #memory: MemoryAccess | undefined;
  #runOptions: InheritedRunOptions | undefined;
  readonly #key: string | undefined;
  #updates = 0;

  readonly #readsOnly: boolean;

  constructor(
    call: PipelineCall,
    execution: Execution | undefined,
    key: string | undefined = call.permit?.idempotencyKey,
    readsOnly = false,
  ) {
    this.#readsOnly = readsOnly;
    this.#call = call;
    this.#execution = execution;
    this.#key = key;
  }

  get toolCallId(): string {
    return this.#call.toolCallId;
  }
  get toolName(): string {
    return this.#call.toolName;
  }
  get runId(): string {
    return this.#call.run.runId;
  }
  get agentName(): string {
    return this.#call.run.context.agentName;
  }
  get sessionId(): string {
    return this.#call.run.context.sessionId;
  }
  get userId(): string | undefined {
    return this.#call.run.context.userId;
  }
  get tenantId(): string | undefined {
    return this.#call.run.context.tenantId;
  }
  get metadata(): Readonly<Record<string, unknown>> {
    return this.#call.run.context.metadata;
  }
  get eventBus(): EventBus {
    return this.#call.run.context.eventBus;
  }
  get sessionState(): Readonly<Record<string, unknown>> {
    return this.#call.run.context.sessionState;
  }
  get dependencies(): unknown {
    return this.#call.run.context.dependencies;
  }
  get extraVars(): Readonly<Record<string, unknown>> {
    return this.#call.run.context.extraVars;
  }
  get messages(): readonly Message[] {
    return frozenViews(this.#call.run.messages());
  }
  get step(): number {
    return this.#call.turn;
  }
  get attempt(): number {
    return this.#execution?.attempt ?? attemptOf(this.#call);
  }
  get signal(): AbortSignal {
    return this.#execution?.signal() ?? this.#call.run.context.signal;
  }
  get abortSignal(): AbortSignal {
    return this.signal;
  }
  get logger(): Logger {
    return this.#call.run.logger;
  }
  get idempotencyKey(): string | undefined {
    this.#readKey();
    return this.#key;
  }
  get fence(): Fence {
    const { runId, epoch } = this.#call.run.journal.lease;
    return fenceOf(runId, epoch);
  }
  get preview(): { readonly digest: string } | undefined {
    const { digest } = this.#call.permit?.preview ?? {};
    return digest === undefined ? undefined : { digest };
  }
  get usage(): TokenUsage {
    return frozenCopy(this.#call.run.journal.state.usage);
  }
  get getState(): ToolExecutionContext["getState"] {
    const { context } = this.#call.run;
    return (key) => context.getState(key);
  }
  get setState(): ToolExecutionContext["setState"] {
    this.#changing("setState");
    const { run, toolCallId } = this.#call;
    return (key, value) => run.sessionState.set(key, value, toolCallId);
  }
  get updateState(): ToolExecutionContext["updateState"] {
    this.#changing("updateState");
    const { run, turn, index, toolCallId } = this.#call;
    return (key, change) => {
      // The same name in each execution of the call: a change that one of them made is not repeated.
      this.#updates += 1;
      return run.sessionState.update(key, change, `${callKey(turn, index)}/${this.#updates}`, toolCallId);
    };
  }
  get secrets(): SecretAccess {
    return (this.#rights ??= rightsFor(this.#call)).secrets;
  }
  get fetch(): typeof fetch {
    return (this.#rights ??= rightsFor(this.#call)).fetch;
  }
  get memory(): MemoryAccess | undefined {
    // The memory gets the call's id itself, so a repeated write is the same one.
    this.#readKey();
    return (this.#memory ??= toolMemory(this.#call));
  }
  /** Internal: packages read it with `labelOfCall()`. */
  get [labelKey](): Label {
    return storedLabelOf(this.#call);
  }
  get root(): RunContext["root"] {
    return this.#call.run.context.root;
  }
  get runOptions(): InheritedRunOptions {
    this.#readKey();
    this.#runOptions ??= { ...this.#call.run.runOptionsFor(this.#call.toolCallId), signal: this.signal };
    return this.#runOptions;
  }
  get streamContent(): (text: string) => void {
    const execution = this.#running("streamContent");
    return (text) => execution.streamContent(text);
  }
  get reportProgress(): (progress: Progress) => void {
    const execution = this.#running("reportProgress");
    return (progress) => execution.reportProgress(progress);
  }
  get ask(): <T>(question: Question<T>) => Promise<T> {
    const execution = this.#running("ask");
    return (question) => execution.ask(question);
  }
  get sleep(): (nap: Nap) => Promise<void> {
    const execution = this.#running("sleep");
    return (nap) => execution.sleep(nap);
  }
  /** Internal: adapters read it with `answeredKeys()`. */
  get answered(): readonly string[] {
    return Object.keys(this.#call.state.answers ?? {});
  }
  get endorse(): <T>(ref: string, validator: Endorser<T>, reason: string) => Promise<T> {
    this.#running("endorse");
    return (ref, validator, reason) => endorse(this.#call, ref, validator, reason);
  }

  #readKey(): void {
    if (this.#execution !== undefined) this.#execution.keyIsRead = true;
  }

  #changing(what: string): void {
    if (!this.#readsOnly) return;
    throw new BailiwickError(
      "NOT_EXECUTING",
      `The preview of tool "${this.toolName}" used ctx.${what}. A preview only reads: change state in execute.`,
      { runId: this.runId },
    );
  }

  #running(what: string): Execution {
    if (this.#execution !== undefined) return this.#execution;
    throw new BailiwickError(
      "NOT_EXECUTING",
      `Tool "${this.toolName}" used ctx.${what} before it was executed. Only execute may use it; needsApproval, idempotencyKey, preview and lookup may not.`,
      { runId: this.runId },
    );
  }
}

function rightsFor(call: PipelineCall): Rights {
  const { run, toolName, toolCallId } = call;
  const port = run.agent.secrets;
  const allowed = toolOf(call).secretsAllowed;
  const rights =
    port === undefined
      ? accessWithoutSource(toolName, run.runId)
      : port.accessFor({ toolName, toolCallId, allowed, record: (event) => run.journal.record({ ...event }) });
  if (run.flow === undefined) return rights;
  return { ...rights, fetch: run.flow.fetchFor({ turn: call.turn, tool: toolOf(call) }, rights.fetch) };
}

/**
 * Implements `ctx.endorse`: the flow policy raises the label of the value behind a reference. Without a policy there
 * are no labels, and the value is only validated.
 *
 * @throws EndorsementError if the value is not endorsed.
 */
async function endorse<T>(call: PipelineCall, ref: string, validator: Endorser<T>, reason: string): Promise<T> {
  const tool = toolOf(call);
  if (tool.__source.kind !== "first-party") {
    throw new EndorsementError(
      "ENDORSEMENT_IMPOSSIBLE",
      `Tool "${tool.name}" does not come from the developer of this agent, so it cannot endorse a value. Validate it in your own tool.`,
    );
  }
  if (typeof validator?.name !== "string" || validator.name === "" || typeof reason !== "string" || reason === "") {
    throw new EndorsementError(
      "ENDORSEMENT_IMPOSSIBLE",
      `Tool "${tool.name}" called ctx.endorse without a validator name or a reason, which the audit needs: ctx.endorse(ref, { name, schema }, reason).`,
    );
  }
  const { flow } = call.run;
  const validate = (value: unknown): Promise<T> => validated(call, value, validator);
  if (flow === undefined) return validate(argumentAt(call, ref));
  return (await flow.endorse({ call: flowCallOf(call), ref, validator: validator.name, validate, reason })) as T;
}

function argumentAt({ args, toolName }: PipelineCall, ref: string): unknown {
  const [found, ...more] = valuesAt(args, parsePath(ref));
  if (found !== undefined && more.length === 0) return found;
  throw new EndorsementError(
    "ENDORSEMENT_IMPOSSIBLE",
    `Tool "${toolName}" wants to endorse "${ref}", which is not one argument of this call.`,
  );
}

async function validated<T>({ run, toolName }: PipelineCall, value: unknown, validator: Endorser<T>): Promise<T> {
  const message = `The validator "${validator.name}" of tool "${toolName}" does not accept the value, so it stays untrusted.`;
  try {
    const result = await askGivenSchema(run, `ctx.endorse of ${toolName}`, validator.schema, value);
    if (result.ok) return result.value;
  } catch (cause) {
    throw new EndorsementError("ENDORSEMENT_REFUSED", message, { cause });
  }
  throw new EndorsementError("ENDORSEMENT_REFUSED", message);
}
