import { Agent, memoryStore, tool } from "@bailiwick/agent";
import type { Decision, Interruption } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { keepingLogger } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import { trackerServer, type TrackerLog } from "./tracker.fixture.ts";

/** The calls that wait for a person: of the server's tool, of an own tool, and of an own tool that asks. */
const calls = {
  create_issue: { repo: "a/b", title: "Broken link" },
  pay: { amount: 3 },
  choose: {},
} as const;

type Name = keyof typeof calls;

const own = [
  tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ amount: z.number().max(9) }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    execute: ({ amount }) => `paid ${amount}`,
  }),
  tool({
    name: "choose",
    description: "Asks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) =>
      ctx.ask({ question: "Which colour?", key: "colour", schema: z.object({ colour: z.enum(["red", "blue"]) }) }),
  }),
];

/** A store with a run that waits for a person, and an agent in another process while the server is away. */
async function waiting(name: Name) {
  const log: TrackerLog = { calls: [], cancelled: [] };
  const handler = createMcpHandler(() => trackerServer(log));
  const server = await loopback((request) => handler.fetch(request));
  const store = memoryStore();
  const clients: AsyncDisposable[] = [];
  const agent = (): Agent => {
    const client = mcp({ name: "tracker", url: server.url, tools: { "*": { sideEffectClass: "external-stateful" } } });
    clients.push(client);
    return new Agent({
      name: "agent",
      logger: keepingLogger(),
      flow: "off",
      approval: { policy: (call) => call.name !== "choose" },
      store,
      mcp: [client],
      tools: own,
      model: scriptedModel(({ toolResults }) =>
        toolResults.length === 0 ? { toolCalls: [{ name, arguments: calls[name] }] } : "Done.",
      ),
    });
  };
  const { runId, interruptions } = await agent().run("Go.");
  server.cut();
  return {
    runId,
    question: interruptions[0] as Interruption,
    agent: agent(),
    store,
    log,
    mend: server.mend,
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client[Symbol.asyncDispose]();
      await handler.close();
      await server.stop();
    },
  };
}

/** Decisions that are accepted, with the output of the call, and decisions that are refused. */
const decisions: Readonly<
  Record<
    Name,
    {
      readonly accepted: readonly (readonly [(question: Interruption) => Decision, unknown])[];
      readonly refused: readonly (readonly [(question: Interruption) => Decision, code: string])[];
    }
  >
> = {
  create_issue: {
    accepted: [
      [(asked) => asked.approve(), /created in a.b/u],
      [(asked) => asked.approve({ args: { repo: "c/d", title: "Dead link" } }), /created in c.d/u],
      [(asked) => asked.reject("Not now."), /Not now/u],
    ],
    refused: [
      [(asked) => asked.approve({ args: { repo: "a/b", title: 5 } }), "EDIT_INVALID"],
      [(asked) => asked.approve({ args: {} }), "EDIT_INVALID"],
      [(asked) => asked.approve({ args: { repo: "a/b", title: "Dead link", titel: "x" } }), "EDIT_INVALID"],
      [(asked) => asked.answer("Dead link"), "DECISION_KIND"],
    ],
  },
  pay: {
    accepted: [
      [(asked) => asked.approve(), /paid 3/u],
      [(asked) => asked.approve({ args: { amount: 2 } }), /paid 2/u],
    ],
    refused: [[(asked) => asked.approve({ args: { amount: 10 } }), "EDIT_INVALID"]],
  },
  choose: {
    accepted: [[(asked) => asked.answer({ colour: "blue" }), /blue/u]],
    refused: [
      [(asked) => asked.answer({ colour: "green" }), "ANSWER_INVALID"],
      [(asked) => asked.answer("blue"), "ANSWER_INVALID"],
    ],
  },
};

test.each(Object.keys(decisions) as Name[])(
  "a decision about %s is accepted, checked and kept while a server of the agent is away, and applied when it is back [people.decisions.kept]",
  async (name) => {
    for (const [decide, shown] of decisions[name].accepted)
      for (const way of ["decide", "resume"] as const) {
        await using world = await waiting(name);
        const { agent, runId, question, store } = world;
        const decision = JSON.parse(JSON.stringify(decide(question))) as Decision;
        if (way === "decide") expect(await agent.decide(runId, [decision])).toBe(1);
        // The failure of the drive is the run's: the decision is kept.
        else await expect(agent.resume(runId, [decision])).rejects.toMatchObject({ code: "MCP_UNAVAILABLE" });
        expect((await store.getRun(runId))?.state, way).toBe("queued");
        await expect(agent.resume(runId)).rejects.toMatchObject({ code: "MCP_UNAVAILABLE" });
        world.mend();
        const output = await agent.resume(runId);
        expect([output.status, JSON.stringify(output.messages)], way).toMatchObject([
          "completed",
          expect.stringMatching(shown as RegExp),
        ]);
      }
  },
);

test.each(Object.keys(decisions) as Name[])(
  "an answer or an edit of %s that breaks the question's schema is refused when it is given, also while a server is away [people.decisions.checked]",
  async (name) => {
    await using world = await waiting(name);
    const { agent, runId, question, store } = world;
    for (const [decide, code] of decisions[name].refused)
      for (const way of ["decide", "resume"] as const) {
        const decision = JSON.parse(JSON.stringify(decide(question))) as Decision;
        const given = way === "decide" ? agent.decide(runId, [decision]) : agent.resume(runId, [decision]);
        expect([
          decision,
          await given.then(
            () => "accepted",
            (error: { readonly code: string }) => error.code,
          ),
        ]).toEqual([decision, code]);
        expect((await store.getRun(runId))?.state).toBe("suspended");
        expect((await agent.interruptions(runId)).map(({ id }) => id)).toEqual([question.id]);
      }
    expect(world.log.calls).toEqual([]);
  },
);
