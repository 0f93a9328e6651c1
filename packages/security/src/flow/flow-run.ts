import type {
  FlowCall,
  FlowDecision,
  FlowOptions,
  FlowRun,
  FlowRunStart,
  Grant,
  JournalEvent,
  ModelProvider,
  ResolvedTool,
} from "@bailiwick/core";
import { canonicalJson, isExtract, lazyPart } from "@bailiwick/core";

import { createAnswerFilter } from "./answer-filter.ts";
import type { CallView } from "./call-view.ts";
import { decideCall } from "./decide-call.ts";
import type { Ruling } from "./decide-call.ts";
import { explainAllow, explainAsk, explainDenial, originsOf } from "./explain.ts";
import { callAt, callId, callOf, emptyFlowState, observe } from "./flow-state.ts";
import type { UserWords } from "./flow-state.ts";
import { defangPayload } from "./r6-payload.ts";
import { everyone, isTrusted, joinLevels } from "./lattice.ts";
import { approvedLabel } from "./approved-label.ts";
import { endorseValue } from "./endorse-value.ts";
import { referencesFor } from "./quarantine.ts";
import { callBehind } from "./reference-mark.ts";
import { expandReferences } from "./reference-text.ts";
import { bitsLeft, quarantineOf, spendInside } from "./reading-bits.ts";
import type { Readings } from "./reading-bits.ts";
import { decidingLeaves } from "./r4-confidentiality.ts";
import { controlLabel } from "./r9-inherit.ts";
import { labelRecord } from "./record-labels.ts";
import { sameJson } from "./references.ts";
import { viewCall } from "./view-call.ts";
import type { FindCalledTool } from "./view-call.ts";
import { modeOf } from "./sinks.ts";

/** Most runs ask for no plan, and read no quarantined value. */
const planner = lazyPart("The planner of grants", () => import("./planner.ts"));
const reader = lazyPart("The reader of quarantined values", () => import("./read-value.ts"));

/** Finds the planner's model; `"provider/model"` strings need a registry. */
export type ResolvePlanner = (options: FlowOptions) => ModelProvider | undefined;

/** Starts the information flow of one run. Its state is a fold over the journal, so that a resumed run decides the same. */
export function beginFlowRun(start: FlowRunStart, resolvePlanner: ResolvePlanner): FlowRun {
  const { options } = start;
  const state = emptyFlowState();
  const mode = modeOf(options);
  const findTool = toolFinder(start);

  const readings: Readings = { state, start, options, findTool };

  const viewOf = (call: FlowCall): CallView => viewCall(call, state, options, findTool);

  /** [quarantine.references] What the model is shown of an outcome; its label is that of what is shown. */
  function quarantine(call: FlowCall, output: unknown): unknown {
    // Only speed: most outputs are hidden from nobody.
    if (quarantineOf(options) === undefined && call.tool.sensitivity !== "secret") return output;
    if (isExtract(call.tool)) return output;
    const id = callId(call.turn, call.index);
    const known = callAt(state, call.turn, call.index);
    // No node explains a call that is not known: it counts as the worst.
    const label = String(known?.label);
    const level = state.graph.levelOf(label);
    const shown = referencesFor(call.tool, `${state.mark}${id}`, output, {
      quarantine: quarantineOf(options) !== undefined,
      level,
      // What the run's bits pay for is shown.
      paid: state.graph.labelOf(label)?.bits !== undefined,
      distrusted: known?.distrusted === true,
    });
    if (shown === output || known === undefined) return shown;
    // A reference stands for the value as its schema made it; a process that goes on makes it again from the sealed record.
    known.output = output;
    const context = state.emitted.get(call.turn)?.level ?? state.context.level;
    // Of a secret nothing is shown; of others, the leaves that are vouched for.
    const secret = call.tool.sensitivity === "secret";
    const readers = secret ? everyone : level.readers;
    known.shown = joinLevels(context, { integrity: "verified", control: "verified", readers }, state.graph.sets);
    return shown;
  }

  /** [quarantine.references] What is said of a failure is hidden like a result, where it may say more than the model has read. */
  function withholds(call: FlowCall): boolean {
    const known = callAt(state, call.turn, call.index);
    // What `extract` says of its failures is the framework's own.
    if (quarantineOf(options) === undefined || known?.label === undefined || isExtract(call.tool)) return false;
    const emitted = state.emitted.get(call.turn)?.level ?? state.context.level;
    const level = state.graph.levelOf(known.label);
    const isWorse = (part: "integrity" | "control"): boolean => isTrusted(emitted[part]) && !isTrusted(level[part]);
    if (!isWorse("integrity") && !isWorse("control")) return false;
    const shown = { integrity: "verified", control: "verified", readers: level.readers } as const;
    known.shown = joinLevels(emitted, shown, state.graph.sets);
    return true;
  }

  /** Journals the grants that were given with the agent and the run, before the first decision that may use them. */
  function journalGrants(): void {
    journalMissing("developer", options.grants ?? []);
    journalMissing("user", start.grants);
  }

  function journalMissing(source: "developer" | "user", grants: readonly Grant[]): void {
    const held = state.grants.filter((one) => one.source === source).map((one) => canonicalJson(one.grant));
    const missing = grants.filter((grant) => {
      const at = held.indexOf(canonicalJson(grant));
      if (at >= 0) held.splice(at, 1);
      return at < 0;
    });
    if (missing.length > 0) start.record({ type: "flow.grants", source, grants: missing });
  }

  /** The user message to plan for, before a person is asked. */
  function unplanned(view: CallView, ruling: Ruling): UserWords | undefined {
    if (ruling.verdict !== "ask" || options.planner === false || isShadow(view)) return undefined;
    return state.userWords.slice(-1).find(({ id }) => !state.planned.has(id));
  }

  async function plan(newest: UserWords): Promise<void> {
    const model = resolvePlanner(options);
    const grants = await planner(({ planGrants }) => planGrants({ state, start, model, findTool }));
    if (!state.planned.has(newest.id)) {
      start.record({ type: "flow.grants", source: "planner", grants, messageId: newest.id });
    }
  }

  function isShadow(view: CallView): boolean {
    return mode === "shadow" || view.sink === "assumed";
  }

  function decision(call: FlowCall, view: CallView, ruling: Ruling): FlowDecision {
    const { verdict, rule } = ruling;
    // Only speed: most calls are reads, and all that is said of one is the same.
    if (rule === "R1") return plainRead;
    const shadow = isShadow(view) && verdict !== "allow";
    const input = mode === "shadow" ? undefined : defangPayload(view, call.input, ruling.grant?.grant);
    if (ruling.grant !== undefined) useGrant(call, ruling.grant.index);
    return {
      verdict,
      rule,
      explanation:
        verdict === "ask"
          ? explainAsk(view, ruling)
          : verdict === "deny"
            ? explainDenial(view, ruling)
            : explainAllow(view, ruling),
      origins: verdict === "allow" ? [] : originsOf(view),
      ...(shadow && { shadow }),
      ...(ruling.grant !== undefined && { grant: ruling.grant.index }),
      ...(input !== undefined && { input }),
      ...(verdict === "deny" &&
        !shadow &&
        state.denials.mustStop({ tool: call.tool, args: call.args }) && { stopRun: true }),
    };
  }

  /** Until the decision is journaled, so that the next call of the turn does not take the same count. */
  function useGrant(call: FlowCall, grant: number): void {
    const { turn, index, toolCallId, tool } = call;
    const known = callOf(state, { turn, index, toolCallId, toolName: tool.name });
    known.grant = grant;
  }

  return {
    labelFor: (event) => labelRecord(event, { state, options, findTool, parentLabel: start.parentLabel }),
    observe: (event: JournalEvent) => observe(state, event, findTool),
    journalGrants,
    decide(call) {
      const view = viewOf(call);
      const ruling = decideCall(view, findTool);
      const newest = unplanned(view, ruling);
      if (newest === undefined) return decision(call, view, ruling);
      return plan(newest).then(() => {
        const again = viewOf(call);
        return decision(call, again, decideCall(again, findTool));
      });
    },
    coversRemembered(call, remembered) {
      const before = viewOf({ ...call, args: remembered.args, input: remembered.args });
      const now = viewOf(call);
      const fixed = (view: CallView): unknown => decidingLeaves(view).map(({ location, value }) => [location, value]);
      const approved = state.approved.findLast(
        (one) => one.toolName === call.tool.name && sameJson(one.args, remembered.args),
      );
      return (
        sameJson(fixed(before), fixed(now)) &&
        before.sinkReaders === now.sinkReaders &&
        approved !== undefined &&
        state.graph.sets.covers(now.level.readers, approved.readers)
      );
    },
    stopsAfterDenials: () => state.denials.mustStop(),
    quarantine,
    withholds,
    resolveReferences: (args) => expandReferences(args, (call) => callBehind(call, state)?.output).args,
    answerFilter: () =>
      mode === "shadow"
        ? passThrough()
        : createAnswerFilter(options, {
            userTexts: state.userWords.flatMap(({ texts }) => texts),
            resultTexts: () => state.resultTexts,
          }),
    controlLabel: (toolCallId) => controlLabel(state, toolCallId),
    extract: async (request) => reader(({ readValue }) => readValue(request, readings)),
    endorse: (request) => endorseValue(request, { state, start }),
    loweredBy: ({ turn, index }) => approvedLabel(state, turn, index),
    forInside: {
      bits: { left: () => bitsLeft(readings), spendInside: (spending) => spendInside(spending, readings) },
    },
  };
}

const plainRead: FlowDecision = {
  verdict: "allow",
  rule: "R1",
  explanation: "A read without an argument that decides where data goes.",
  origins: [],
  plain: true,
};

function passThrough(): ReturnType<FlowRun["answerFilter"]> {
  return { push: (text) => text, end: () => "" };
}

/** Finds tools by name, over the list as it is now. */
function toolFinder(start: Pick<FlowRunStart, "tools">): FindCalledTool {
  let known: readonly ResolvedTool[] = [];
  let byName = new Map<string | undefined, ResolvedTool>();
  return (name) => {
    const tools = start.tools();
    if (tools !== known) {
      // Only speed: the list seldom changes.
      known = tools;
      byName = new Map(tools.map((tool) => [tool.name, tool]));
    }
    return byName.get(name);
  };
}
