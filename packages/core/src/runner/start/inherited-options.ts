import type { InheritedRunOptions } from "../../contracts/run-options.ts";
import type { AgentUsage } from "../../contracts/run-output.ts";
import { callKey, type CallState, type RunState } from "../../journal/run-state.ts";
import { spentBy } from "../answer/run-output.ts";
import {
  agentPathOf,
  callerHandle,
  callerOf,
  defaultMaxDepth,
  isSaid,
  nodeIdOf,
  type Caller,
} from "../caller/caller.ts";
import { demand } from "../hooks/hooks-runner.ts";
import { handedConversation } from "../model/conversation-view.ts";
import type { Run } from "../run.ts";
import { handedApproval } from "../settings/join-approval.ts";
import { asFlow } from "../settings/join-flow.ts";
import { demandedBy, handedOptions, settingRows, type Demands } from "../settings/run-settings.ts";
import { insideRunId, type InsideOrigin } from "../state/fork-place.ts";
import { byAgent } from "../tool-call/nested-run.ts";
import { readBy } from "../tool-call/tool-memory.ts";

/** The options that a tool passes to a run that it starts, with the handle of its call. */
export function inheritedOptions(run: Run, toolCallId: string): InheritedRunOptions {
  const { options } = run;
  const { signal, metadata, userId, tenantId } = run.context;
  // The copy that this run has: the tool that gets the options may change it.
  const dependencies = run.settings.dependencies === undefined ? undefined : run.context.dependencies;
  const given: InheritedRunOptions = { ...options, signal, metadata, userId, tenantId, dependencies };
  return {
    ...Object.fromEntries(handedOptions.map((name) => [name, given[name]])),
    parent: callerHandle({ runId: run.runId, toolCallId, depth: run.depth }, callerIn(run, toolCallId)),
  };
}

function callerIn(run: Run, toolCallId: string): Caller {
  const { agent, settings, options, journal, forked, spentInside } = run;
  const outer = callerOf(options.parent);
  const output = settings.guardrails?.output;
  const call = (): CallState | undefined =>
    journal.state.turnCalls
      .map((key) => journal.state.calls.get(key))
      .find((state) => state?.toolCallId === toolCallId);
  let children = 0;
  let handed = false;
  const nodes = new Map<string, string>();
  const origins = new Map<string, InsideOrigin>();
  return {
    agentName: agent.name,
    agentPath: agentPathOf(run),
    fakes: options.fakes,
    root: run.context.root,
    model: () => agent.resolveModel(settings.model ?? agent.options.model),
    demands: demandsOf(run),
    extensions: run.extensions,
    guardrails: output && { guardrails: { output }, outputGuardrails: "hold" },
    ask: (hook, ask, read) => demand(run, hook, ask, read),
    flowPort: agent.flow,
    budget: run.budget,
    sink: run.sink,
    maxDepth: settings.maxDepth ?? defaultMaxDepth,
    isPassedOn: (part) => {
      if (agent.role !== "composition") return false;
      const said = journal.state.messages.filter((message) => message.role === "user");
      return !isSaid(part, said) || (outer?.isPassedOn(part) ?? true);
    },
    noteKeyWait: (holder) => run.keyWaits.set(toolCallId, holder),
    noteRead: (label) => run.readInside.set(toolCallId, [...(run.readInside.get(toolCallId) ?? []), label]),
    // Each run inside begins with what the call has read until then.
    get label() {
      return run.flow?.controlLabel(toolCallId, readBy(run, toolCallId)) ?? outer?.label;
    },
    flow: run.flow === undefined ? outer?.flow : { toolCallId, ...run.flow.forInside },
    store: agent.store,
    lease: () => journal.lease,
    commit: () => journal.commit(),
    ledger: agent.ledger,
    inMemory: agent.inMemory,
    giveBack: (error) => run.control.interrupt(error, journal),
    secrets: agent.secrets,
    sealer: agent.sealer,
    childRunId() {
      const state = call();
      const key = state === undefined ? undefined : callKey(state.turn, state.index);
      const place = key ?? toolCallId;
      children += 1;
      const n = children;
      const runId = insideRunId(agent.hasher, run.runId, place, n);
      nodes.set(runId, n === 1 ? place : `${place}/${n}`);
      if (forked !== undefined && (key === undefined || forked.calls.has(key)))
        origins.set(runId, {
          origins: forked.place.origins.map((origin) => ({
            ...origin,
            runId: insideRunId(agent.hasher, origin.runId, place, n),
          })),
          suspended: forked.suspended.get(runId),
        });
      return runId;
    },
    nodeId: (runId, agentName) => `${nodeIdOf(run)}/${nodes.get(runId) ?? toolCallId}/${agentName}`,
    childOrigin: (runId) => origins.get(runId),
    childDecisions: () => call()?.child?.decisions ?? [],
    userMessages: () => journal.state.messages.filter((message) => message.role === "user"),
    remembered: () => journal.state.remembered,
    handedState: () => (handed ? run.sessionState : undefined),
    handOver(toAgent, reason) {
      const { turn, handedOver } = journal.state;
      handed = handedOver?.turn !== turn || handedOver.toolCallId === toolCallId;
      // A call that continues after a crash or a question has its record.
      if (handedOver?.turn === turn) return handed;
      journal.record({ type: "handoff.transfer", fromAgent: agent.name, toAgent, toolCallId, reason });
      return true;
    },
    enter: (inside) => {
      const runs = run.inside.get(toolCallId) ?? new Set();
      run.inside.set(toolCallId, runs.add(inside));
      return (output) => {
        runs.delete(inside);
        if (output?.stopReason === "unattended") run.unattendedInside.add(toolCallId);
        if (output?.runId !== undefined) runsIn(spentInside, toolCallId).set(output.runId, byAgent(output));
      };
    },
    countStored(runId, state) {
      const spent = spentBy(state);
      const runs = runsIn(spentInside, toolCallId);
      const known = runs.get(runId) ?? [];
      run.budget.book({
        tokens: known.reduce((rest, one) => rest - one.usage.totalTokens, spent.usage.totalTokens),
        usd: known.reduce((rest, one) => rest - (one.costUsd ?? 0), spent.costUsd ?? 0),
      });
      runs.set(runId, spent.byAgent);
    },
    calls: (name, callback) => options[name] === callback || (outer?.calls(name, callback) ?? false),
    handedConversation: (agentName) => handedConversation(run, toolCallId, agentName),
  };
}

/** The demands of a run, which apply to each run inside it, on every path. */
function demandsOf({ runId, settings, agent }: Run): Demands {
  // The default of an agent applies too; a composition adds no authority.
  const byDefault = agent.role === "agent" && agent.flow !== undefined ? ({ mode: "auto" } as const) : undefined;
  return {
    ...demandedBy(settingRows, settings),
    flow: settings.flow === undefined ? byDefault : { ...byDefault, ...asFlow(settings.flow) },
    approval: handedApproval(settings.approval, { runId, agentName: agent.name }),
  };
}

/** The usage of the waiting inner runs, from the journal: the run's account opens with it. */
export function countedInside({ turnCalls, calls }: RunState): Run["spentInside"] {
  const counted: Run["spentInside"] = new Map();
  for (const key of turnCalls) {
    const { toolCallId = "", child } = calls.get(key) ?? {};
    for (const one of child?.spent ?? []) {
      const runs = runsIn(counted, toolCallId);
      const runId = one.runId ?? child?.runId ?? "";
      runs.set(runId, [...(runs.get(runId) ?? []), one]);
    }
  }
  return counted;
}

function runsIn(counted: Run["spentInside"], toolCallId: string): Map<string, readonly AgentUsage[]> {
  const runs = counted.get(toolCallId) ?? new Map<string, readonly AgentUsage[]>();
  counted.set(toolCallId, runs);
  return runs;
}
