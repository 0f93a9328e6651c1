import type {
  EndorseRequest,
  ExtractRequest,
  FlowCall,
  FlowDecision,
  FlowOptions,
  FlowRun,
  FlowRunStart,
  Grant,
  JournalEvent,
  JournalEventInput,
  Label,
  LabelAssignment,
  ModelSpec,
  ResolvedTool,
  StateChange,
  TextFilter,
  ToolReturn,
  Warning,
} from "@bailiwick/core";
import { canonicalJson, isExtract, lazyPart } from "@bailiwick/core/extension";

import { createAnswerFilter } from "./answer-guard.ts";
import type { CallView } from "./call-view.ts";
import { decideCall } from "./decide-call.ts";
import type { Ruling } from "./decide-call.ts";
import { explainAllow, explainDenial, explainForm } from "./explain.ts";
import { callAt, callId, callOf, correctionKey, emptyFlowState, plannedFor, plannedKey } from "./flow-state.ts";
import type { FlowState, UserWords } from "./flow-state.ts";
import { observe } from "./fold-record.ts";
import { defangPayload } from "./r6-payload.ts";
import { everyone, joinLevels } from "./lattice.ts";
import { isTrusted } from "./trusted.ts";
import { approvedLabel, type Labelling } from "./labelling.ts";
import { endorseValue } from "./endorse-value.ts";
import { referencesFor } from "./quarantine.ts";
import { callBehind, expandReferences } from "./reference-text.ts";
import { bitsLeft, quarantineOf, spendInside } from "./reading-bits.ts";
import type { Readings } from "./reading-bits.ts";
import { decidingLeaves } from "./r4-confidentiality.ts";
import { controlLabel, type NotedRead } from "./r9-inherit.ts";
import { storedLabel } from "./stored-label.ts";
import { labelRecord } from "./record-labels.ts";
import { sameJson } from "./compare-values.ts";
import { viewCall } from "./view-call.ts";
import type { ToolRoles } from "./tool-roles.ts";
import type { FindCalledTool } from "./view-call.ts";
import { modeOf } from "./sinks.ts";
import { rolesIn, rolesToDecide } from "./guessed-roles.ts";
import { readingFetch } from "./guessed-fetch.ts";

/** Most runs ask no question, request no plan, and read no quarantined value. */
const questions = lazyPart("The questions of the flow policy", () => import("./question.ts"));
const planner = lazyPart("The planner of grants", () => import("./planner.ts"));
const reader = lazyPart("The reader of quarantined values", () => import("./read-value.ts"));

/** Finds the planner's model; `undefined` for the agent's own. */
export type ResolvePlanner = (options: FlowOptions) => ModelSpec | undefined;

/**
 * Starts the information flow of one run. Its state is a fold over the journal, so that a resumed run decides the same.
 */
export function beginFlowRun(start: FlowRunStart, resolvePlanner: ResolvePlanner): FlowRun {
  return new PolicyRun(start, resolvePlanner);
}

/** A class, because there is one for every run. */
class PolicyRun implements FlowRun {
  readonly forInside: FlowRun["forInside"];
  readonly #start: FlowRunStart;
  readonly #options: FlowOptions;
  readonly #resolvePlanner: ResolvePlanner;
  readonly #isShadowed: boolean;
  readonly #state: FlowState;
  readonly #findTool: FindCalledTool;
  /** Inputs for reading quarantined values. */
  readonly #readings: Readings;
  readonly #labelling: Labelling;

  constructor(start: FlowRunStart, resolvePlanner: ResolvePlanner) {
    const { options } = start;
    const guesses = modeOf(options) !== "enforce";
    const state = emptyFlowState((tool) => rolesToDecide(start.tools, tool, options), start.workflow);
    this.#state = state;
    const findTool: FindCalledTool = (name) => byNameIn(start.tools()).get(name);
    const readings = { state, start, options, findTool };
    this.#start = start;
    this.#options = options;
    this.#resolvePlanner = resolvePlanner;
    this.#isShadowed = modeOf(options) === "shadow";
    this.#findTool = findTool;
    this.#readings = readings;
    this.#labelling = { state, options, findTool, parentLabel: start.parentLabel, guesses };
    this.forInside = {
      isPlanned: (toolCallId) => this.#isPlanned(toolCallId),
      bits: { left: () => bitsLeft(readings), spendInside: (spending) => spendInside(spending, readings) },
      userTexts: () => this.#words(),
    };
  }

  labelFor(event: JournalEventInput): LabelAssignment | undefined {
    return labelRecord(event, this.#labelling);
  }

  observe(event: JournalEvent): void {
    observe(this.#state, event, this.#findTool);
  }

  /** Journals the grants that were given with the agent and the run, before the first decision that may use them. */
  journalGrants(): void {
    this.#journalMissing("developer", this.#options.grants ?? []);
    this.#journalMissing("user", this.#start.grants);
  }

  decide(call: FlowCall): FlowDecision | Promise<FlowDecision> {
    const view = this.#viewOf(call);
    const ruling = decideCall(view, this.#findTool);
    const newest = this.#unplanned(view, ruling);
    if (newest === undefined) return this.#decision(call, view, ruling);
    return this.#plan(newest, call.tool).then(() => {
      const again = this.#viewOf(call);
      return this.#decision(call, again, decideCall(again, this.#findTool));
    });
  }

  questionFor(call: FlowCall): ReturnType<FlowRun["questionFor"]> {
    // A question shows the content that a call sends, also for a pure tool: guesses find it.
    const view = this.#viewOf(call, rolesIn(this.#start.tools(), call.tool, this.#options));
    const ruling = decideCall(view, this.#findTool);
    return questions(({ questionAbout }) =>
      questionAbout(view, ruling, this.#findTool, {
        decide: decideCall,
        outerTexts: this.#start.parentFlow?.userTexts() ?? [],
      }),
    );
  }

  coversRemembered(call: FlowCall, remembered: { readonly args: unknown; readonly approved: boolean }): boolean {
    const { args } = remembered;
    const before = this.#viewOf({ ...call, args, input: args, given: args });
    const now = this.#viewOf(call);
    const fixed = (view: CallView): unknown => decidingLeaves(view).map(({ location, value }) => [location, value]);
    if (!sameJson(fixed(before), fixed(now))) return false;
    if (!remembered.approved) return true;
    const approved = this.#state.approved.findLast(
      (one) => one.toolName === call.tool.name && sameJson(one.args, remembered.args),
    );
    return (
      before.sinkReaders === now.sinkReaders &&
      approved !== undefined &&
      this.#state.graph.sets.covers(now.level.readers, approved.readers)
    );
  }

  stopsAfterDenials(): boolean {
    return this.#state.denials.mustStop();
  }

  /** The outcome as the model sees it; its label is the label of the shown part [quarantine.references]. */
  quarantine(call: FlowCall, output: unknown): unknown {
    if (quarantineOf(this.#options) === undefined && call.tool.sensitivity !== "secret") return output;
    if (isExtract(call.tool)) return output;
    const id = callId(call.turn, call.index);
    const known = callAt(this.#state, call.turn, call.index);
    // An unknown call has no label, so the graph returns the most restrictive level.
    const label = String(known?.label);
    const level = this.#state.graph.levelOf(label);
    const shown = referencesFor(call.tool, `${this.#state.mark}${id}`, output, {
      level,
      // Values that the run's bits cover are shown.
      paid: this.#state.graph.labelOf(label)?.bits !== undefined,
      distrusted: known?.distrusted === true,
    });
    if (shown === output || known === undefined) return shown;
    // The value of a reference as parsed by its schema; a process that continues a run parses it again from the sealed
    // record.
    known.output = output;
    const context = this.#state.emitted.get(call.turn)?.level ?? this.#state.context.level;
    // Secret results are never shown; other results show their trusted leaves.
    const secret = call.tool.sensitivity === "secret";
    const readers = secret ? everyone : level.readers;
    known.shown = joinLevels(context, { integrity: "verified", control: "verified", readers }, this.#state.graph.sets);
    return shown;
  }

  /**
   * The text of a failure is hidden like a result if it may contain more than the model has read
   * [quarantine.references].
   */
  withholds(call: FlowCall): boolean {
    const known = callAt(this.#state, call.turn, call.index);
    // Error texts of `extract` are the framework's own.
    if (quarantineOf(this.#options) === undefined || known?.label === undefined || isExtract(call.tool)) return false;
    const emitted = this.#state.emitted.get(call.turn)?.level ?? this.#state.context.level;
    const level = this.#state.graph.levelOf(known.label);
    const isWorse = (part: "integrity" | "control"): boolean => isTrusted(emitted[part]) && !isTrusted(level[part]);
    if (!isWorse("integrity") && !isWorse("control")) return false;
    const shown = { integrity: "verified", control: "verified", readers: level.readers } as const;
    known.shown = joinLevels(emitted, shown, this.#state.graph.sets);
    return true;
  }

  resolveReferences(args: unknown): unknown {
    return expandReferences(args, (call) => callBehind(call, this.#state)?.output).args;
  }

  /** [flow.guess.fetch] The `fetch` of the tool of a call. */
  fetchFor({ turn, tool }: Pick<FlowCall, "turn" | "tool">, send: typeof fetch): typeof fetch {
    if (this.#isShadowed || !this.#state.roles(tool).guessedReader) return send;
    const { control } = this.#state.emitted.get(turn)?.level ?? this.#state.context.level;
    return isTrusted(control) ? send : readingFetch(tool.name, send);
  }

  answerFilter(): TextFilter {
    if (this.#isShadowed) return passThrough();
    return createAnswerFilter(this.#options, {
      userTexts: this.#state.userWords.flatMap(({ texts }) => texts),
      resultTexts: () => this.#state.resultTexts,
    });
  }

  controlLabel(toolCallId?: string, read?: readonly NotedRead[]): Label {
    return controlLabel(this.#state, toolCallId, read);
  }

  storedLabel(
    place: "state" | "memory",
    toolCallId: string | undefined,
    read?: ToolReturn["label"],
    change?: StateChange,
  ): Label {
    return storedLabel(this.#labelling, place, toolCallId, read, change);
  }

  async extract(request: ExtractRequest): Promise<unknown> {
    return reader(({ readValue }) => readValue(request, this.#readings));
  }

  endorse(request: EndorseRequest): Promise<unknown> {
    return endorseValue(request, { state: this.#state, start: this.#start });
  }

  loweredBy({ turn, index }: Pick<FlowCall, "turn" | "index">): ReturnType<FlowRun["loweredBy"]> {
    return approvedLabel(this.#state, turn, index);
  }

  #viewOf(call: FlowCall, roles?: ToolRoles): CallView {
    return viewCall(call, this.#state, this.#options, this.#findTool, roles, this.#isStartAsked());
  }

  /** [flow.workflow.start] The start of this run was asked for: by the application, or by the call that it is inside of. */
  #isStartAsked(): boolean {
    const { parentFlow } = this.#start;
    return parentFlow === undefined ? this.#state.isAskedByApplication : parentFlow.isPlanned(parentFlow.toolCallId);
  }

  #isPlanned(toolCallId: string): boolean {
    const call = this.#state.callsById.get(toolCallId);
    const emitted = this.#state.emitted.get(Number(/^t(\d+)\//u.exec(call?.id ?? "")?.[1]));
    if (call === undefined || emitted === undefined) return false;
    if (isTrusted(emitted.level.control) || call.grant !== undefined) return true;
    const isApproved = this.#state.approved.some(({ callId: id }) => id === call.id);
    return isApproved || (emitted.choice?.by === "code" && this.#isStartAsked());
  }

  #journalMissing(source: "developer" | "user", grants: readonly Grant[]): void {
    const held = this.#state.grants.filter((one) => one.source === source).map((one) => canonicalJson(one.grant));
    const missing = grants.filter((grant) => {
      const at = held.indexOf(canonicalJson(grant));
      if (at >= 0) held.splice(at, 1);
      return at < 0;
    });
    if (missing.length > 0) this.#start.record({ type: "flow.grants", source, grants: missing });
  }

  /** The user message to ask the planner about, before a person gets a question. */
  #unplanned(view: CallView, ruling: Ruling): UserWords | undefined {
    if (ruling.verdict !== "ask" || this.#options.planner === false || this.#isShadow(view)) return undefined;
    if (this.#words().length === 0) return undefined;
    return plannedFor(this.#state, view.tool.name) === undefined ? this.#state.userWords.at(-1) : undefined;
  }

  async #plan(newest: UserWords, tool: ResolvedTool): Promise<void> {
    const model = this.#resolvePlanner(this.#options);
    const { plannerTtlMs: ttlMs } = this.#options;
    const state = this.#state;
    const planned = await planner(({ planTool }) =>
      planTool({
        state,
        start: this.#start,
        model,
        findTool: this.#findTool,
        tool,
        words: this.#words(),
        continues: newest.continues,
        ttlMs,
      }),
    );
    if (state.planned.has(plannedKey(newest.id, tool.name))) return;
    this.#start.record({ type: "flow.grants", source: "planner", messageId: newest.id, ...planned });
    for (const { problem } of planned.dropped ?? []) this.#start.warn(droppedWarning(tool.name, problem));
  }

  /** [flow.r9.words] The user's messages: those of the outermost run, since a model may have written an inner run's prompt. */
  #words(): readonly string[] {
    return (
      this.#start.parentFlow?.userTexts() ??
      this.#state.userWords.flatMap(({ texts }) => (texts.length === 0 ? [] : [texts.join("\n")]))
    );
  }

  #isShadow(view: CallView): boolean {
    return this.#isShadowed || view.sink === "assumed";
  }

  #decision(call: FlowCall, view: CallView, ruling: Ruling): FlowDecision | Promise<FlowDecision> {
    const { verdict, rule } = ruling;
    // Fast path: most calls are reads with the same decision.
    if (rule === "R1") return plainRead;
    const shadow = this.#isShadow(view) && verdict !== "allow";
    const isCorrected = this.#state.corrected.has(correctionKey(this.#state, call.tool.name));
    if (verdict === "ask" && !shadow && ruling.form !== undefined && !isCorrected)
      return { verdict: "deny", rule, explanation: explainForm(ruling.form), correction: true };
    const input = this.#isShadowed ? undefined : this.#harmless(call, view, ruling.grant?.grant);
    if (ruling.grant !== undefined) this.#useGrant(call, ruling.grant.index);
    const decided = {
      verdict,
      rule,
      ...(shadow && { shadow }),
      ...(isOfContext(ruling) && { ofContext: true }),
      ...(ruling.grant !== undefined && { grant: ruling.grant.index }),
      ...(input !== undefined && { input }),
      ...(verdict === "deny" && { readers: this.#state.graph.sets.readersOf(view.sinkReaders) }),
      ...(verdict === "deny" &&
        !shadow &&
        this.#state.denials.mustStop({ tool: call.tool, args: view.args }) && { stopRun: true }),
    };
    if (verdict === "ask")
      return questions(({ explainAsk }) => ({ ...decided, explanation: explainAsk(view, ruling, this.#findTool) }));
    return { ...decided, explanation: verdict === "deny" ? explainDenial(view, ruling) : explainAllow(view, ruling) };
  }

  /** The given arguments made harmless, or the value if its schema made it of harmless ones. */
  #harmless({ input, args, given }: FlowCall, view: CallView, grant: Grant | undefined): unknown {
    if (given === undefined || this.resolveReferences(given) !== given) return defangPayload(view, input, grant);
    return defangPayload(view, given, grant) ?? (given === args ? undefined : defangPayload(view, args, grant));
  }

  /** Reserved until the decision is journaled, so that the next call of the turn does not use the same count. */
  #useGrant(call: FlowCall, grant: number): void {
    const { turn, index, toolCallId, tool } = call;
    const known = callOf(this.#state, { turn, index, toolCallId, toolName: tool.name });
    known.grant = grant;
  }
}

/** True if only what the model has read before makes the policy ask. */
function isOfContext({ verdict, findings }: Ruling): boolean {
  return verdict === "ask" && findings.every(({ rule }) => rule === "R2");
}

/** [grants.planner.dropped] */
function droppedWarning(subject: string, problem: string): Warning {
  const message = `A mandate of the planner for "${subject}" ${problem} It allows nothing.`;
  return { code: "mandate_dropped", message, subject };
}

const plainRead: FlowDecision = {
  verdict: "allow",
  rule: "R1",
  explanation: "A read without an argument that decides where data goes.",
  plain: true,
};

function passThrough(): ReturnType<FlowRun["answerFilter"]> {
  return { push: (text) => text, end: () => "" };
}

/** Tools by name; runs with the same list share it. */
const namedTools = new WeakMap<readonly ResolvedTool[], ReadonlyMap<string | undefined, ResolvedTool>>();

function byNameIn(tools: readonly ResolvedTool[]): ReadonlyMap<string | undefined, ResolvedTool> {
  let byName = namedTools.get(tools);
  // A cache: the list seldom changes.
  if (byName === undefined) namedTools.set(tools, (byName = new Map(tools.map((tool) => [tool.name, tool]))));
  return byName;
}
