import {
  createAgentRuntime,
  memorySessions,
  memoryStore,
  tool,
  type AgentRuntime,
  type RunStore,
  type SessionStore,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqliteStore } from "./index.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

interface Stores {
  readonly store: RunStore;
  readonly session: SessionStore;
}

const stores: Readonly<Record<string, () => Stores>> = {
  "in memory": () => ({ store: memoryStore(), session: memorySessions() }),
  "in SQLite": () => {
    const folder = mkdtempSync(join(tmpdir(), "ids-"));
    folders.push(folder);
    const store = sqliteStore({ path: join(folder, "store.db") });
    return { store, session: store.sessions };
  },
};

/** Texts that differ only in what a store may lose of them, and texts that another text contains. */
const parts = ["a", "b", "A", "\ud83d", "\ud83e", "\ufffd", "\u0000", ":", "=", "*", "", " ", "e\u0301", "\u00e9"];
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

function agentOver({ store, session }: Stores): AgentRuntime {
  const model = scriptedModel(({ messages }) => messages.map(({ text }) => text).join("|"));
  return createAgentRuntime({
    name: "clerk",
    store,
    session,
    logger: quiet,
    model,
  });
}

describe.each(Object.entries(stores))("ids of runs %s", (_where, open) => {
  test("two different owners are never one, whatever text their ids are [owner.ids] [owner.session-identity]", async () => {
    const opened = open();
    const agent = agentOver(opened);
    const owners = [
      ...parts.flatMap((userId) => [{ userId }, { tenantId: "a", userId }]),
      ...parts.flatMap((tenantId) => [{ tenantId }, { tenantId, userId: "a" }]),
    ].filter((owner, index, all) => all.findIndex((one) => JSON.stringify(one) === JSON.stringify(owner)) === index);
    const runs = new Set<string>();
    for (const [index, owner] of owners.entries()) {
      const options = { sessionId: "s", idempotencyKey: "k", ...owner };
      const isEmpty = Object.values(owner).includes("");
      if (isEmpty || !Object.values(owner).every(isWellFormed)) {
        const code = isEmpty ? "INVALID_OPTION" : "INVALID_INPUT";
        await expect(agent.run("x", options)).rejects.toMatchObject({ code });
        await expect(opened.session.load("s", owner)).rejects.toMatchObject({ code: "INVALID_INPUT" });
        continue;
      }
      const { runId, text } = await agent.run(`secret ${index}.`, options);
      expect(text).toBe(`secret ${index}.`);
      expect(runs.has(runId)).toBe(false);
      runs.add(runId);
      expect((await opened.store.listRuns(owner)).map(({ id }) => id)).toEqual([runId]);
    }
  });

  test("two different idempotency keys of a tool are never one [owner.ids] [tool.field.idempotency-key]", async () => {
    const ran: unknown[] = [];
    const ship = tool({
      name: "ship",
      description: "Ships.",
      inputSchema: z.object({ order: z.string() }),
      sideEffectClass: "external-stateful",
      idempotencyKey: ({ order }) => order,
      execute: ({ order }) => void ran.push(order),
    });
    const keys = parts.filter((key) => key !== "" && key !== " ");
    const opened = open();
    for (const order of keys) {
      const model = scriptedModel(({ toolResults }) =>
        toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "ship", arguments: { order: "x" } }] },
      );
      const keyed = { ...ship, idempotencyKey: () => order };
      await createAgentRuntime({ name: "clerk", ...opened, logger: quiet, model, tools: [keyed] }).run("Go.");
    }
    expect(ran).toHaveLength(keys.filter(isWellFormed).length);
  });

  test("a value that is the id of no run is refused or not found, by every function that takes one [run.not-found]", async () => {
    const agent = agentOver(open());
    const calls: Readonly<Record<string, (runId: string) => Promise<unknown>>> = {
      resume: (runId) => agent.resume(runId),
      decide: (runId) => agent.decide(runId, []),
      steer: (runId) => agent.steer(runId, "x"),
      followUp: (runId) => agent.followUp(runId, "x"),
      cancel: (runId) => agent.cancel(runId),
      interruptions: (runId) => agent.interruptions(runId),
      inspect: (runId) => agent.inspect(runId),
      verifyAudit: (runId) => agent.verifyAudit(runId),
      fork: (runId) => agent.fork(runId, { atSeq: 1 }),
      replay: (runId) => agent.replay(runId),
      rebuildRequest: (runId) => agent.rebuildRequest(runId, 1),
    };
    for (const [name, call] of Object.entries(calls))
      for (const id of [undefined, null, 5, "", "\ud800", {}, "no-run"])
        expect([name, id, await call(id as string).catch((error: unknown) => error)]).toMatchObject([
          name,
          id,
          { code: expect.stringMatching(/^(?:RUN_NOT_FOUND|INVALID_OPTION)$/) as string },
        ]);
  });

  test("a decision that is not an object is refused with a code, and the question stays open [people.decisions]", async () => {
    const ask = tool({
      name: "ask",
      description: "Asks.",
      inputSchema: z.object({}),
      needsApproval: true,
      execute: () => "asked",
    });
    const model = scriptedModel(({ toolResults }) =>
      toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "ask", arguments: {} }] },
    );
    const agent = createAgentRuntime({ name: "clerk", ...open(), logger: quiet, model, tools: [ask] });
    const { runId, interruptions } = await agent.run("Go.");
    for (const decision of [null, undefined, 5, "yes", [], {}])
      for (const give of [agent.resume.bind(agent), agent.decide.bind(agent)])
        await expect(give(runId, [decision as never])).rejects.toMatchObject({ code: "DECISION_INVALID" });
    expect((await agent.interruptions(runId)).map(({ id }) => id)).toEqual(interruptions.map(({ id }) => id));
  });
});
