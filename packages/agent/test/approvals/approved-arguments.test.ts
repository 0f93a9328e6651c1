import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, tool, type RunEvent, type RunStore, type Tool } from "@bailiwick/core";
import { env } from "@bailiwick/security";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel, type Script } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { collect, failureOf, listeningLogger } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const secret = "canary/7f3a+Q=wide";
const forms = [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64"),
  Buffer.from(secret).toString("hex"),
];

function paying(options: { readonly needsApproval?: boolean } = {}): { readonly pay: Tool; readonly ran: unknown[] } {
  const ran: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ amount: z.number(), to: z.object({ key: z.string() }), note: z.string().optional() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: options.needsApproval ?? true,
    secretsAllowed: ["KEY"],
    execute: (input) => {
      ran.push(input);
      return "paid";
    },
  });
  return { pay, ran };
}

const payCall =
  (key: string, more: object = {}): Script =>
  (request) =>
    request.toolResults.length === 0
      ? { toolCalls: [{ name: "pay", arguments: { amount: 5, to: { key }, ...more } }] }
      : "Done.";

function agentOf(options: {
  readonly tools: readonly Tool[];
  readonly script: Script;
  readonly store?: RunStore;
  readonly seal?: string | undefined;
}) {
  const logger = listeningLogger();
  const model = scriptedModel(options.script);
  const agent = new Agent({
    name: "agent",
    model,
    flow: "off",
    logger,
    tools: options.tools,
    store: options.store ?? memoryStore(),
    keys: { seal: "seal" in options ? options.seal : "a key" },
    secrets: env({ from: { KEY: secret } }),
  });
  return { agent, logger, model };
}

function expectClean(what: string, value: unknown): void {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  for (const form of forms) expect(text.includes(form), `${what} holds the secret`).toBe(false);
}

for (const form of forms) {
  test(`with keys.seal a call with a secret (${form}) is shown without the secret, and runs with the exact arguments after approval in another process [secrets.approved-arguments]`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "approved-"));
    const path = join(folder, "runs.db");
    const { pay, ran } = paying();
    const script = payCall(form, { note: "thanks" });
    let runId = "";
    {
      await using store = sqliteStore({ path });
      const { agent, logger, model } = agentOf({ tools: [pay], script, store });
      const handle = agent.stream("go", { verbose: true });
      const { events } = await collect(handle);
      const output = await handle.result;
      ({ runId } = handle);
      expect(output.status).toBe("suspended");
      expect(output.interruptions[0]?.args).toEqual({ amount: 5, to: { key: "[secret KEY]" }, note: "thanks" });
      expectClean("events", events);
      expectClean("the output", output);
      expectClean("logs", logger.lines);
      expectClean("what the model is sent", model.requests);
      expect(JSON.stringify(events)).not.toContain("exactArguments");
      expect(ran).toEqual([]);
    }
    await using store = sqliteStore({ path });
    const { agent, logger, model } = agentOf({ tools: [pay], script, store });
    const [question] = await agent.interruptions(runId);
    expectClean("the question", question);
    const handle = agent.resumeStream(runId, question === undefined ? [] : [question.approve()], { verbose: true });
    const { events } = await collect(handle);
    const output = await handle.result;
    expect(output.status).toBe("completed");
    expect(ran).toEqual([{ amount: 5, to: { key: form }, note: "thanks" }]);
    const followed: RunEvent[] = [];
    for await (const event of agent.follow(runId)) followed.push(event);
    expectClean("events", [events, followed]);
    expectClean("the output", output);
    expectClean("logs", logger.lines);
    expectClean("inspection", await agent.inspect(runId));
    expectClean("what the model is sent", model.requests);
    expectClean("the store", await store.load(runId));
    for (const name of readdirSync(folder)) expectClean(name, readFileSync(join(folder, name), "latin1"));
  });
}

test("the approval binds the hash of the real arguments: a different secret needs a new approval [secrets.approved-arguments]", async () => {
  const { pay } = paying();
  const hashes = await Promise.all(
    [secret, forms[1] ?? ""].map(async (key) => {
      const { agent } = agentOf({ tools: [pay], script: payCall(key) });
      const { interruptions } = await agent.run("go");
      return [interruptions[0]?.argsHash, JSON.stringify(interruptions[0]?.args)] as const;
    }),
  );
  expect(hashes[0]?.[1]).toBe(hashes[1]?.[1]);
  expect(hashes[0]?.[0]).not.toBe(hashes[1]?.[0]);
});

test("after a crash between the answer and its calls, the resuming process has the exact arguments [secrets.approved-arguments]", async () => {
  const { pay, ran } = paying();
  const store = memoryStore();
  const script = payCall(secret);
  const { agent } = agentOf({ tools: [pay], script, store });
  const first = await agent.run("go");
  const { events } = await agent.inspect(first.runId);
  const answered = events.find(({ type }) => type === "model.result");
  const { runId } = await agent.fork(first.runId, { atSeq: answered?.seq ?? 0 });
  const { agent: other } = agentOf({ tools: [pay], script, store });
  const again = await other.resume(runId);
  expect(again.interruptions).toHaveLength(1);
  await other.resume(
    runId,
    again.interruptions.map((one) => one.approve()),
  );
  expect(ran).toEqual([{ amount: 5, to: { key: secret } }]);
});

test("an inline approver sees the call without the secret, and the approved call runs with it [secrets.approved-arguments]", async () => {
  for (const answer of [true, { approved: true }] as const) {
    const { pay, ran } = paying();
    const { agent } = agentOf({ tools: [pay], script: payCall(secret) });
    let asked: unknown;
    const output = await agent.run("go", {
      onApprovalRequired: (_name, call) => {
        asked = call;
        return answer;
      },
    });
    expect(output.status).toBe("completed");
    expectClean("what the approver is shown", asked);
    expect(ran).toEqual([{ amount: 5, to: { key: secret } }]);
  }
});

test("an edit changes only edited values: unedited values remain as the model wrote them [secrets.approved-arguments]", async () => {
  for (const how of ["resume", "inline"] as const) {
    const { pay, ran } = paying();
    const { agent } = agentOf({ tools: [pay], script: payCall(secret, { note: "thanks" }) });
    const args = { amount: 3, to: { key: "[secret KEY]" }, note: "[secret KEY]" };
    if (how === "inline") await agent.run("go", { onApprovalRequired: () => ({ approved: true, args }) });
    else {
      const first = await agent.run("go");
      await agent.resume(
        first.runId,
        first.interruptions.map((one) => one.approve({ args })),
      );
    }
    // The note is the person's own text, and not a secret that was shown in this form.
    expect(ran, how).toEqual([{ amount: 3, to: { key: secret }, note: "[secret KEY]" }]);
  }
});

test("a remembered approval of a tool does not cover a call with a secret; an approval of the exact arguments does [secrets.approved-arguments]", async () => {
  const { pay, ran } = paying();
  const keys = ["plain", secret, secret];
  const script: Script = (request) => {
    const key = keys[request.messages.filter(({ role }) => role === "tool").length];
    return key === undefined ? "Done." : { toolCalls: [{ name: "pay", arguments: { amount: 1, to: { key } } }] };
  };
  const { agent } = agentOf({ tools: [pay], script });
  const first = await agent.run("go");
  const second = await agent.resume(
    first.runId,
    first.interruptions.map((one) => one.approve({ remember: "tool" })),
  );
  expect(second.status).toBe("suspended");
  const third = await agent.resume(
    first.runId,
    second.interruptions.map((one) => one.approve({ remember: "call" })),
  );
  expect(third.stopReason).toBe("completed");
  expect(ran).toHaveLength(3);
});

test("without an approver, a call with a secret does not run, and the model reads why [secrets.approved-arguments]", async () => {
  const { pay, ran } = paying({ needsApproval: false });
  const { agent } = agentOf({ tools: [pay], script: payCall(secret) });
  const output = await agent.run("go");
  expect(output.toolCalls).toMatchObject([{ isError: true, error: { code: "SECRET_IN_ARGUMENTS" } }]);
  expect(ran).toEqual([]);
});

test("without keys.seal a call with a secret cannot be approved: it does not run, its arguments are not stored, and the log names the remedy [secrets.seal-key-missing]", async () => {
  for (const form of forms) {
    const { pay, ran } = paying();
    const store = memoryStore();
    const { agent, logger } = agentOf({ tools: [pay], script: payCall(form), store, seal: undefined });
    const output = await agent.run("go");
    expect(output.status).toBe("completed");
    expect(output.toolCalls).toMatchObject([
      { isError: true, error: { kind: "policy_denied", code: "SEAL_KEY_MISSING" } },
    ]);
    expect(ran).toEqual([]);
    expectClean("the store", await store.load(output.runId));
    expect(logger.lines.join("\n")).toContain("keys: { seal }");
  }
});

test("without keys.seal a decision with a secret is refused with a typed error, and the question stays open [secrets.seal-key-missing]", async () => {
  const ask = tool({
    name: "ask",
    description: "Asks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: (_input, ctx) => ctx.ask({ question: "Which?", schema: z.string() }),
  }) as Tool;
  const { pay, ran } = paying();
  const store = memoryStore();
  const script: Script = (request) =>
    request.toolResults.length === 0
      ? {
          toolCalls: [
            { name: "ask", arguments: {} },
            { name: "pay", arguments: { amount: 1, to: { key: "plain" } } },
          ],
        }
      : "Done.";
  const { agent } = agentOf({ tools: [ask, pay], script, store, seal: undefined });
  const first = await agent.run("go");
  const decide = (value: string) =>
    first.interruptions.map((one) =>
      one.kind === "question" ? one.answer(value) : one.approve({ args: { amount: 1, to: { key: value } } }),
    );
  const before = await store.load(first.runId);
  for (const decision of decide(secret)) {
    const error = await failureOf(agent.resume(first.runId, [decision]));
    expect(error).toMatchObject({ name: "SealKeyMissingError", code: "SEAL_KEY_MISSING", runId: first.runId });
    expectClean("the error", (error as Error).message);
  }
  expect(await store.load(first.runId)).toEqual(before);
  expect((await agent.resume(first.runId, decide("plain"))).status).toBe("completed");
  expect(ran).toEqual([{ amount: 1, to: { key: "plain" } }]);
});

test("a timeout never approves a call with a secret, even if it approves readers [secrets.approved-arguments]", async () => {
  const ran: unknown[] = [];
  const look = tool({
    name: "look",
    description: "Looks up.",
    inputSchema: z.object({ key: z.string() }),
    sideEffectClass: "read-only",
    needsApproval: true,
    secretsAllowed: ["KEY"],
    execute: ({ key }) => {
      ran.push(key);
      return "found";
    },
  });
  for (const [key, expected] of [
    ["plain", ["plain"]],
    [secret, ["plain"]],
  ] as const) {
    const agent = new Agent({
      name: "agent",
      model: scriptedModel([{ toolCalls: [{ name: "look", arguments: { key } }] }, "Done."]),
      flow: "off",
      logger: listeningLogger(),
      tools: [look],
      keys: { seal: "a key" },
      secrets: env({ from: { KEY: secret } }),
      approval: { onApproval: () => new Promise(() => undefined), timeout: 20, timeoutAction: "approve" },
    });
    await agent.run("go");
    expect(ran).toEqual(expected);
  }
});

test("an edit has the same effect for every kind of arguments [secrets.approved-arguments]", async () => {
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("plain", secret, `at ${secret}!`, "[secret KEY]"),
      fc.integer(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom("a", "b"), value, { minKeys: 1 }), value, async (args, added) => {
      const ran: unknown[] = [];
      const act = tool({
        name: "act",
        description: "Acts.",
        inputSchema: z.looseObject({}),
        sideEffectClass: "external-stateful",
        idempotencyKey: "call",
        needsApproval: true,
        secretsAllowed: ["KEY"],
        execute: (input) => {
          ran.push(input);
          return "acted";
        },
      });
      const script: Script = (request) =>
        request.toolResults.length === 0 ? { toolCalls: [{ name: "act", arguments: args }] } : "Done.";
      const { agent } = agentOf({ tools: [act], script });
      const first = await agent.run("go");
      const shown = first.interruptions[0]?.args as object;
      await agent.resume(
        first.runId,
        first.interruptions.map((one) => one.approve({ args: { ...shown, added } })),
      );
      // Unchanged values count as the model's, added values as the person's.
      expect(ran).toEqual([{ ...args, added }]);
    }),
    { numRuns: 60 },
  );
});

for (const knows of ["the outer agent", "the inner agent", "both"] as const) {
  test(`an approved call inside another agent's call runs with its full arguments if ${knows} knows the secret [secrets.approved-arguments] [secrets.inherited]`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "inside-"));
    await using store = sqliteStore({ path: join(folder, "runs.db") });
    const { pay, ran } = paying();
    const holder = tool({
      name: "holder",
      description: "Holds.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      secretsAllowed: ["KEY"],
      execute: () => "unused",
    });
    const source = env({ from: { KEY: secret } });
    const innerKnows = knows !== "the outer agent";
    const outerKnows = knows !== "the inner agent";
    const make = () => {
      const inner = new Agent({
        name: "inner",
        flow: "off",
        logger: listeningLogger(),
        model: scriptedModel(payCall(secret)),
        tools: [innerKnows ? pay : { ...pay, secretsAllowed: undefined }],
        ...(innerKnows && { secrets: source }),
      });
      return new Agent({
        name: "outer",
        flow: "off",
        logger: listeningLogger(),
        store,
        keys: { seal: "a key" },
        model: scriptedModel((request) =>
          request.toolResults.length === 0 ? { toolCalls: [{ name: "inner", arguments: { input: "go" } }] } : "Done.",
        ),
        tools: outerKnows ? [inner.asTool(), holder] : [inner.asTool()],
        ...(outerKnows && { secrets: source }),
      });
    };
    const handle = make().stream("go");
    const { events } = await collect(handle);
    const first = await handle.result;
    expect(first.interruptions).toMatchObject([
      { agentPath: ["outer", "inner"], args: { to: { key: "[secret KEY]" } } },
    ]);
    expectClean("events", events);
    const resumed = make().resumeStream(
      handle.runId,
      first.interruptions.map((one) => one.approve()),
    );
    const after = await collect(resumed);
    expect((await resumed.result).status).toBe("completed");
    expect(ran).toEqual([{ amount: 5, to: { key: secret } }]);
    expectClean("events", after.events);
    expectClean("the output", await resumed.result);
    for (const name of readdirSync(folder)) expectClean(name, readFileSync(join(folder, name), "latin1"));
  });
}
