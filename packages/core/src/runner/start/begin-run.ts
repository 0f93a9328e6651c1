import { readOptions } from "../settings/check-settings.ts";
import { createRunContext, runOwner, sessionPlaceOf } from "./run-context.ts";
import { labelNote, SessionState } from "../state/session-state.ts";
import { leavesNothing } from "../tool-call/fakes.ts";
import { readIn } from "../tool-call/tool-memory.ts";
import { forkedRun } from "../state/fork-place.ts";
import { createTimerWheel, type TimerWheel, type WheelTimer } from "../limits/timeouts.ts";
import { consoleLogger, scrubbedLogger } from "../settings/console-logger.ts";
import type { OpenedJournal } from "../../journal/open-journal.ts";
import type { KeptOptions } from "../../contracts/kept-options.ts";
import type { RunInput, RunOptions } from "../../contracts/run-options.ts";
import type { Decision } from "../../contracts/interruption.ts";
import { endedOutput, type LoadedRun } from "./load-run.ts";
import { callerOf } from "../caller/caller.ts";
import type { Message } from "../../contracts/message.ts";
import type { ModelProvider, ModelSpec } from "../../contracts/model-provider.ts";
import type { Warning } from "../../contracts/model-response.ts";
import type { TextFilter } from "../../contracts/ports/text-filter.ts";
import { createTokenEstimator, textTokens, type CountText } from "../../context/token-estimate.ts";
import { askUserCodeNow, isThenable } from "../../user-code/call-user-code.ts";
import { growingViews } from "../../user-code/sent-views.ts";
import { createHistoryCompiler, type HistoryCompiler } from "../../history/history-compiler.ts";
import { historyTarget, type HistoryTarget } from "../../history/provenance.ts";
import { Catalogue } from "../../registry/catalogue.ts";
import { givesBack } from "../../errors/host-errors.ts";
import { storeBelow } from "../host/patient-store.ts";
import type { RunStore } from "../../contracts/ports/run-store.ts";
import { ModelTimeoutError } from "../../errors/model-errors.ts";
import { compileSchema } from "../../tools/standard-schema.ts";
import { AnswerGate } from "../answer-gate/answer-gate.ts";
import { answeredView } from "../model/conversation-view.ts";
import { BudgetAccount, spendingOf } from "../limits/budgets.ts";
import { spentBy } from "../answer/run-output.ts";
import { countedInside, inheritedOptions } from "./inherited-options.ts";
import { loadInside } from "./load-inside.ts";
import { chained } from "../caller/inherited-secrets.ts";
import { activeExtensions } from "../part.ts";
import { pointsOfRun } from "../extensions/parts-of-run.ts";
import { reportFailure, expected } from "../hooks/hook-failures.ts";
import { askGuardrail } from "../hooks/hooks-runner.ts";
import { expired } from "../run-loop.ts";
import type { Ending } from "../limits/run-control.ts";
import type { EffectiveSettings } from "../settings/run-settings.ts";
import type { Agent, LiveRun, Run } from "../run.ts";

/** Inputs for driving a new or a resumed run. */
export interface Entry {
  readonly settings: EffectiveSettings;
  readonly options: RunOptions;
  /** The options that are stored with the run. */
  readonly kept: KeptOptions | undefined;
  /** Settings of a new run. */
  readonly input?: RunInput | undefined;
  /** The given messages of a new run, if this process has read them already. */
  readonly given?: readonly Message[] | undefined;
  readonly decisions?: readonly Decision[] | undefined;
  /** The journal under this process's lease; empty for a new run. */
  readonly opened: OpenedJournal;
  readonly sessionId: string;
  /** A stored run, as loaded. */
  readonly before?: LoadedRun | undefined;
  /** The run is driven only to end it as cancelled: no code executes, so its tools may be gone. */
  readonly cancel?: boolean | undefined;
}

const none: readonly never[] = [];

/** Makes a run around its journal. Records nothing and calls no user code. */
export function assembleRun(agent: Agent, live: LiveRun, entry: Entry): Run {
  const { settings, options, kept, sessionId } = entry;
  const { journal } = entry.opened;
  const { state } = journal;
  const { runId, sink, control } = live;
  const caller = callerOf(options.parent);
  const { clock } = agent;
  const timers = createTimerWheel(clock);
  const { logger: given } = settings;
  const logger = given === agent.options.logger ? agent.logger : scrubbedLogger(given ?? consoleLogger, agent.secrets);
  const owner = runOwner(state, entry.before?.run, options, settings);
  const sessionState = new SessionState({
    runId,
    journal,
    place: leavesNothing({ options, journal }) ? undefined : sessionPlaceOf(agent, settings, caller, sessionId, owner),
    secrets: agent.secrets,
    noteFor: (toolCallId, read, change) =>
      labelNote(agent.hasher, run.flow?.storedLabel("state", toolCallId, read, change)),
    readIn: (toolCallId) => readIn(run, toolCallId),
  });
  const parts = { runId, agent, settings, options, control, journal, sessionState };
  const countTokens = settings.contextCompactor?.countTokens;
  // Most runs have no tokenizer.
  const estimate = createTokenEstimator(countTokens === undefined ? undefined : tokenizerOf(countTokens, () => run));
  const warnings: Warning[] = [];
  const held: (() => void)[] = [];
  let began = false;
  let said: Set<string> | undefined;
  const takenUpAt = clock.now();
  const beforeMs = state.end?.durationMs ?? 0;
  const activeMs = (): number => beforeMs + clock.now() - takenUpAt;
  const deadlineAt = deadlineOf(entry);
  const { usage, costUsd } = spentBy(state);
  const budget = new BudgetAccount(settings.budget, caller?.budget, spendingOf(usage, costUsd));
  let compilers: readonly (HistoryCompiler & { readonly sent: ReturnType<typeof growingViews<Message>> })[] = [];

  const extensions = activeExtensions(settings.extensions ?? none, journal, caller?.extensions ?? none);
  const run: Run = {
    ...parts,
    kept,
    sink,
    context: createRunContext(parts, sessionId, owner, caller),
    extensions,
    points: pointsOfRun({ settings, agentHooks: agent.options.hooks, nodeHooks: options.hooks, extensions }),
    catalogue: new Catalogue({ registry: agent.registry.known, hasher: agent.hasher }),
    clock,
    ids: settings.ids ?? agent.ids,
    logger,
    timers,
    ownTools: [],
    served: [],
    refreshTools: undefined,
    flow: undefined,
    readInside: new Map(),
    recalled: new Map(),
    spentInside: countedInside(state),
    unattendedInside: new Set(),
    keyWaits: new Map(),
    inside: new Map(),
    waitsInside: (toolCallId) => {
      const runs = run.inside.get(toolCallId);
      return runs !== undefined && runs.size > 0 && [...runs].every((one) => one.waits());
    },
    nonce: agent.hasher.sha256(`nonce/${runId}`).slice(0, 16),
    depth: options.parent === undefined ? 0 : options.parent.depth + 1,
    messages: () => (run.view.length > 0 ? run.view : answeredView(run)),
    runOptionsFor: (toolCallId) => inheritedOptions(run, toolCallId),
    nextModel: undefined as ModelSpec | undefined,
    budget,
    estimate,
    answer: answerGate(agent, settings, sink, () => run),
    compile: (messages: readonly Message[], model: ModelProvider) => {
      let compiler = compilers.find(({ target }) => isFor(target, model));
      if (compiler === undefined) {
        compiler = { ...createHistoryCompiler(historyTarget(model)), sent: growingViews() };
        compilers = compilers.length === 0 ? [compiler] : [...compilers, compiler];
      }
      const compiled = compiler.compile(messages);
      return { ...compiled, sent: compiler.sent(compiled.messages) };
    },
    warn(warning: Warning): void {
      const key = `${warning.code}\n${warning.subject ?? ""}`;
      if (said?.has(key) === true) return;
      (said ??= new Set()).add(key);
      warnings.push(warning);
      run.afterStart(() => {
        if (sink.wants("warning")) sink.show({ type: "warning", warning });
      });
    },
    loadInside,
    afterStart(tell: () => void): void {
      if (began) tell();
      else held.push(tell);
    },
    tellHeld(): void {
      began = true;
      for (const tell of held.splice(0)) tell();
    },
    warnings,
    output: outputSchema(agent, options),
    activeMs,
    childOutput: (runId) => endedOutput(agent, runId),
    deadlineAt,
    stopSlowTurn: (turnMs) => control.stop(slowTurn(run, turnMs)),
    stepTimer: undefined,
    inputVerdict: undefined,
    view: [],
    sessionInStore: keepsSessions(storeBelow(agent.store), agent.store, settings.session),
    isFirst: (note) => {
      const isFirst = !agent.said.has(note);
      agent.said.add(note);
      return isFirst;
    },
    forked: forkedRun(entry.before?.fork, entry.opened.events),
    close: () => {
      run.stepTimer?.cancel();
      for (const timer of limits) timer.cancel();
      unlink();
    },
  };
  const limits = limitTimers(run, timers);
  const unlink = linkSignal(options, run);
  for (const warning of settings.tightened ?? []) {
    run.warn(warning);
    if (run.isFirst(warning.message)) logger.warn(warning.message);
  }
  return run;
}

function outputSchema(agent: Agent, { output }: RunOptions): Run["output"] {
  if (output === undefined) return agent.output;
  return readOptions({ output }, `run of agent "${agent.name}"`, () =>
    compileSchema(output, { what: `The output schema of this run of agent "${agent.name}"` }),
  );
}

function answerGate(agent: Agent, settings: EffectiveSettings, sink: Run["sink"], run: () => Run): Run["answer"] {
  return new AnswerGate({
    sink,
    guardrails: settings.guardrails?.output ?? none,
    mode: settings.outputGuardrails ?? "hold",
    filter: agent.secrets === undefined && agent.flow === undefined ? undefined : () => textFilter(run()),
    check: (guardrail, window) => {
      const validate = () => guardrail.validateChunk?.(window, run().context) ?? ({ pass: true } as const);
      return askGuardrail(run(), "output", guardrail.name, validate);
    },
  });
}

function isFor(target: HistoryTarget, { provider, api, modelId }: ModelProvider): boolean {
  return target.model === modelId && target.provider === provider && target.api === api;
}

/** The deadline of a stored run is its own, even before its first record. */
function deadlineOf({ settings, opened, before }: Entry): number | undefined {
  return opened.journal.state.start?.deadlineAt ?? before?.run.deadlineAt ?? settings.deadlineAt;
}

function limitTimers(run: Run, timers: TimerWheel): readonly WheelTimer[] {
  const { settings, control, deadlineAt } = run;
  const totalMs = settings.timeouts?.totalMs;
  const budgetMs = settings.budget?.durationMs;
  const limits: WheelTimer[] = [];
  if (totalMs !== undefined) limits.push(timers.after(totalMs, () => control.stop(timedOut(totalMs))));
  if (budgetMs !== undefined)
    limits.push(timers.after(Math.max(0, budgetMs - run.activeMs()), () => control.stop(spent(budgetMs))));
  if (deadlineAt !== undefined) {
    limits.push(
      timers.after(Math.max(0, deadlineAt - run.clock.now()), () =>
        control.stop({ reason: "failed", error: expired(run.runId, deadlineAt) }),
      ),
    );
  }
  return limits;
}

/** Follows the caller's signal with one listener, which `close` removes. */
function linkSignal({ signal, parent }: RunOptions, { control, journal }: Run): () => void {
  if (signal === undefined) return () => undefined;
  const stop = (): void => {
    const reason: unknown = signal.reason;
    // The calling run was given back: this one continues with it.
    if (parent === undefined || !givesBack(reason)) return control.stop({ reason: "cancelled", abortReason: reason });
    control.interrupt(reason, journal);
  };
  if (signal.aborted) {
    stop();
    return () => undefined;
  }
  signal.addEventListener("abort", stop, { once: true });
  return () => signal.removeEventListener("abort", stop);
}

function timedOut(totalMs: number): Ending {
  const message = `The run took longer than ${totalMs} ms (timeouts.totalMs).`;
  return { reason: "timed_out", abortReason: new DOMException(message, "TimeoutError") };
}

function spent(budgetMs: number): Ending {
  const message = `The run worked longer than ${budgetMs} ms (budget.durationMs).`;
  return { reason: "budget_exhausted", abortReason: new DOMException(message, "TimeoutError") };
}

/** The end of a run whose turn took too long: a failure of the model only if the model was active. */
function slowTurn({ agent, journal }: Run, turnMs: number): Ending {
  const message = `A turn took longer than ${turnMs} ms (timeouts.turnMs).`;
  if (journal.state.openModelCall === undefined)
    return { reason: "timed_out", abortReason: new DOMException(message, "TimeoutError") };
  const { provider, modelId: model } = agent.model;
  return { reason: "failed", error: new ModelTimeoutError("turn", message, { provider, model, retryable: false }) };
}

function textFilter(run: Run): TextFilter {
  return chained([run.agent.secrets?.textScrubber(), run.flow?.answerFilter()]);
}

function keepsSessions(below: object, store: RunStore, session: unknown): boolean {
  return session !== undefined && (below === session || store.sessions === session);
}

/** The author's tokenizer. After a failure the estimate is used: a count must not fail a run. */
function tokenizerOf(countTokens: CountText, run: () => Run): CountText {
  const hook = "contextCompactor.countTokens";
  let hasFailed = false;
  return (text) => {
    if (hasFailed) return textTokens(text);
    const asked = askUserCodeNow(hook, () => {
      const tokens = countTokens(text);
      return expected(hook, "a number of tokens", isThenable(tokens) || tokens >= 0, tokens);
    });
    if (asked.ok) return asked.value;
    hasFailed = true;
    reportFailure(run(), hook, asked.error, "The estimate counts instead.");
    return textTokens(text);
  };
}
