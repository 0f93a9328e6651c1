import type { JournalEvent, Message } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";

import { emptyFlowState } from "./flow-state.ts";
import type { FlowState } from "./flow-state.ts";
import { observe } from "./fold-record.ts";
import { folded, said } from "./folded-run.test.helper.ts";
import type { Folded, FoldedRun } from "./folded-run.test.helper.ts";
import { resolved } from "./resolved.test.helper.ts";

const text = { type: "string" } as const;
const inputSchema = { type: "object", properties: { to: text, body: text, url: text } } as const;
const reads = { sideEffectClass: "read-only", inputSchema } as const;
const writes = { sideEffectClass: "external-stateful", idempotencyKey: "call", inputSchema } as const;
const flow = { authority: ["to"], payload: ["body"] } as const;
const tools = [
  resolved({ ...reads, name: "mail", output: { integrity: "untrusted", readers: "public" } }),
  resolved({ ...reads, name: "own", output: { integrity: "verified" } }),
  resolved({
    ...reads,
    name: "byte",
    outputSchema: z.int().min(0).max(255),
    output: { integrity: "untrusted", readers: "public" },
  }),
  resolved({ ...writes, name: "send", flow }),
  resolved({ ...writes, name: "note", sideEffectClass: "side-effecting" }),
];
const send = { to: "bob" } as const;
const grant = { tool: "send", args: { to: { eq: "bob" } } } as const;
const start = (more: Partial<Folded> = {}): FoldedRun => folded({ tools, userId: "ann", ...more });
const under = (grants: readonly object[]): Partial<Folded> => ({
  options: { mode: "enforce", planner: false, grants: grants as [] },
});
const ruled = async (run: FoldedRun, tool: string, args: object = {}): Promise<string> => {
  const { verdict, rule } = await run.decide(tool, args);
  return `${verdict} ${rule}`;
};
const inserted = (run: FoldedRun, message: object, by = "steer"): string =>
  run.record({ type: "message.inserted", by, message });
const url = "https://a.example/x";

test("inserted text counts as read; a steering message is the user's, and a hook's is not [flow.r2.all-messages]", async () => {
  const run = start();
  expect(await ruled(run, "mail", { url })).toBe("ask R5");
  inserted(run, said(`See ${url}`, "h"), "hook");
  inserted(run, { role: "assistant", content: [] });
  expect(await ruled(run, "mail", { url })).toBe("ask R5");
  inserted(run, said([{ type: "text", text: `See ${url}`, untrusted: true }], "m"));
  expect(await ruled(run, "mail", { url })).toBe("ask R5");
  expect(await ruled(run, "note")).toBe("ask R2");
  inserted(run, said([{ type: "text", text: `See ${url}` }], "n"), "follow_up");
  expect(await ruled(run, "mail", { url })).toBe("allow R5");
  const seen = start({ input: [said([{ type: "image" } as never, { type: "text", text: `See ${url}` }])] });
  expect(await ruled(seen, "mail", { url })).toBe("allow R5");
  for (const by of ["steer", "input"]) {
    const other = start();
    inserted(other, said(`See ${url}`), by);
    expect(await ruled(other, "mail", { url }), by).toBe("allow R5");
  }
});

test("summaries and memories count as read; the owner of memories is known without a call [flow.r2.all-messages] [flow.r9.summary]", async () => {
  const told = async (type: string, label: object): Promise<string> => {
    const run = start(under([{ ...grant, from: [{ tool: "own" }] }]));
    run.read("own", "x");
    // A record as a journal has it, with a separate label.
    run.run.observe({
      type,
      label: "l90",
      labels: [
        { id: "l90", integrity: "verified", readers: "public", parents: [], origin: { kind: "join" }, ...label },
      ],
      turn: 1,
    } as never);
    return ruled(run, "send", send);
  };
  expect(await told("compaction", {})).toBe("allow R4");
  expect(await told("compaction", { integrity: "untrusted" })).toBe("allow R2");
  expect(await told("memory.recalled", {})).toBe("allow R4");
  expect(await told("memory.recalled", { integrity: "untrusted" })).toBe("allow R2");
  // A grant cannot name a memory.
  expect(await told("memory.recalled", { readers: ["user:ann"] })).toBe("ask R4");
  expect(await told("something.else", { integrity: "untrusted" })).toBe("allow R4");
});

test("a call that the vendor ran counts as read before the calls that follow it, and can be distinguished [hosted.side-effect-class]", async () => {
  const run = start();
  run.answer({ type: "hosted_tool", toolCallId: "h", toolName: "search" } as never);
  const { verdict, explanation } = await run.decide("note");
  expect(verdict).toBe("ask");
  expect(explanation).toContain(`"search"`);
});

test("a grant's count is reserved from the decision on, and released if nothing ran [grants.count]", async () => {
  const run = start(under([grant]));
  run.read("mail", "x");
  const decided = async (): Promise<string> => ruled(run, "send", send);
  expect(await decided()).toBe("allow R2");
  // The first one keeps it, whether or not it is in the journal yet.
  expect(await decided()).toBe("ask R2");
  const call = { turn: 2, index: 0, toolCallId: "call-2", toolName: "send" };
  const record = (more: object): void =>
    void run.record({ type: "flow.decided", ...call, verdict: "allow", grant: 0, ...more });
  record({});
  expect(await decided()).toBe("ask R2");
  record({ verdict: "ask" });
  expect(await decided()).toBe("allow R2");
  record({});
  const last = { turn: 5, index: 0, toolCallId: "call-5", toolName: "send" };
  run.record({ type: "flow.decided", ...last, verdict: "ask", grant: 0 });
  expect(await decided()).toBe("ask R2");
  const failure = { kind: "aborted", message: "x", recoverable: true, effectHappened: false };
  run.record({ type: "tool.outcome", ...call, attempt: 1, failure });
  expect(await decided()).toBe("allow R2");
});

test("a call that ran keeps its count [grants.count]", async () => {
  const run = start(under([grant]));
  run.read("mail", "x");
  expect(await ruled(run, "send", send)).toBe("allow R2");
  const call = { turn: 2, index: 0, toolCallId: "call-2", toolName: "send" };
  run.record({ type: "flow.decided", ...call, verdict: "allow", grant: 0 });
  run.record({ type: "tool.outcome", ...call, attempt: 1, output: "ok" });
  expect(await ruled(run, "send", send)).toBe("ask R2");
});

test("a call that started to run keeps its count, even if it failed [grants.count]", async () => {
  const failure = { kind: "execution_failed", message: "x", recoverable: true, effectHappened: false };
  for (const began of [true, false]) {
    const run = start(under([grant]));
    run.read("mail", "x");
    expect(await ruled(run, "send", send)).toBe("allow R2");
    const call = { turn: 2, index: 0, toolCallId: "call-2", toolName: "send" };
    run.record({ type: "flow.decided", ...call, verdict: "allow", grant: 0 });
    if (began) run.record({ type: "tool.intent", ...call });
    run.record({ type: "tool.outcome", ...call, attempt: 1, failure });
    expect(await ruled(run, "send", send)).toBe(began ? "ask R2" : "allow R2");
  }
});

test("denials of the policy and of people count, shadow denials do not, and the user's next message resets the count [flow.r10.stops]", () => {
  const run = start();
  const turn = run.answer();
  const deny = (index: number, more: object = {}): void => {
    const call = { turn, index, toolCallId: `c${index}`, toolName: "send" };
    run.record({ type: "tool.call", ...call, args: { to: `eve${index}` } });
    run.record({ type: "flow.decided", ...call, verdict: "deny", ...more });
  };
  for (let index = 0; index < 6; index += 1) deny(index, { shadow: true });
  for (let index = 0; index < 6; index += 1) deny(index, { verdict: "ask" });
  expect(run.run.stopsAfterDenials()).toBe(false);
  for (let index = 10; index < 14; index += 1) deny(index);
  expect(run.run.stopsAfterDenials()).toBe(false);
  inserted(run, said("x"), "loop");
  deny(14);
  expect(run.run.stopsAfterDenials()).toBe(true);
  inserted(run, said("x"));
  expect(run.run.stopsAfterDenials()).toBe(false);
  const call = { turn, index: 20, toolCallId: "c20", toolName: "send" };
  for (let round = 0; round < 3; round += 1)
    run.record({ type: "tool.approval.decided", ...call, decision: { type: "reject" } });
  expect(run.run.stopsAfterDenials()).toBe(true);
  const fresh = start();
  for (let round = 0; round < 3; round += 1)
    fresh.record({ type: "tool.approval.decided", ...call, turn: fresh.answer(), decision: { type: "approve" } });
  expect(fresh.run.stopsAfterDenials()).toBe(false);
});

test("an approval is remembered for the readers and the arguments that it was given for [flow.r10]", () => {
  const tool = tools.find(({ name }) => name === "send") ?? tools[0];
  if (tool === undefined) throw new Error("There is no tool.");
  const covered = (decision: object, after: readonly string[] = [], args: object = send): boolean => {
    const run = start();
    const turn = run.answer();
    const call = { turn, index: 0, toolCallId: "c", toolName: "send" };
    run.record({ type: "tool.call", ...call, args: send });
    run.record({ type: "tool.approval.decided", ...call, decision });
    for (const name of after) run.read(name, "x");
    const next = { turn: run.answer(), index: 0, toolCallId: "d", tool, input: args, args };
    return run.run.coversRemembered(next, { args: send, approved: true });
  };
  expect(covered({ type: "approve" })).toBe(true);
  expect(covered({ type: "approve" }, ["mail"])).toBe(true);
  expect(covered({ type: "approve" }, [], { to: "bob", body: "x" })).toBe(true);
  expect(covered({ type: "approve" }, [], { to: "eve" })).toBe(false);
  expect(covered({ type: "approve" }, ["own"])).toBe(false);
  expect(covered({ type: "reject" })).toBe(false);
  const early = start();
  const decision = { type: "approve", args: send };
  early.record({ type: "tool.approval.decided", turn: 99, index: 0, toolCallId: "c", toolName: "send", decision });
  const next = { turn: early.answer(), index: 0, toolCallId: "d", tool, input: send, args: send };
  expect(early.run.coversRemembered(next, { args: send, approved: true })).toBe(true);
  // The changed arguments were approved.
  expect(covered({ type: "approve", args: { to: "zoe" } })).toBe(false);
});

test("bits are counted over the run, and a failure costs none [flow.r2.low-capacity-leaves]", () => {
  const run = start();
  const control = (): string => run.graph.levelOf(run.read("byte", 7)).control;
  for (let count = 0; count < 7; count += 1) expect(control()).toBe("verified");
  const failure = { kind: "timeout", message: "x", recoverable: true, effectHappened: false };
  run.read("byte", undefined, { outcome: { failure } });
  expect(control()).toBe("verified");
  expect(control()).toBe("untrusted");
});

test("earlier runs are recognised by their text, their results and the arguments of their calls [flow.r2.all-messages]", async () => {
  const result = (toolName: string, id: string): Message =>
    ({ id: `t-${id}`, role: "tool", toolCallId: id, toolName, content: `Found ${url} there` }) as const;
  const asked = (id: string, name: string, more: object): Message =>
    ({
      id: `a-${id}`,
      role: "assistant",
      content: [],
      toolCalls: [{ id, name, arguments: '{"to":"ann"}', ...more }],
      provenance: { provider: "scripted" },
    }) as unknown as Message;
  const history = [said(`See ${url}`, "h"), asked("c1", "own", {}), result("own", "c1")];
  expect(await ruled(start({ history }), "mail", { url })).toBe("allow R5");
  expect(start({ history }).run.answerFilter().push(`[a](${url}) `)).toBe(`[a](${url}) `);
  const only = start({ history: [asked("c1", "own", {}), result("own", "c1")] });
  expect(only.run.answerFilter().push(`[a](${url}) `)).toBe(`[a](${url}) `);
  const composed = { ...grant, args: { ...grant.args, body: { composed: true } } };
  const named = (args: object): Partial<Folded> => under([{ ...composed, from: [{ tool: "own", args }] }]);
  const send = { to: "bob", body: "hi" };
  expect(await ruled(start({ history, ...named({ to: "ann" }) }), "send", send)).toBe("allow R4");
  expect(await ruled(start({ history, ...named({ to: "eve" }) }), "send", send)).toBe("ask R4");
  const read = [asked("c1", "own", { input: { to: "zoe" } }), result("own", "c1")];
  expect(await ruled(start({ history: read, ...named({ to: "zoe" }) }), "send", send)).toBe("allow R4");
  const broken = [asked("c1", "own", { arguments: "{" }), result("own", "c1")];
  expect(await ruled(start({ history: broken, ...named({ to: "ann" }) }), "send", send)).toBe("ask R4");
  expect(await ruled(start({ history: broken, ...named({}) }), "send", send)).toBe("allow R4");
  const none = [asked("c1", "own", { arguments: "" }), result("own", "c1")];
  expect(await ruled(start({ history: none, ...named({}) }), "send", send)).toBe("allow R4");
});

test("URLs of one result may be linked to, in texts and in parts [flow.r8.links]", () => {
  const run = start();
  const turn = run.answer();
  const call = { turn, index: 0, toolCallId: "c", toolName: "mail" };
  run.record({ type: "tool.outcome", ...call, attempt: 1, output: "x" });
  const content = [{ type: "text", text: "See" }, { type: "image" }, { type: "text", text: `${url} now` }];
  run.record({ type: "tool.result", ...call, message: { ...call, content }, result: {} });
  expect(run.run.answerFilter().push(`[a](${url}) [b](${url}y) `)).toBe(`[a](${url}) b `);
  const shadow = start({ options: { mode: "shadow", planner: false } });
  const filter = shadow.run.answerFilter();
  expect(filter.push("[b](https://evil.example)") + filter.end()).toBe("[b](https://evil.example)");
});

test("grants are journaled once, each with its author [grants.planner.newest-message]", async () => {
  const run = start({ ...under([grant]), grants: [{ ...grant, count: 2 }] });
  const held = (): unknown => run.journal.flatMap((event) => (event.type === "flow.grants" ? [event.source] : []));
  expect(held()).toEqual(["developer", "user"]);
  run.run.journalGrants();
  expect(held()).toEqual(["developer", "user"]);
  run.read("mail", "x");
  const uses = [];
  for (let count = 0; count < 4; count += 1) uses.push(await ruled(run, "send", send));
  expect(uses).toEqual(["allow R2", "allow R2", "allow R2", "ask R2"]);
  const planned = start();
  planned.read("mail", "x");
  planned.record({ type: "flow.grants", source: "planner", messageId: "other", grants: [grant] });
  expect(await ruled(planned, "send", send)).toBe("ask R2");
  planned.record({ type: "flow.grants", source: "planner", messageId: "u", grants: [grant] });
  expect(await ruled(planned, "send", send)).toBe("allow R2");
});

test("a process that continues journals the missing grants, each once per grant [grants.count]", () => {
  const held = (before: readonly object[], given: readonly object[]): unknown =>
    start({ ...under(given), before: [{ type: "flow.grants", source: "developer", grants: before }] }).journal.flatMap(
      (event) => (event.type === "flow.grants" ? [event.grants.length] : []),
    );
  const other = { ...grant, count: 2 };
  expect(held([grant], [grant])).toEqual([1]);
  expect(held([grant], [grant, grant])).toEqual([1, 1]);
  expect(held([grant, grant], [grant])).toEqual([2]);
  expect(held([grant], [other, grant])).toEqual([1, 1]);
  expect(held([other], [grant, other, grant])).toEqual([1, 2]);
});

test("the planner is not called if the policy is off, the planner is off, or there is no user message [grants.planner]", async () => {
  const asked = async (options: Folded["options"], more: Partial<Folded> = {}, tool = "note"): Promise<boolean> => {
    const run = start({ options, ...more });
    run.read("mail", "x");
    await run.decide(tool).catch(() => undefined);
    return run.journal.some((event) => event.type === "flow.grants");
  };
  expect(await asked({ mode: "shadow" })).toBe(false);
  expect(await asked({ mode: "enforce", planner: false })).toBe(false);
  expect(await asked({ mode: "enforce" }, { input: [] })).toBe(false);
  const run = start({ options: { mode: "enforce" }, input: [] });
  run.read("mail", "x");
  expect((await run.decide("note")).verdict).toBe("ask");
  expect((await start({ options: { mode: "enforce" } }).decide("note")).verdict).toBe("allow");
});

test("an answer marked as part of the conversation counts like one without the mark [flow.r2.all-messages]", async () => {
  const counted = async (more: object): Promise<string> => {
    const run = start();
    run.read("mail", "pay eve");
    const message = { id: "m9", role: "assistant", content: [], toolCalls: [], finishReason: "tool_calls" };
    run.record({ type: "model.result", turn: 9, attempt: 1, message, ...more });
    run.record({ type: "tool.call", turn: 9, index: 0, toolCallId: "c9", toolName: "send", args: send });
    const decision = await run.run.decide({
      turn: 9,
      index: 0,
      toolCallId: "c9",
      tool: tools[3] as (typeof tools)[number],
      input: send,
      args: send,
    });
    return `${decision.verdict} ${run.run.controlLabel().integrity}`;
  };
  expect(await counted({ purpose: "turn" })).toBe(await counted({}));
});

test("in quarantine, an inner run that does not report what it read is untrusted [flow.r9]", () => {
  const shown = (outcome: object): unknown => {
    const run = start({ options: { mode: "enforce", planner: false, quarantine: true } });
    const call = { turn: run.answer(), index: 0, toolCallId: "c", toolName: "own" };
    run.record({ type: "tool.call", ...call, args: {} });
    run.record({ type: "tool.outcome", ...call, attempt: 1, output: "fine", durationMs: 0, ...outcome });
    return run.run.quarantine({ ...call, tool: tools[1] as (typeof tools)[number], input: {}, args: {} }, "fine");
  };
  expect(shown({})).toBe("fine");
  expect(shown({ childRun: { runId: "inner" } })).toMatchObject({ type: "string" });
});

/** A state that has read some records, without a run. */
function told(...events: readonly object[]): FlowState {
  const state = emptyFlowState();
  const findTool = (name: string | undefined): (typeof tools)[number] | undefined =>
    tools.find((tool) => tool.name === name);
  for (const event of events) observe(state, event as JournalEvent, findTool);
  return state;
}

test("only answers of the conversation contain calls [flow.r2.all-messages]", () => {
  const message = { id: "m", role: "assistant", content: [], toolCalls: [], finishReason: "stop" };
  const result = { type: "model.result", turn: 3, attempt: 1, label: "user", message };
  expect([...told(result, { ...result, turn: 4, purpose: "turn" }).emitted.keys()]).toEqual([3, 4]);
  expect([...told({ ...result, purpose: "summary" }).emitted.keys()]).toEqual([]);
});

test("a read without an intent ran if it has a result [grants.count]", () => {
  const outcome = { type: "tool.outcome", turn: 1, index: 0, toolCallId: "c", toolName: "own", label: "verified" };
  expect(told({ ...outcome, output: "x" }).calls.get("t1/c0")).toMatchObject({ ran: true });
  const failure = { kind: "execution_failed", message: "no" };
  expect(told({ ...outcome, failure }).calls.get("t1/c0")?.ran).not.toBe(true);
});

test("a link may be in any text of a result; a value that is not text has none [flow.r8]", () => {
  const content = [
    { type: "text", text: "one" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "text", text: "two" },
  ];
  const message = { id: "t", role: "tool", toolCallId: "c", toolName: "own", content };
  const result = { type: "tool.result", turn: 1, index: 0, toolCallId: "c", toolName: "own", label: "verified" };
  expect(told({ ...result, message, result: {} }).resultTexts).toEqual(["one\ntwo"]);
});
