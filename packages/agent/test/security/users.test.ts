import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, tool, type Owner, type RunStore } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { counter, failureOf, openAgent, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const reader = { inputSchema: z.looseObject({}), sideEffectClass: "read-only", description: "Reads." } as const;
/** Two users of a tenant, one of another, and two callers without a user. */
const owners: readonly Owner[] = [
  { tenantId: "t1", userId: "ada" },
  { tenantId: "t1", userId: "bob" },
  { tenantId: "t2", userId: "ada" },
  { tenantId: "t1" },
  {},
];
const nameOf = ({ tenantId, userId }: Owner): string => `<${tenantId ?? ""}/${userId ?? ""}>`;
const othersOf = (owner: Owner): readonly Owner[] => owners.filter((one) => one !== owner);

const stores: readonly (readonly [string, () => RunStore])[] = [
  ["memory", () => memoryStore()],
  ["SQLite", () => sqliteStore({ path: join(mkdtempSync(join(tmpdir(), "users-")), "runs.db"), logger: quiet })],
];

describe.each(stores)("users of one %s store", (_kind, open) => {
  test("share no history, state, cached result or keyed run, although they use the same session and key [owner.session-identity] [owner.idempotency-key]", async () => {
    const store = open();
    const states: unknown[] = [];
    const look = tool({
      ...reader,
      name: "look",
      cache: { ttlMs: 60_000 },
      execute: (_input, ctx) => {
        states.push({ ...ctx.sessionState });
        ctx.setState("seen", nameOf(ctx));
        return `seen by ${nameOf(ctx)}`;
      },
    });
    const agent = new Agent({
      ...openAgent,
      store,
      session: store.sessions,
      model: scriptedModel(({ messages }) =>
        messages.at(-1)?.role === "user" ? { toolCalls: [{ name: "look", arguments: {} }] } : "Done.",
      ),
      tools: [look],
    });
    const first = new Map<Owner, string>();
    for (const owner of owners) {
      const options = { ...owner, sessionId: "s", idempotencyKey: "once" };
      const output = await agent.run(`words of ${nameOf(owner)}`, options);
      expect(output.toolCalls).toMatchObject([{ output: `seen by ${nameOf(owner)}` }]);
      for (const other of othersOf(owner)) expect(JSON.stringify(output.messages)).not.toContain(nameOf(other));
      expect((await store.sessions?.load("s", owner))?.state).toEqual({ seen: nameOf(owner) });
      first.set(owner, output.runId);
    }
    expect(states).toEqual(owners.map(() => ({})));
    expect(new Set(first.values()).size).toBe(owners.length);
    for (const owner of owners) {
      const again = await agent.run("more", { ...owner, sessionId: "s", idempotencyKey: "once" });
      expect(again.runId).toBe(first.get(owner));
      const next = await agent.run("more", { ...owner, sessionId: "s" });
      expect(next.toolCalls).toMatchObject([{ cached: true }]);
      expect(JSON.stringify(next.messages)).toContain(`words of ${nameOf(owner)}`);
    }
    await store.close?.();
  });

  test("cannot find each other's runs, questions or sessions [owner.other] [owner.resume] [owner.lists]", async () => {
    const store = open();
    const { write, ran } = counter({ needsApproval: true });
    const agent = new Agent({
      ...openAgent,
      store,
      session: store.sessions,
      model: scriptedModel(({ toolResults }) => (toolResults.length === 0 ? writeCall("a") : "Done.")),
      tools: [write],
    });
    for (const owner of owners.filter(({ userId }) => userId !== undefined)) {
      const output = await agent.run(`words of ${nameOf(owner)}`, { ...owner, sessionId: "s" });
      const decisions = output.interruptions.map((asked) => asked.approve());
      const before = await store.load(output.runId);
      expect(await agent.interruptions(output.runId, owner)).toHaveLength(decisions.length);
      for (const other of othersOf(owner).filter(({ userId }) => userId !== undefined)) {
        for (const ask of [
          (runId: string) => agent.resume(runId, decisions, other),
          (runId: string) => agent.resumeStream(runId, decisions, other).result,
          (runId: string) => agent.decide(runId, decisions, other),
          (runId: string) => agent.interruptions(runId, other),
        ]) {
          const [real, unknown] = [await failureOf(ask(output.runId)), await failureOf(ask("r-none"))] as Error[];
          expect(real).toMatchObject({ code: "RUN_NOT_FOUND" });
          expect(real?.message.replaceAll(output.runId, "r-none")).toBe(unknown?.message);
        }
        expect((await store.listRuns({ ...other, sessionId: "s" })).map(({ id }) => id)).not.toContain(output.runId);
        expect(JSON.stringify(await store.searchRuns(other))).not.toContain(nameOf(owner));
        expect(JSON.stringify(await store.sessions?.search("words", other))).not.toContain(nameOf(owner));
      }
      expect(await store.load(output.runId)).toEqual(before);
    }
    expect(ran).toEqual([]);
    await store.close?.();
  });

  test("have separate stored results and remembered approvals, also in a shared session [owner.spilled] [people.sticky.scope]", async () => {
    const store = open();
    const handles: string[] = [];
    const spill = tool({
      ...reader,
      name: "spill",
      maxResultTokens: 200,
      execute: () => Array.from({ length: 400 }, (_, index) => `row ${index}`),
    });
    const keeper = new Agent({
      ...openAgent,
      store,
      model: scriptedModel(({ toolResults }) => {
        const found = /"handle":"([0-9a-f]{64})"/u.exec(toolResults.at(-1)?.text ?? "")?.[1];
        if (found !== undefined) handles.push(found);
        if (toolResults.length === 0) return { toolCalls: [{ name: "spill", arguments: {} }] };
        return found === undefined
          ? "Done."
          : { toolCalls: [{ name: "read_result", arguments: { handle: handles[0] } }] };
      }),
      tools: [spill],
    });
    for (const owner of owners) {
      const { toolCalls } = await keeper.run("Go.", owner);
      expect([nameOf(owner), toolCalls[1]?.isError]).toEqual([nameOf(owner), owner !== owners[0]]);
    }

    const { write, ran } = counter({ needsApproval: true });
    const writing = new Agent({
      ...openAgent,
      name: "writing",
      store,
      session: store.sessions,
      model: scriptedModel(({ messages }) => (messages.at(-1)?.role === "user" ? writeCall("a") : "Done.")),
      tools: [write],
    });
    const [ada = {}, bob = {}] = owners;
    const asked = await writing.run("Go.", { ...ada, sessionId: "s" });
    await writing.resume(
      asked.runId,
      asked.interruptions.map((one) => one.approve({ remember: "tool" })),
    );
    await store.sessions?.share("s", ada);
    expect((await writing.run("Go.", { ...bob, sessionId: "s" })).status).toBe("suspended");
    expect(ran).toEqual(["a"]);
    await store.close?.();
  });

  test("of an outer run own its inner runs and forks [owner.other]", async () => {
    const store = open();
    const inner = new Agent({ ...openAgent, name: "inner", model: scriptedModel(["Hi.", "Hi."]) });
    const outer = new Agent({
      ...openAgent,
      name: "outer",
      store,
      model: scriptedModel(({ toolResults }) =>
        toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "inner", arguments: { input: "Hello." } }] },
      ),
      tools: [inner.asTool()],
    });
    const { runId } = await outer.run("Go.", { tenantId: "t1", userId: "ada" });
    const fork = await outer.fork(runId, { atSeq: 1 });
    const runs = await store.listRuns({ tenantId: "t1", allUsers: true });
    expect(runs.map(({ userId }) => userId)).toEqual(runs.map(() => "ada"));
    expect(runs.map(({ agentId }) => agentId)).toEqual(expect.arrayContaining(["inner", "outer"]));
    expect(runs.map(({ id }) => id)).toContain(fork.runId);
    await store.close?.();
  });
});
