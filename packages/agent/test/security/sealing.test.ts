import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultHasher } from "@bailiwick/core/extension";
import {
  memorySessions,
  memoryStore,
  sealedSessions,
  tool,
  type Keys,
  type RunStore,
  type Tool,
} from "@bailiwick/core";
import { sealer } from "@bailiwick/security";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel, type Script, type ScriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** A separate word for each place where content is written to the store. */
const words = {
  input: "canaryinput",
  answer: "canaryanswer",
  reasoning: "canaryreasoning",
  argument: "canaryargument",
  result: "canaryresult",
  spilled: "canaryspilled",
  state: "canarystate",
  question: "canaryquestion",
  replied: "canaryreplied",
  edited: "canaryedited",
  signal: "canarysignal",
  reason: "canaryreason",
  metadata: "canarymetadata",
  ledgerKey: "canaryledgerkey",
  kept: "canarykept",
  cached: "canarycached",
  inside: "canaryinside",
  given: "canarygiven",
} as const;

const say = (word: string) => z.object({ text: z.string().default(word) });

function tools(): readonly Tool[] {
  const reader = { inputSchema: z.looseObject({}), sideEffectClass: "read-only" } as const;
  const inner = new Agent({ name: "inner", logger: quiet, flow: "off", model: scriptedModel([words.inside]) });
  return [
    tool({ ...reader, name: "read", description: "Reads.", execute: () => ({ text: words.result }) }),
    tool({
      ...reader,
      name: "spill",
      description: "Reads much.",
      maxResultTokens: 200,
      execute: () => Array.from({ length: 400 }, () => words.spilled),
    }),
    tool({
      ...reader,
      name: "note",
      description: "Notes.",
      execute: (_input, ctx) => {
        ctx.setState("note", words.state);
        return "noted";
      },
    }),
    tool({
      ...reader,
      name: "ask",
      description: "Asks.",
      execute: (_input, ctx) => ctx.ask({ question: words.question, schema: z.string() }),
    }),
    tool({
      name: "keep",
      description: "Keeps.",
      inputSchema: say(words.argument),
      sideEffectClass: "external-stateful",
      idempotencyKey: () => words.ledgerKey,
      execute: () => words.kept,
    }),
    tool({ ...reader, name: "cached", description: "Reads.", cache: { ttlMs: 60_000 }, execute: () => words.cached }),
    tool({
      name: "write",
      description: "Writes.",
      inputSchema: say(words.argument),
      sideEffectClass: "external-stateful",
      idempotencyKey: "call",
      needsApproval: true,
      execute: () => "wrote",
    }),
    inner.asTool(),
  ] as readonly Tool[];
}

const calls = ["read", "spill", "note", "ask", "keep", "cached", "write", "write"];
const script: Script = (request) =>
  request.toolResults.length === 0
    ? {
        reasoning: words.reasoning,
        toolCalls: [
          ...calls.map((name) => ({ name, arguments: { text: words.argument } })),
          { name: "inner", arguments: { input: words.given } },
        ],
      }
    : words.answer;

/** The agent of a process that has the key. */
function agentOver(store: RunStore): Agent {
  return agentWith(store, { seal: "a key" }, scriptedModel(script));
}

/** The agent of a process, with the keys that it has. */
function agentWith(store: RunStore, keys: Keys | undefined, model: ScriptedModel): Agent {
  const session = store.sessions;
  return new Agent({ name: "agent", logger: quiet, flow: "off", model, tools: tools(), store, session, keys });
}

const whose = { sessionId: "s1", tenantId: "t1", userId: "u1", metadata: { word: words.metadata } };

/** A run that puts every word into the store; another agent continues it, as another process would. */
async function filled(store: RunStore): Promise<{ readonly runId: string; readonly text: string }> {
  const first = await agentOver(store).run(words.input, whose);
  expect(first.status).toBe("suspended");
  await agentOver(store).steer(first.runId, words.signal);
  const open = first.interruptions;
  const writes = open.filter(({ toolName }) => toolName === "write");
  const done = await agentOver(store).resume(first.runId, [
    ...open.flatMap((one) => (one.kind === "question" ? [one.answer(words.replied)] : [])),
    ...writes.map((one, index) =>
      index === 0 ? one.approve({ args: { text: words.edited } }) : one.reject(words.reason),
    ),
  ]);
  expect(done.status).toBe("completed");
  return { runId: first.runId, text: done.text };
}

function filesOf(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n");
}

test("with keys.seal the file and its log contain no word of a run, its session, inbox, blobs or cached results [secrets.sealing]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sealed-"));
  await using store = sqliteStore({ path: join(folder, "runs.db"), logger: quiet });
  const waiting = await agentOver(store).run(words.input, whose);
  await agentOver(store).steer(waiting.runId, words.signal);
  await agentOver(store).followUp(waiting.runId, words.signal);
  const { runId } = await filled(store);
  // Open, so that the write-ahead log is checked too.
  const bytes = filesOf(folder);
  expect(readdirSync(folder)).toContain("runs.db-wal");
  for (const [place, word] of Object.entries(words)) {
    expect(bytes.includes(word), `${place} can be read`).toBe(false);
    expect(bytes.includes(Buffer.from(word).toString("base64").slice(0, -4)), `${place} can be read`).toBe(false);
  }
  // The ledger also contains no hash that would confirm a guess of a cached call's input.
  expect(bytes).not.toContain(defaultHasher().sha256(JSON.stringify({ text: words.argument })));
  // Fields that listings use stay readable.
  for (const readable of [runId, "s1", "t1", "u1", "write", "awaiting"]) expect(bytes).toContain(readable);
  expect(await store.listRuns({ tenantId: "t1", userId: "u1", sessionId: "s1" })).toMatchObject([
    { id: runId, state: "completed" },
    { id: waiting.runId, state: "queued" },
  ]);
});

test("without a key the store contains every word [secrets.sealing]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plain-"));
  await using store = sqliteStore({ path: join(folder, "runs.db"), logger: quiet });
  const open = (): Agent => agentWith(store, undefined, scriptedModel(script));
  const first = await open().run(words.input, whose);
  await open().steer(first.runId, words.signal);
  const writes = first.interruptions.filter(({ toolName }) => toolName === "write");
  await open().resume(first.runId, [
    ...first.interruptions.flatMap((one) => (one.kind === "question" ? [one.answer(words.replied)] : [])),
    ...writes.map((one, index) =>
      index === 0 ? one.approve({ args: { text: words.edited } }) : one.reject(words.reason),
    ),
  ]);
  const bytes = filesOf(folder);
  // The key of a kept result is a hash, with and without keys.seal.
  for (const [place, word] of Object.entries(words))
    if (place !== "ledgerKey") expect(bytes.includes(word), place).toBe(true);
});

for (const [kind, open] of [
  ["memory", (): RunStore => memoryStore()],
  [
    "SQLite",
    (): RunStore => sqliteStore({ path: join(mkdtempSync(join(tmpdir(), "sealed-")), "runs.db"), logger: quiet }),
  ],
] as const) {
  test(`${kind}: with the key, sealed values are complete: run, session, stored and cached results [secrets.sealing]`, async () => {
    const store = open();
    const { runId, text } = await filled(store);
    const { run, output } = await agentOver(store).inspect(runId);
    expect(run.input).toBe(words.input);
    expect(output?.text).toBe(text);
    const results = JSON.stringify(output?.messages);
    for (const word of [
      words.result,
      words.replied,
      words.kept,
      words.cached,
      words.inside,
      words.reason,
      words.signal,
    ])
      expect(results).toContain(word);
    const readable = sealedSessions(store.sessions as NonNullable<typeof store.sessions>, sealer("a key"));
    const session = await readable.load("s1", { tenantId: "t1", userId: "u1" });
    expect(session.state["note"]).toBe(words.state);
    expect(JSON.stringify(session.messages)).toContain(words.answer);
    // The next run of the session reads it, and the kept and the cached result are used again.
    const model = scriptedModel((request) =>
      request.messages.at(-1)?.role === "user"
        ? { toolCalls: ["keep", "cached"].map((name) => ({ name, arguments: { text: words.argument } })) }
        : "Done.",
    );
    const again = await agentWith(store, { seal: "a key" }, model).run("again", whose);
    expect(again.toolCalls).toMatchObject([
      { output: words.kept, deduplicated: true },
      { output: words.cached, cached: true },
    ]);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain(words.input);
    await store.close?.();
  });

  test(`${kind}: another key, or none, gives a typed error and loses nothing [secrets.sealing]`, async () => {
    const store = open();
    const first = await agentOver(store).run(words.input, whose);
    await agentOver(store).steer(first.runId, words.signal);
    const before = await store.load(first.runId);
    for (const [key, code] of [
      ["another key", "SEAL_BROKEN"],
      [undefined, "SEAL_KEY_MISSING"],
    ] as const) {
      const other = agentWith(store, { seal: key }, scriptedModel(script));
      for (const attempt of [
        () => other.resume(first.runId, []),
        () => other.inspect(first.runId),
        () => other.interruptions(first.runId),
        () => other.steer(first.runId, "x"),
        () => other.cancel(first.runId),
        () => other.verifyAudit(first.runId),
      ])
        expect(await failureOf(attempt()), attempt.toString()).toMatchObject({ code });
    }
    expect(await store.load(first.runId)).toEqual(before);
    const open_ = await agentOver(store).interruptions(first.runId);
    const done = await agentOver(store).resume(
      first.runId,
      open_.map((one) => (one.kind === "question" ? one.answer(words.replied) : one.approve())),
    );
    expect(done.status).toBe("completed");
    expect(JSON.stringify(done.messages)).toContain(words.signal);
    // A stored session and a spilled result are sealed too.
    for (const [key, code] of [
      ["another key", "SEAL_BROKEN"],
      [undefined, "SEAL_KEY_MISSING"],
    ] as const) {
      const other = new Agent({
        name: "agent",
        logger: quiet,
        flow: "off",
        model: scriptedModel([{ toolCalls: [{ name: "keep", arguments: {} }] }, "Done."]),
        tools: tools(),
        store,
        keys: { seal: key },
      });
      expect(await failureOf(other.run("x", { ...whose, session: store.sessions }))).toMatchObject({ code });
      expect(await failureOf(other.run("x", { ...whose, sessionId: "s2" }))).toMatchObject({ code });
    }
    await store.close?.();
  });

  test(`${kind}: a run, its inbox, session and cached results from before the first key are still readable [secrets.sealing]`, async () => {
    const store = open();
    const make = (keys: Keys | undefined, steps: Script = script): Agent =>
      agentWith(store, keys, scriptedModel(steps));
    const earlier = await make(undefined, ["Earlier."]).run("earlier words", whose);
    expect(earlier.status).toBe("completed");
    const first = await make(undefined).run(words.input, whose);
    await make(undefined).steer(first.runId, words.signal);
    const agent = make({ seal: "a key" });
    const done = await agent.resume(
      first.runId,
      (await agent.interruptions(first.runId)).map((one) =>
        one.kind === "question" ? one.answer(words.replied) : one.approve(),
      ),
    );
    expect(done.status).toBe("completed");
    expect(JSON.stringify(done.messages)).toContain(words.signal);
    expect(JSON.stringify((await store.load(first.runId)).at(-1))).not.toContain(words.answer);
    const twice = await make({ seal: "a key" }, [
      { toolCalls: [{ name: "keep", arguments: { text: words.argument } }] },
      "Done.",
    ]).run("again", whose);
    expect(twice.toolCalls).toMatchObject([{ output: words.kept, deduplicated: true }]);
    expect(JSON.stringify(twice.messages)).toContain("earlier words");
    await store.close?.();
  });
}

test("sealedSessions() gives an application the whole SessionStore interface over sealed sessions [secrets.sealing]", async () => {
  const kept = memorySessions();
  const sessions = sealedSessions(kept, sealer("a key"));
  const scope = { tenantId: "t1" };
  const run = { ...scope, runId: "r1", seq: 9 };
  const message = (id: string, content: string) => ({ id, role: "user", content }) as const;
  await kept.append("s1", [message("m0", "the old plum")], { ...scope, runId: "r0", seq: 1, state: { old: "fig" } });
  await sessions.append("s1", [message("m1", "the ripe plum"), message("m2", "a quince")], {
    ...run,
    state: { new: "a kiwi" },
  });
  await sessions.append("s1", [message("m1", "the ripe plum")], run);
  const stored = JSON.stringify(await kept.load("s1", scope));
  expect(stored).not.toMatch(/ripe plum|a quince|a kiwi/u);
  expect(await sessions.load("s1", scope)).toEqual({
    id: "s1",
    messages: [message("m0", "the old plum"), message("m1", "the ripe plum"), message("m2", "a quince")],
    state: { old: "fig", new: "a kiwi" },
    version: 2,
  });
  expect((await sessions.load("s1", { ...scope, limitTokens: 20 })).messages).toEqual([message("m2", "a quince")]);
  expect((await sessions.load("s1", { ...scope, before: 1 })).messages).toHaveLength(1);
  expect(await sessions.search("PLUM", scope)).toMatchObject([{ message: { id: "m0" } }, { message: { id: "m1" } }]);
  expect(await sessions.search("plum", { ...scope, limit: 1 })).toHaveLength(1);
  expect(await sessions.search("plum", { tenantId: "t2" })).toEqual([]);
  const branch = await sessions.branch("s1", { ...scope, uptoMessageId: "m1" });
  expect((await sessions.load(branch, scope)).messages.at(-1)).toEqual(message("m1", "the ripe plum"));
  await sessions.edit("s1", "m2", message("m2", "a medlar"), scope);
  const text = await sessions.export("s1", scope);
  expect(text).toContain("a medlar");
  expect(await kept.export("s1", scope)).not.toContain("a medlar");
  const copy = await sessions.import(text, { tenantId: "t2" });
  expect(await kept.export(copy, { tenantId: "t2" })).not.toMatch(/a medlar|a kiwi/u);
  expect((await sessions.load(copy, { tenantId: "t2" })).messages).toHaveLength(3);
  expect(await sessions.list(scope)).toHaveLength(2);
  await sessions.delete("s1", scope);
  expect(await sessions.list(scope)).toHaveLength(1);
  expect(await failureOf(sealedSessions(kept, undefined).load(branch, scope))).toMatchObject({
    code: "SEAL_KEY_MISSING",
  });
});

test("a session in a separate store is sealed too, and can be read back [secrets.sealing]", async () => {
  const session = memorySessions();
  const model = scriptedModel((request) => (request.messages.length > 2 ? "I know." : words.answer));
  const agent = new Agent({ name: "agent", logger: quiet, flow: "off", model, session, keys: { seal: "a key" } });
  await agent.run(words.input, whose);
  const stored = JSON.stringify(await session.load("s1", { tenantId: "t1", userId: "u1" }));
  expect(stored).toContain('"role":"assistant"');
  expect(stored).not.toMatch(/canary/u);
  expect((await agent.run("again", whose)).text).toBe("I know.");
  expect(JSON.stringify(model.requests[1]?.messages)).toContain(words.answer);
});
