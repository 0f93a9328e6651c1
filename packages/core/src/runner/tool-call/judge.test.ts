import { describe, expect, test } from "vitest";
import { memoryStore } from "../../journal/memory-store.ts";
import { z } from "zod";
import { tool } from "../../tools/tool.ts";
import { boundDefinition } from "./approval-scope.ts";
import { harness, toolTexts } from "./call-harness.test.helper.ts";
import { flow } from "./stub-flow.test.helper.ts";

function send(ran: unknown[]) {
  return tool({
    name: "send",
    description: "Sends.",
    inputSchema: z.object({ body: z.string() }),
    sideEffectClass: "external-stateful",
    execute: (input) => {
      ran.push(input);
      return "sent";
    },
  });
}

const call = { name: "send", args: { body: "hello" } };

test("a denied call does not run; the third denial stops the run", async () => {
  const ran: unknown[] = [];
  const self = await harness({
    tools: [send(ran)],
    calls: [call],
    flow: flow(() => ({ verdict: "deny", rule: "R2", stopRun: true })),
  });
  const outcome = await self.drive();
  expect(outcome).toMatchObject({ stop: "policy_denied", results: [{ error: { kind: "policy_denied", code: "R2" } }] });
  expect(ran).toEqual([]);
  expect((await self.events()).filter((event) => event.type === "flow.decided")).toMatchObject([
    { verdict: "deny", rule: "R2" },
  ]);
});

describe.each([
  ["a denial", { verdict: "deny", rule: "R2", stopRun: true }, "policy_denied"],
  ["a denial that stops nothing", { verdict: "deny", rule: "R2" }, undefined],
] as const)("a process that dies after %s", (_what, decision, stop) => {
  // The decision and the outcome are one append.
  const types = ["tool.outcome", "tool.result"];

  test.each(types)(
    "leaves the stop of the run in the journal, from its %s on [flow.r10.stops.recorded]",
    async (type) => {
      const ran: unknown[] = [];
      const inner = memoryStore();
      const made = { tools: [send(ran)], calls: [call], flow: flow(() => decision) };
      const before = await harness({ ...made, store: inner });
      await before.drive();
      const events = await before.events();
      const written = events.slice(0, events.findIndex((event) => event.type === type) + 1);
      const store = memoryStore();
      const opened = { id: "run-1", agentId: "agent", definitionHash: "", sessionId: "s1", input: "" };
      const { run } = await store.create(opened);
      const lease = await store.acquire("run-1", "dead", 1_000);
      if (lease === null) throw new Error("The lease is held.");
      const head = await store.append(lease, written);
      await store.release({ ...lease, head }, { state: "queued" });
      // The next version of the policy would allow the call.
      const create = (): ReturnType<typeof store.create> => Promise.resolve({ run, created: false });
      const after = await harness({ ...made, flow: flow(() => ({})), store: { ...store, create } });
      expect((await after.drive()).stop).toBe(stop);
      expect(ran).toEqual([]);
    },
  );
});

test("a decision of a policy is read once: a verdict that changes later allows nothing [hooks.answer.once]", async () => {
  const ran: unknown[] = [];
  let reads = 0;
  const decision = {
    rule: "R2",
    explanation: "No.",
    get verdict() {
      reads += 1;
      return reads === 1 ? "deny" : "allow";
    },
  };
  const changing = flow(() => ({}), { decide: () => decision });
  const self = await harness({ tools: [send(ran)], calls: [call], flow: changing });
  expect(await self.drive()).toMatchObject({ results: [{ error: { kind: "policy_denied", code: "R2" } }] });
  expect([ran, reads]).toEqual([[], 1]);
});

test.each([undefined, null, {}, { verdict: "maybe" }, { verdict: true }, "allow"])(
  "a policy that returns no valid verdict (%j) refuses the call",
  async (given) => {
    const ran: unknown[] = [];
    for (const answer of [given, Promise.resolve(given)]) {
      const broken = flow(() => ({}), { decide: () => answer as never });
      const self = await harness({ tools: [send(ran)], calls: [call], flow: broken });
      expect(await self.drive()).toMatchObject({
        results: [{ error: { kind: "policy_denied", code: "FLOW_POLICY_FAILED" } }],
      });
    }
    expect(ran).toEqual([]);
  },
);

test("a policy that throws refuses the call", async () => {
  const ran: unknown[] = [];
  const broken = flow(() => {
    throw new Error("bug");
  });
  const self = await harness({ tools: [send(ran)], calls: [call], flow: broken });
  expect((await self.drive()).results[0]?.error?.kind).toBe("policy_denied");
  expect(ran).toEqual([]);
});

test("a shadow decision is recorded, and the call runs", async () => {
  const ran: unknown[] = [];
  const self = await harness({
    tools: [send(ran)],
    calls: [call],
    flow: flow(() => ({ verdict: "deny", shadow: true })),
  });
  await self.drive();
  expect(ran).toHaveLength(1);
  expect((await self.events()).filter((event) => event.type === "flow.decided")).toMatchObject([{ shadow: true }]);
});

test("a rule's question reaches a person with rule and explanation, and the approved call runs, also after a restart", async () => {
  const ran: unknown[] = [];
  const asks = flow(() => ({
    verdict: "ask",
    rule: "R3",
    explanation: "The recipient came from a mail.",
    input: { body: "defanged" },
  }));
  const self = await harness({ tools: [send(ran)], calls: [call], flow: asks });
  const [question] = (await self.drive()).interruptions;
  expect(question).toMatchObject({ question: { title: "Send?", remember: ["values"] } });
  await self.restart();
  self.decide(question!.approve());
  await self.drive();
  expect(ran).toEqual([{ body: "defanged" }]);
});

test("arguments that a person edited are gated again, and a denial of them is final", async () => {
  const ran: unknown[] = [];
  const rules = flow(({ args }) =>
    (args as { body: string }).body === "evil" ? { verdict: "deny", rule: "R4" } : { verdict: "ask", rule: "R3" },
  );
  const self = await harness({ tools: [send(ran)], calls: [call, call], flow: rules });
  const { interruptions } = await self.drive();
  self.decide(
    interruptions[0]!.approve({ args: { body: "evil" } }),
    interruptions[1]!.approve({ args: { body: "fine" } }),
  );
  const outcome = await self.drive();
  expect(outcome.results.map((each) => each.error?.code)).toEqual(["R4", undefined]);
  expect(ran).toEqual([{ body: "fine" }]);
});

test("a decision that only names its rule is in the record of the call; a decision about edited arguments is a separate record", async () => {
  const asked = { name: "send", args: { body: "ask" } };
  const rules = flow(({ args }) =>
    (args as { body: string }).body === "ask" ? { verdict: "ask", rule: "R3" } : { plain: true },
  );
  const self = await harness({ tools: [send([])], calls: [call, asked], flow: rules });
  const [question] = (await self.drive()).interruptions;
  const decided = async () =>
    (await self.events()).flatMap((event) => {
      if (event.type === "tool.call") return [[event.index, event.allowedBy]];
      return event.type === "flow.decided" ? [[event.index, event.verdict, event.rule]] : [];
    });
  expect(await decided()).toEqual([
    [0, "R1"],
    [1, undefined],
    [1, "ask", "R3"],
  ]);
  await self.restart();
  self.decide(question!.approve({ args: { body: "mend" } }));
  await self.drive();
  expect((await decided()).slice(3)).toEqual([[1, "allow", "R1"]]);
});

test("at most five questions of flow rules reach a person in a turn", async () => {
  const self = await harness({
    tools: [send([])],
    calls: Array.from({ length: 7 }, () => call),
    flow: flow(() => ({ verdict: "ask" })),
  });
  const outcome = await self.drive();
  expect(outcome.interruptions).toHaveLength(5);
  expect(outcome.results.map((each) => each.error?.code)).toEqual(["TOO_MANY_QUESTIONS", "TOO_MANY_QUESTIONS"]);
});

test("a remembered approval of the tool does not answer a flow rule unless the rule allows it", async () => {
  const ran: unknown[] = [];
  const asks = (covers: boolean) => flow(() => ({ verdict: "ask" }), { coversRemembered: () => covers });
  for (const [covers, runId] of [
    [false, "run-1"],
    [true, "run-2"],
  ] as const) {
    const self = await harness({ tools: [send(ran)], calls: [call], flow: asks(covers), runId });
    const definitionHash = boundDefinition(self.run, self.run.catalogue.get("send")!);
    self.journal.state.remembered.push({
      toolName: "send",
      definitionHash,
      approved: true,
      at: 1,
      flowArgs: { body: "before" },
    });
    expect((await self.drive()).interruptions).toHaveLength(covers ? 0 : 1);
  }
  expect(ran).toHaveLength(1);
});

test("the grant that allowed a writer is used up by its intent, and quarantined output is a reference", async () => {
  const self = await harness({
    tools: [send([])],
    calls: [call],
    flow: flow(() => ({ grant: 2 }), { quarantine: () => ({ $ref: "q1" }) }),
  });
  await self.drive();
  expect((await self.events()).filter((event) => event.type === "tool.intent")).toMatchObject([{ grant: 2 }]);
  expect(toolTexts(self)).toEqual(['{"$ref":"q1"}']);
});

test("a reference in the arguments is expanded only for the tool: journal and person see the reference", async () => {
  const ran: unknown[] = [];
  const references = flow(() => ({ verdict: "ask" }), {
    resolveReferences: (args) => ({ ...(args as object), body: "the hidden value" }),
  });
  const self = await harness({
    tools: [send(ran)],
    calls: [{ name: "send", args: { body: { $ref: "t1/c0" } } }],
    flow: references,
  });
  const [question] = (await self.drive()).interruptions;
  expect(JSON.stringify(await self.events())).not.toContain("hidden value");
  expect(question?.args).toEqual({ body: { $ref: "t1/c0" } });
  await self.restart();
  self.decide(question!.approve());
  await self.drive();
  expect(ran).toEqual([{ body: "the hidden value" }]);
});

test("a person's denials count too: the policy stops the run at the limit", async () => {
  const stops = flow(() => ({ verdict: "ask" }), { stopsAfterDenials: () => true });
  const self = await harness({
    tools: [send([])],
    calls: [call],
    flow: stops,
    options: { onApprovalRequired: () => false },
  });
  expect((await self.drive()).stop).toBe("policy_denied");
});
