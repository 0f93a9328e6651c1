import { memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { failureOf, movedClock, quiet } from "../fixtures.test.helper.ts";
import { Agent, tool, type RunOptions, type ToolExecutionContext } from "../../src/index.ts";

type Context = ToolExecutionContext;

/** Options of the inner run, as a tool may give them. */
const given: Readonly<Record<string, (ctx: Context) => Partial<RunOptions>>> = {
  "no option of the call": () => ({}),
  "the call's signal": ({ signal }) => ({ signal }),
  "the call's run options": ({ runOptions }) => ({ ...runOptions }),
};

/** Ways of a tool to start a run on a session. */
const ways: Readonly<Record<string, (agent: Agent, sessionId: string, options: object) => Promise<unknown>>> = {
  "run()": (agent, sessionId, options) => agent.run("Inner.", { ...options, sessionId }),
  "stream()": (agent, sessionId, options) => agent.stream("Inner.", { ...options, sessionId }).result,
  "a run in a later turn of the event loop": async (agent, sessionId, options) => {
    await new Promise((resolve) => setImmediate(resolve));
    return agent.run("Inner.", { ...options, sessionId });
  },
};

type Inner = "the same agent" | "another agent" | "an agent inside another one";

/** Runs an agent on session `s`, whose tool starts another run on a session. */
async function play(inner: Inner, start: (agent: Agent, ctx: Context) => Promise<unknown>) {
  const store = memoryStore();
  const failures: unknown[] = [];
  const asking = (name: string, target: () => Agent) =>
    tool({
      name,
      description: "Asks an agent.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: async (_input, ctx) => {
        failures.push(await failureOf(start(target(), ctx)).catch(() => undefined));
        return "asked";
      },
    });
  const once = (name: string) =>
    scriptedModel(({ messages }) => (messages.at(-1)?.role === "user" ? { toolCalls: [{ name }] } : "Done."));
  const base = { logger: quiet, flow: "off", store, session: store.sessions } as const;
  const other: Agent = new Agent({ ...base, name: "other", model: scriptedModel(() => "ok") });
  const middle = new Agent({
    name: "middle",
    logger: quiet,
    flow: "off",
    store,
    model: once("ask"),
    tools: [asking("ask", () => other)],
  });
  const pass = tool({
    name: "pass",
    description: "Asks the agent between.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) => (await middle.run("Middle.", ctx.runOptions)).text,
  });
  const agent: Agent = new Agent({
    ...base,
    name: "outer",
    model: once(inner === "an agent inside another one" ? "pass" : "ask"),
    tools: [pass, asking("ask", () => (inner === "the same agent" ? agent : other))],
  });
  const output = await agent.run("Go.", { sessionId: "s" });
  return { output, failures };
}

const inners: readonly Inner[] = ["the same agent", "another agent", "an agent inside another one"];

test.each(inners.flatMap((inner) => Object.keys(ways).map((way) => [inner, way] as const)))(
  "a tool that starts a run of %s by %s on its own run's session gets an error at once, and its run completes [store.session-order.own]",
  async (inner, way) => {
    for (const [name, options] of Object.entries(given)) {
      // A run with the call's run options is part of the call: it takes no separate session in another agent.
      if (name === "the call's run options" && inner !== "the same agent") continue;
      const { output, failures } = await play(
        inner,
        (agent, ctx) => ways[way]?.(agent, "s", options(ctx)) ?? Promise.reject(),
      );
      expect(failures, name).toMatchObject([{ code: "SESSION_OF_CALLER", retryable: false }]);
      expect(output, name).toMatchObject({ status: "completed", text: "Done." });
    }
  },
);

// The same agent would start itself again without an end.
test.each(inners.slice(1))(
  "a tool may start a run of %s on another session [store.session-order.own]",
  async (inner) => {
    const { output, failures } = await play(inner, (agent) => agent.run("Inner.", { sessionId: "t" }));
    expect(failures).toEqual([undefined]);
    expect(output.status).toBe("completed");
  },
);

test.each(["one agent", "two agents"])(
  "a run of %s that waits more than a second for its session logs the run that holds it, once [store.session-order.logged]",
  async (agents) => {
    const clock = movedClock();
    const store = memoryStore({ clock });
    const lines: string[] = [];
    const logger = { ...quiet, warn: (line: string) => void lines.push(line) };
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const model = scriptedModel(async ({ lastUserText }) => {
      if (lastUserText === "first") await gate;
      return "Done.";
    });
    const make = (name: string): Agent =>
      new Agent({ name, logger, flow: "off", clock, store, session: store.sessions, model });
    const one = make("one");
    const first = one.run("first", { sessionId: "s" });
    await expect.poll(async () => (await store.listRuns({ state: "running" })).length).toBe(1);
    const [holder] = await store.listRuns({ state: "running" });
    const second = (agents === "one agent" ? one : make("two")).run("second", { sessionId: "s" });
    const waits = (): readonly string[] => lines.filter((line) => line.includes("waits for session"));
    await expect
      .poll(() => {
        clock.move(300);
        return waits();
      })
      .toHaveLength(1);
    expect(waits()[0]).toContain(`run ${holder?.id} holds`);
    letGo();
    await expect
      .poll(async () => {
        clock.move(300);
        return (await store.listRuns({ state: "completed" })).length;
      })
      .toBe(2);
    await Promise.all([first, second]);
    expect(waits()).toHaveLength(1);
  },
);
