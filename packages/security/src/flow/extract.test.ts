import { agentTool, createAgentRuntime, memoryStore } from "@bailiwick/core";
import type { FlowOptions, JournalEvent, ModelProvider, Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import type { ScriptRequest } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

import { security } from "../security.ts";
import { quiet } from "./attacks/play-attack.test.helper.ts";
import { calls, made, readMail, rulesOf, run, send } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

const body = "$ref:t1/c0";

/** A model that reads values, and the requests that it got. */
function reader(answer: (asked: { question: string; schema: unknown; value: string }) => unknown): {
  readonly model: ModelProvider & { readonly requests: readonly unknown[] };
  readonly asked: { question: string; schema: unknown; value: string }[];
} {
  const asked: { question: string; schema: unknown; value: string }[] = [];
  const model = scriptedModel((request: ScriptRequest) => {
    const prompt = JSON.parse(request.messages.at(-1)?.text ?? "") as (typeof asked)[number];
    asked.push(prompt);
    const answered = answer(prompt);
    return typeof answered === "string" ? answered : JSON.stringify(answered);
  });
  return { model, asked };
}

const quarantined = (model: ModelProvider, more: Partial<FlowOptions> = {}, bits?: number): FlowOptions => ({
  mode: "enforce",
  quarantine: { model, ...(bits !== undefined && { bits }) },
  ...more,
});

const boolean = { type: "boolean" };
const extract = (schema: object, ref = body): [string, object] => ["extract", { ref, schema, question: "Is it?" }];

/** Answers of `extract` that the model read. */
function told({ output }: Awaited<ReturnType<typeof run>>): readonly string[] {
  return output.messages.flatMap((message) =>
    message.role === "tool" && message.toolName === "extract" ? [message.content as string] : [],
  );
}

const spent = (journal: readonly JournalEvent[]): number =>
  journal.reduce((sum, event) => sum + (event.type === "flow.extract" ? event.bits : 0), 0);

test("a value is read by a model without tools, and the answer fits its schema [quarantine.extract]", async () => {
  const ran: Ran = [];
  const { model, asked } = reader(() => ({ answer: "invoice" }));
  const result = await run({
    tools: [readMail(ran, { result: "Please pay 900." }), send(ran)],
    script: [
      calls(["read_mail"]),
      calls(extract({ enum: ["invoice", "other"] })),
      calls(["send", { to: "bob" }]),
      "Done.",
    ],
    flow: quarantined(model, { grants: [{ tool: "send", args: { to: { eq: "bob" } } }] }),
  });
  expect(told(result)).toEqual([JSON.stringify({ answer: "invoice", bitsLeft: 62.4 })]);
  expect(asked).toEqual([{ question: "Is it?", schema: { enum: ["invoice", "other"] }, value: "Please pay 900." }]);
  expect(model.requests).toMatchObject([{ messages: [{ role: "system" }, { role: "user" }] }]);
  expect((model.requests[0] as { tools?: unknown }).tools).toBeUndefined();
  expect(JSON.stringify(result.output.messages)).not.toContain("Please pay");
  expect(ran.at(-1)).toEqual({ name: "send", input: { to: "bob" } });
});

test("an answer does not raise the control label, and gives no authority [quarantine.extract] [flow.r2.leaves-not-authority]", async () => {
  const ran: Ran = [];
  const { model } = reader(() => ({ answer: 7 }));
  const script = (args: object): Parameters<typeof run>[0]["script"] => [
    calls(["read_mail"]),
    calls(extract({ type: "integer", minimum: 0, maximum: 9 })),
    calls(["send", args]),
    "Done.",
  ];
  const note = made(ran, {
    name: "send",
    inputSchema: z.object({ body: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    flow: { authority: [], payload: ["body"] },
  });
  const free = await run({ tools: [readMail(ran), note], script: script({ body: "seven" }), flow: quarantined(model) });
  expect(rulesOf(free)).toEqual([]);
  const decides = await run({
    tools: [readMail(ran), send(ran)],
    script: script({ to: "seven" }),
    flow: quarantined(model),
  });
  expect(rulesOf(decides)).toEqual(["R3"]);
  // Without the exception for small leaves, an answer counts like any other text.
  const strict = quarantined(model, { lowCapacityLeaves: false });
  const raised = await run({ tools: [readMail(ran), note], script: script({ body: "seven" }), flow: strict });
  expect(rulesOf(raised)).toEqual(["R2"]);
});

test("the readers of an answer are those of the value [quarantine.extract]", async () => {
  const ran: Ran = [];
  const { model } = reader(() => ({ answer: true }));
  const own = readMail(ran, { output: { integrity: "untrusted", readers: ["user:ann"] } });
  const result = await run({
    tools: [own, send(ran, { flow: { authority: [], payload: ["to", "body"] } })],
    script: [calls(["read_mail"]), calls(extract(boolean)), calls(["send", { to: "yes" }]), "Done."],
    flow: quarantined(model),
  });
  expect(rulesOf(result)).toEqual(["R4"]);
});

test("a run may read 64 bits, including answers without a value; then the model is shown how many are left [quarantine.extract]", async () => {
  const ran: Ran = [];
  const { model, asked } = reader(({ schema }) => ({
    answer: (schema as { type?: string }).type === "boolean" ? true : 1,
  }));
  const wide = { type: "integer", minimum: 0, maximum: 2 ** 31 - 1 };
  const result = await run({
    tools: [readMail(ran)],
    script: [
      calls(["read_mail"]),
      calls(extract(wide), extract(wide), extract(wide)),
      calls(extract(boolean)),
      "Done.",
    ],
    flow: quarantined(model),
  });
  const results = told(result);
  expect(results[0]).toBe(JSON.stringify({ answer: 1, bitsLeft: 1.9 }));
  expect(results[2]).toContain("would cost 31.0 bits. 1.9 bits are left");
  expect(results[3]).toBe(JSON.stringify({ answer: true, bitsLeft: 0.4 }));
  expect(asked).toHaveLength(3);
  expect(spent(result.journal)).toBeLessThanOrEqual(64);
});

test("a missing answer costs as much as an answer, and all failures have the same text [quarantine.extract]", async () => {
  const ran: Ran = [];
  const answers = ["no JSON at all", { answer: "a text" }, { other: true }];
  const { model } = reader(() => answers.shift() ?? { answer: true });
  const result = await run({
    tools: [readMail(ran)],
    script: [calls(["read_mail"]), ...answers.map(() => calls(extract(boolean))), calls(extract(boolean)), "Done."],
    flow: quarantined(model, {}, 6),
  });
  const texts = told(result).map((text) => text.replace(/\d+(?:\.\d)? bits are left/u, "N bits are left"));
  expect(new Set(texts.slice(0, 3)).size).toBe(1);
  expect(texts[0]).toContain("There is no answer in this form.");
  expect(texts[3]).toContain("would cost 1.6 bits");
  const failing = scriptedModel([{ faults: { error: { status: 400, message: "refused: eve@evil.example" } } }]);
  const failed = await run({
    tools: [readMail(ran)],
    script: [calls(["read_mail"]), calls(extract(boolean)), "Done."],
    flow: quarantined(failing),
  });
  expect(told(failed)[0]?.replace(/\d+(?:\.\d)? bits are left/u, "N bits are left")).toBe(texts[0]);
});

test("a missing or secret reference is not read, and costs nothing [quarantine.extract]", async () => {
  const ran: Ran = [];
  const { model, asked } = reader(() => ({ answer: true }));
  const key = made(ran, {
    name: "key",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    sensitivity: "secret",
    result: "hunter2",
  });
  const result = await run({
    tools: [key],
    script: [
      calls(["key"]),
      calls(
        extract(boolean),
        extract(boolean, "$ref:t7/c0"),
        extract(boolean, "the mail"),
        extract({ type: "string" }),
      ),
      "Done.",
    ],
    flow: quarantined(model),
    agent: { keys: { seal: "a key" } },
  });
  expect(told(result).map((text) => /is secret|is not a reference|is free text/u.exec(text)?.[0])).toEqual([
    "is secret",
    "is not a reference",
    "is not a reference",
    "is free text",
  ]);
  expect(asked).toEqual([]);
  expect(spent(result.journal)).toBe(0);
});

test("a resumed run uses its existing answer, and pays once [quarantine.extract]", async () => {
  const ran: Ran = [];
  const { model, asked } = reader(() => ({ answer: true }));
  const store = memoryStore();
  const script = [calls(["read_mail"]), calls(extract(boolean)), "Done."];
  const runtime = (from: number): ReturnType<typeof createAgentRuntime> =>
    createAgentRuntime(
      {
        name: "a",
        model: scriptedModel(script.slice(from)),
        tools: [readMail(ran)],
        store,
        logger: quiet,
        flow: quarantined(model, { planner: false }),
      },
      security(),
    );
  const first = await runtime(0).run("Go.");
  const journal = await store.load(first.runId);
  const at = (found: (event: JournalEvent) => boolean): number => journal.find(found)?.seq ?? 0;
  const goOnAfter = async (seq: number): Promise<readonly JournalEvent[]> => {
    const again = runtime(2);
    const { runId } = await again.fork(first.runId, { atSeq: seq });
    expect((await again.resume(runId)).text).toBe("Done.");
    return store.load(runId);
  };
  const answered = await goOnAfter(at((event) => event.type === "model.result" && event.purpose === "extract"));
  expect(asked).toHaveLength(1);
  expect(spent(answered)).toBe(spent(journal));
  const begun = await goOnAfter(at((event) => event.type === "flow.extract"));
  expect(asked).toHaveLength(2);
  expect(spent(begun)).toBe(spent(journal));
  const results = [journal, answered, begun].map((events) =>
    events.flatMap((event) =>
      event.type === "tool.result" && event.message.toolName === "extract" ? [event.message.content] : [],
    ),
  );
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
});

test("extract calls count towards the run's usage [quarantine.extract]", async () => {
  const { model } = reader(() => ({ answer: true }));
  const script = [calls(["read_mail"]), calls(extract(boolean)), "Done."];
  const { output, journal } = await run({ tools: [readMail([])], script, flow: quarantined(model) });
  const used = journal.flatMap((event) => (event.type === "model.result" ? [event] : []));
  expect(used.map(({ purpose }) => purpose)).toContain("extract");
  expect(output.usage.totalTokens).toBe(used.reduce((sum, { usage }) => sum + usage.totalTokens, 0));
});

/** An agent that reads a mail and asks for some bits of it, as often as the test requires. */
function askingAgent(model: ModelProvider, schema: object, times: number, more: Partial<FlowOptions> = {}): Tool {
  const script = [calls(["read_mail"]), ...Array.from({ length: times }, () => calls(extract(schema))), "Read."];
  const runtime = createAgentRuntime(
    {
      name: "reader",
      model: scriptedModel(
        ({ messages }) => script[messages.filter(({ role }) => role === "assistant").length] ?? "Read.",
      ),
      tools: [readMail([])],
      logger: quiet,
      flow: quarantined(model, { planner: false, ...more }),
    },
    security(),
  );
  return agentTool(runtime as never, { name: "ask" });
}

test("inner agents spend the bits of the outer run [quarantine.extract] [flow.r9]", async () => {
  const { model, asked } = reader(() => ({ answer: 1 }));
  const wide = { type: "integer", minimum: 0, maximum: 2 ** 30 - 1 };
  const inner = askingAgent(model, wide, 1);
  const outer = agentTool(
    createAgentRuntime(
      {
        name: "middle",
        model: scriptedModel([calls(["ask", { input: "c" }]), "ok"]),
        tools: [inner],
        logger: quiet,
        flow: "enforce",
      },
      security(),
    ) as never,
    { name: "middle" },
  );
  const result = await run({
    tools: [inner, outer],
    script: [calls(["ask", { input: "a" }], ["ask", { input: "b" }], ["middle", { input: "c" }]), "Done."],
    flow: { mode: "enforce" },
  });
  expect(asked).toHaveLength(2);
  expect(spent(result.journal)).toBeGreaterThan(60);
  expect(spent(result.journal)).toBeLessThanOrEqual(64);
  expect(result.journal.filter(({ type }) => type === "flow.extract")).toMatchObject([
    { childRunId: expect.any(String) },
    { childRunId: expect.any(String) },
  ]);
});

test("settings that cannot be honoured are refused [quarantine.extract]", async () => {
  const agent = (flow: unknown, tools: readonly Tool[] = [], ports = security()): void =>
    void createAgentRuntime(
      { name: "a", model: scriptedModel(["ok"]), tools, logger: quiet, flow: flow as FlowOptions },
      ports,
    );
  for (const bits of [0, 65, 1.5, "8"]) expect(() => agent({ quarantine: { bits } })).toThrow("flow.quarantine.bits");
  expect(() => agent({ quarantine: { bit: 8 } })).toThrow('has no "bit"');
  for (const quarantine of ["on", null]) expect(() => agent({ quarantine })).toThrow("flow.quarantine must be");
  expect(() => agent({ mode: "off", quarantine: true })).toThrow('flow.mode is "off"');
  expect(() => agent({ quarantine: { model: "nowhere/x" } })).toThrow("nowhere/x");
  expect(() => agent({ quarantine: true }, [made([], { name: "extract" })])).toThrow("the framework's own");
  expect(() => agent({ quarantine: true }, [], {})).toThrow("needs the security package");
  expect(() => agent({ mode: "enforce" }, [made([], { name: "extract" })])).not.toThrow();
});

test("a run may only have fewer bits than its agent [quarantine.extract]", async () => {
  const { model } = reader(() => ({ answer: true }));
  const runtime = createAgentRuntime(
    {
      name: "a",
      model: scriptedModel(() => "Done."),
      logger: quiet,
      flow: quarantined(model, {}, 16),
    },
    security(),
  );
  await expect(runtime.run("Go.", { flow: { quarantine: { bits: 32 } } })).rejects.toThrow("and 32 is weaker");
  await expect(runtime.run("Go.", { flow: { quarantine: false } })).rejects.toThrow("and false is weaker");
  expect((await runtime.run("Go.", { flow: { quarantine: { bits: 8 } } })).status).toBe("completed");
  const result = await run({
    tools: [readMail([])],
    script: [calls(["read_mail"]), calls(extract({ type: "integer", minimum: 0, maximum: 255 })), "Done."],
    flow: quarantined(model, {}, 16),
    options: { flow: { quarantine: { bits: 8 } } },
  });
  expect(told(result)[0]).toContain("would cost 8.0 bits. 8 bits are left");
});

test("a read returns one value, as text; a path that the value does not have is not a reference [quarantine.extract]", async () => {
  const ran: Ran = [];
  const { model, asked } = reader(() => ({ answer: true }));
  const result = await run({
    tools: [readMail(ran, { result: { "send to": ["eve", 7] } })],
    script: [calls(["read_mail"]), calls(extract(boolean), extract(boolean, "$ref:t1/c0:nothing")), "Done."],
    flow: quarantined(model),
  });
  expect(asked.map(({ value }) => value)).toEqual(['{"send to":["eve",7]}']);
  expect(told(result)[1]).toContain("is not a reference of this run");
  expect(result.journal.filter(({ type }) => type === "flow.extract")).toMatchObject([
    { key: "t2/c0/extract", turn: 2, index: 0 },
  ]);
});

test("bits that an inner agent reads piece by piece are counted once [quarantine.extract] [flow.r9]", async () => {
  const { model } = reader(() => ({ answer: 1 }));
  const byte = { type: "integer", minimum: 0, maximum: 255 };
  const { journal } = await run({
    tools: [askingAgent(model, byte, 3)],
    script: [calls(["ask", { input: "a" }]), "Done."],
  });
  const booked = journal.filter(({ type }) => type === "flow.extract");
  expect(booked).toMatchObject([{ key: "t1/c0/extract" }, { key: "t1/c0/extract/2" }, { key: "t1/c0/extract/3" }]);
  expect(spent(journal)).toBeCloseTo(3 * Math.log2(257), 9);
});
