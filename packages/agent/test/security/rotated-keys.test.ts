import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultHasher } from "@bailiwick/core/extension";
import {
  exportJournal,
  memoryStore,
  readJournal,
  resealSession,
  sealedSessions,
  verifyJournal,
  type Decision,
  type Key,
  type Keys,
  type RunStore,
} from "@bailiwick/core";
import { sealer } from "@bailiwick/security";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel, type Script } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent, tool } from "../../src/index.ts";

const old: Keys = { seal: "the old key", sign: "the old signature" };
const both: Keys = { seal: ["the new key", "the old key"], sign: ["the new signature", "the old signature"] };
const young: Keys = { seal: new TextEncoder().encode("the new key"), sign: ["the new signature"] };
const whose = { sessionId: "s1", tenantId: "t1" };

/** Everything that is sealed and signed: kept results, a cache, a long result, a question, an approval. */
const script: Script = ({ messages }) => {
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages[last]?.text === "And greet." || messages.slice(last).some(({ role }) => role === "tool")
    ? "Done."
    : { toolCalls: ["keep", "cached", "long", "ask", "write"].map((name) => ({ name, arguments: { text: "x" } })) };
};

function agentWith(store: RunStore, keys: Keys | undefined, ran: string[] = []): Agent {
  const input = { inputSchema: z.looseObject({ text: z.string() }) };
  const does = (name: string) => () => {
    ran.push(name);
    return `${name} was done`;
  };
  const reads = "read-only" as const;
  const writes = "external-stateful" as const;
  const tools = [
    tool({
      ...input,
      name: "keep",
      description: "Keeps.",
      sideEffectClass: writes,
      idempotencyKey: () => "k",
      execute: does("keep"),
    }),
    tool({
      ...input,
      name: "cached",
      description: "Reads.",
      sideEffectClass: reads,
      cache: { ttlMs: 600_000 },
      execute: does("cached"),
    }),
    tool({
      ...input,
      name: "long",
      description: "Reads much.",
      sideEffectClass: reads,
      maxResultTokens: 100,
      execute: () => Array.from({ length: 3_000 }, (_, line) => `line ${line}`),
    }),
    tool({
      ...input,
      name: "ask",
      description: "Asks.",
      sideEffectClass: reads,
      execute: (_given, ctx) => ctx.ask({ question: "Which?", schema: z.string() }),
    }),
    tool({
      ...input,
      name: "write",
      description: "Writes.",
      sideEffectClass: writes,
      idempotencyKey: "call",
      needsApproval: true,
      execute: does("write"),
    }),
  ];
  const model = scriptedModel(script);
  const session = store.sessions;
  return new Agent({
    name: "agent",
    logger: quiet,
    flow: "off",
    model,
    tools,
    store,
    session,
    keys,
  });
}

const stores = [
  ["memory", (): RunStore => memoryStore()],
  [
    "SQLite",
    (): RunStore => sqliteStore({ path: join(mkdtempSync(join(tmpdir(), "keys-")), "runs.db"), logger: quiet }),
  ],
] as const;

describe.each(stores)("%s", (_kind, open) => {
  test("after prepending a new key everything is readable: runs, decisions, inbox, sessions, blobs, cached results, remembered decisions, exports [secrets.key-rotation]", async () => {
    const store = open();
    const waiting = await agentWith(store, old).run("Go.", whose);
    expect(waiting.status).toBe("suspended");
    await agentWith(store, old).steer(waiting.runId, "And greet.");
    const exported = exportJournal(
      waiting.runId,
      await readJournal(store, waiting.runId, {
        hasher: defaultHasher(),
        signKey: "the old signature",
        sealer: sealer("the old key"),
      }),
      { hasher: defaultHasher(), signKey: "the old signature" },
    );
    expect(verifyJournal(exported, { hasher: defaultHasher(), signKey: both.sign }).trust).toBe("signed");

    // The decisions carry the signature that the old key made.
    const decisions = waiting.interruptions.map((one): Decision =>
      one.kind === "question" ? one.answer("blue") : one.approve({ remember: "tool" }),
    );
    const ran: string[] = [];
    const done = await agentWith(store, both, ran).resume(waiting.runId, decisions);
    expect(done).toMatchObject({ status: "completed", text: "Done." });
    expect(JSON.stringify(done.messages)).toContain("And greet.");
    expect(await agentWith(store, both).verifyAudit(waiting.runId)).toMatchObject({ verdict: "valid" });

    // A run of the same session can use data that was stored, cached and decided under either key.
    const next = await agentWith(store, both, ran).run("Again.", whose);
    expect(next.interruptions.map(({ kind }) => kind)).toEqual(["question"]);
    expect(ran).toEqual(["write", "write"]);
    expect(JSON.stringify(next.messages)).toContain("And greet.");
    await store.close?.();
  });

  test("new values use only the first key, and a removed key gives a typed error that changes nothing [secrets.key-rotation]", async () => {
    const store = open();
    const before = await agentWith(store, old).run("Before.", { ...whose, sessionId: "before" });
    const since = await agentWith(store, both).run("Since.", { ...whose, sessionId: "since" });
    const answers = since.interruptions.map((one): Decision =>
      one.kind === "question" ? one.answer("blue") : one.approve(),
    );
    for (const [keys, run] of [
      [young, before],
      [old, since],
    ] as const) {
      const records = await store.load(run.runId);
      for (const attempt of [
        () => agentWith(store, keys).inspect(run.runId),
        () => agentWith(store, keys).resume(run.runId, answers),
        () => agentWith(store, { seal: keys.seal }).resume(run.runId),
      ])
        expect(["SEAL_BROKEN", "JOURNAL_TAMPERED"]).toContain(((await failureOf(attempt())) as { code: string }).code);
      expect(await store.load(run.runId)).toEqual(records);
    }
    expect((await agentWith(store, young).resume(since.runId, answers)).status).toBe("completed");
    await store.close?.();
  });

  test("a session that was sealed again no longer needs the old key, and its runs keep reading it [secrets.key-rotation]", async () => {
    const store = open();
    const sessions = store.sessions as NonNullable<RunStore["sessions"]>;
    const first = await agentWith(store, old).run("Go.", whose);
    await agentWith(store, old).resume(
      first.runId,
      first.interruptions.map((one) => (one.kind === "question" ? one.answer("blue") : one.approve())),
    );
    const all = sealer(both.seal as readonly Key[]);
    const { messages, state } = await sealedSessions(sessions, all).load("s1", whose);
    expect(messages.length).toBeGreaterThan(5);
    const later = await agentWith(store, both).run("Go on.", whose);
    await resealSession(sessions, all, "s1", whose);
    const alone = await sealedSessions(sessions, sealer("the new key")).load("s1", whose);
    expect(alone.messages.slice(0, messages.length)).toEqual(messages);
    expect(alone.state).toMatchObject(state);
    // Runs that have read the session before still read it.
    expect((await agentWith(store, both).inspect(later.runId)).events[0]).toMatchObject({
      type: "run.start",
      history: messages,
    });
    await store.close?.();
  });
});

test.each([
  [{ seal: [] }, "seal"],
  [{ seal: ["a", ""] }, "seal"],
  [{ sign: "" }, "sign"],
  [{ sign: [5] }, "sign"],
] as const)("invalid keys are refused: %j", (keys, name) => {
  const make = () => new Agent({ name: "agent", model: scriptedModel([]), keys: keys as unknown as Keys });
  expect(make).toThrow(new RegExp(`keys.*${name}`, "u"));
});

test.each([[[]], [""], [["a", ""]]])("a sealer of %j is refused", (key) => {
  expect(() => sealer(key)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
});
