import type { Integrity, InterruptionData, JournalEvent, Label, Question } from "@bailiwick/core";
import { questionView } from "@bailiwick/core/questions";
import { remediesOf } from "./remedies.ts";
import type { FlowDecision, FlowEdge, FlowNode, StudioAuthority } from "./authority-types.ts";

const sourceNames = { user: "The user", model: "The model", tool: "A tool", schema: "The schema of a tool" } as const;

/** Maximum number of calls in a picture; beyond it, calls with questions or refusals have priority. */
const mostSinks = 40;

/** Prefix of readers that are MCP servers. */
const mcpSource = "source:mcp:";

/** Characters of a value that a node shows. */
const mostShown = 80;

interface Picture {
  readonly nodes: Map<string, FlowNode>;
  readonly edges: Map<string, FlowEdge>;
}

/**
 * The flow of data through a run: sources, values and the calls that they reached.
 *
 * @param events - The journal, in order.
 */
export function authorityOf(events: readonly JournalEvent[]): StudioAuthority {
  const labels = new Map<string, Label>();
  const outcomes = new Map<string, JournalEvent & { readonly type: "tool.outcome" }>();
  const questions = new Map<string, InterruptionData>();
  const answers = new Map<string, FlowDecision["answer"]>();
  const decisions: FlowDecision[] = [];
  for (const event of events) {
    for (const label of event.labels ?? []) labels.set(label.id, label);
    if (event.type === "tool.outcome") {
      outcomes.set(event.toolCallId, event);
      // A question names a call by its place.
      outcomes.set(`t${event.turn}/c${event.index}`, event);
    }
    const { interruption }: { readonly interruption?: InterruptionData | undefined } =
      event.type === "tool.approval.requested" ? event : {};
    if (interruption !== undefined) questions.set(interruption.toolCallId, interruption);
    if (event.type === "tool.approval.decided")
      answers.set(event.toolCallId, event.decision?.type === "approve" ? "approved" : "rejected");
  }
  for (const event of events) {
    if (event.type !== "flow.decided") continue;
    const question = questions.get(event.toolCallId)?.question;
    const decision = decisionOf(event, question, () => {
      const call = events.find((one) => one.type === "tool.call" && one.toolCallId === event.toolCallId);
      if (question === undefined || call?.type !== "tool.call") return [];
      return remediesOf(question, call, {
        toolOf: (callId) => outcomes.get(callId)?.toolName,
        privateTools: privateToolsBefore(event.seq, events, labels),
      });
    });
    if (decision !== undefined) decisions.push({ ...decision, answer: answers.get(event.toolCallId) });
  }

  const picture: Picture = { nodes: new Map(), edges: new Map() };
  const weighed = new Set(decisions.map(({ toolCallId }) => toolCallId));
  const effects = new Set(events.flatMap((event) => (event.type === "tool.intent" ? [event.toolCallId] : [])));
  const calls = events
    .filter((event) => event.type === "tool.call")
    .filter(({ toolCallId }) => weighed.has(toolCallId) || questions.has(toolCallId) || effects.has(toolCallId))
    .toSorted((one, other) => Number(weighed.has(other.toolCallId)) - Number(weighed.has(one.toolCallId)))
    .slice(0, mostSinks);
  for (const call of calls) {
    const label = labels.get(call.label);
    const sink = `sink ${call.toolCallId}`;
    const question = questions.get(call.toolCallId)?.question;
    picture.nodes.set(sink, {
      id: sink,
      column: "sink",
      title: call.toolName,
      ...fateOf(decisions.findLast(({ toolCallId }) => toolCallId === call.toolCallId)),
      integrity: label?.integrity ?? "untrusted",
      readers: readersOf(label),
      seq: call.seq,
    });
    if (question === undefined) joinSources(picture, sink, label, labels, outcomes);
    else addValues(picture, sink, call.seq, question, outcomes, labels);
  }
  return { nodes: [...picture.nodes.values()], edges: [...picture.edges.values()], decisions };
}

/** A decision of the flow rules; `undefined` for a sealed record. */
function decisionOf(
  event: Extract<JournalEvent, { readonly type: "flow.decided" }>,
  question: Question | undefined,
  remedies: () => FlowDecision["remedies"],
): FlowDecision | undefined {
  const { seq, toolCallId, toolName, verdict, rule, explanation, shadow }: Partial<typeof event> = event;
  if (seq === undefined || toolCallId === undefined || verdict === undefined) return undefined;
  return {
    seq,
    toolCallId,
    toolName: toolName ?? "",
    verdict,
    rule: rule ?? "",
    ...wordsOf(event, question),
    explanation: explanation ?? "",
    shadow: shadow === true,
    remedies: remedies(),
  };
}

/** A decision in the words of its question; without a question, in those of its verdict. */
function wordsOf(
  { toolName, verdict, rule, grant, explanation }: Partial<Extract<JournalEvent, { readonly type: "flow.decided" }>>,
  question: Question | undefined,
): Pick<FlowDecision, "title" | "reasons"> {
  const shown =
    question === undefined
      ? undefined
      : questionView({ id: "", kind: "approval", agentPath: [], toolName: toolName ?? "", question });
  if (shown !== undefined && verdict === "ask") {
    // Questions of an earlier version have no reason.
    const reason = shown.reason || (ruleWords[rule ?? ""] ?? "The rules of this agent need a person for this call.");
    return { title: shown.title, reasons: [reason, ...shown.calls.flatMap(({ facts }) => facts)] };
  }
  if (verdict === "allow")
    return {
      title: `${toolName ?? "The call"} was allowed`,
      reasons: [
        grant === undefined ? "No value in it came from an untrusted source." : "A grant allows this call in advance.",
      ],
    };
  return { title: `${toolName ?? "The call"} did not run`, reasons: explanation === undefined ? [] : [explanation] };
}

/** Rules of the policy in one sentence each. */
const ruleWords: Readonly<Record<string, string>> = {
  R2: "The model had read untrusted text, which could have told it to make this call.",
  R3: "A value from an untrusted source decides what this call does.",
  R4: "The call would show private data to others.",
  R5: "The call sends data to an address that the user did not name.",
};

type Outcomes = ReadonlyMap<string, JournalEvent & { readonly type: "tool.outcome" }>;

/** Values of a question, each with the source that the policy found for it. */
function addValues(
  picture: Picture,
  sink: string,
  seq: number,
  question: Question,
  outcomes: Outcomes,
  labels: ReadonlyMap<string, Label>,
): void {
  for (const value of question.values) {
    const { origin } = value;
    const outcome = origin.callId === undefined ? undefined : outcomes.get(origin.callId);
    const integrity: Integrity = origin.trusted ? (origin.from === "user" ? "user" : "verified") : "untrusted";
    const source = outcome === undefined ? `source ${origin.from}` : `source ${outcome.toolCallId}`;
    if (!picture.nodes.has(source)) {
      picture.nodes.set(source, {
        id: source,
        column: "source",
        title: outcome?.toolName ?? sourceNames[origin.from],
        note: origin.author ?? (outcome === undefined ? undefined : toolNote(labels.get(outcome.label))),
        integrity: outcome === undefined ? integrity : (labels.get(outcome.label)?.integrity ?? integrity),
        readers: outcome === undefined ? undefined : readersOf(labels.get(outcome.label)),
        seq: outcome?.seq,
      });
    }
    const id = `value ${sink} ${value.path}`;
    picture.nodes.set(id, {
      id,
      column: "value",
      title: `${value.name}: ${cut(value.shown)}`,
      note: origin.text,
      integrity,
      seq: outcome?.seq ?? seq,
      quote: origin.quote,
    });
    link(picture, source, id, integrity, value.decides);
    link(picture, id, sink, integrity, value.decides);
  }
}

/** Sources that a label was joined from, if nothing tells which value came from which. */
function joinSources(
  picture: Picture,
  sink: string,
  label: Label | undefined,
  labels: ReadonlyMap<string, Label>,
  outcomes: Outcomes,
): void {
  const seen = new Set<string>();
  const open = label === undefined ? [] : [label];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next.id)) continue;
    seen.add(next.id);
    for (const id of next.parents) {
      const parent = labels.get(id);
      if (parent !== undefined) open.push(parent);
    }
    const source = sourceOf(next, outcomes);
    if (source === undefined) continue;
    if (!picture.nodes.has(source.id)) picture.nodes.set(source.id, source);
    link(picture, source.id, sink, next.integrity, false);
  }
}

/** Tools that had returned private data to the run before a record. */
function privateToolsBefore(
  seq: number,
  events: readonly JournalEvent[],
  labels: ReadonlyMap<string, Label>,
): readonly string[] {
  const names = events.flatMap((event) =>
    event.type === "tool.outcome" && event.seq < seq && readersOf(labels.get(event.label)) !== undefined
      ? [event.toolName]
      : [],
  );
  return [...new Set(names)];
}

function sourceOf(label: Label, outcomes: Outcomes): FlowNode | undefined {
  const { origin, integrity } = label;
  const node = (id: string, title: string, note?: string, seq?: number): FlowNode => ({
    id: `source ${id}`,
    column: "source",
    title,
    note,
    integrity,
    readers: readersOf(label),
    seq,
  });
  switch (origin.kind) {
    case "user":
      return node("user", "The user");
    case "untrusted_part":
      return node(`part ${origin.messageId} ${origin.index}`, "A part of a message", "not the user's own words");
    case "tool":
      return node(origin.toolCallId, origin.toolName, toolNote(label), outcomes.get(origin.toolCallId)?.seq);
    case "hosted_tool":
      return node(`hosted ${origin.toolName}`, origin.toolName, "a tool of the model's vendor");
    case "memory":
      return node(`memory ${origin.entryId}`, "Memory", origin.entryId);
    case "session":
      return node("session", "Earlier runs of the session");
    case "endorsed":
      return node(`endorsed ${label.id}`, `Endorsed by ${origin.by}`, origin.reason);
    case "parent":
      return node("parent", "The calling run");
    default:
      return undefined;
  }
}

/** The kind of a tool: the readers of its result name the server that it belongs to. */
function toolNote(label: Label | undefined): string {
  const server = readersOf(label)?.find((reader) => reader.startsWith(mcpSource));
  return server === undefined ? "result of a tool" : `result of the MCP server ${server.slice(mcpSource.length)}`;
}

function link(picture: Picture, from: string, to: string, integrity: Integrity, decides: boolean): void {
  const key = `${from}\n${to}`;
  if (!picture.edges.has(key)) picture.edges.set(key, { from, to, integrity, decides });
}

function readersOf(label: Label | undefined): readonly string[] | undefined {
  return label === undefined || label.readers === "public" ? undefined : label.readers;
}

/** Describes the outcome of a call in words. */
function fateOf(decision: FlowDecision | undefined): Pick<FlowNode, "note" | "isStopped"> {
  if (decision === undefined) return {};
  if (decision.verdict === "allow") return { note: "allowed" };
  if (decision.verdict === "deny") return { note: "stopped, it did not run", isStopped: true };
  if (decision.answer === "approved") return { note: "approved by a person" };
  return decision.answer === "rejected"
    ? { note: "rejected by a person, it did not run", isStopped: true }
    : { note: "stopped until a person decides", isStopped: true };
}

function cut(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown).toWellFormed()}…` : text;
}
