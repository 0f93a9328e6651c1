import { memoryStore, tool, toolReturn, type Message, type RunOutput, type StopReason } from "@bailiwick/core";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { movedClock, quiet } from "../fixtures.test.helper.ts";
import { Agent, type AgentOptions, type RunHandle } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off", loopDetection: false, retry: { maxRetries: 0 } } as const;
const words = "Only the blue ones.";

/** How a run ends after its tool has worked. */
interface End {
  readonly options?: Partial<AgentOptions> | undefined;
  /** The answers after the tool's result. */
  readonly answers?: readonly (string | ScriptStep)[] | undefined;
  /** Called by the tool after the message was given. */
  readonly stop?: ((handle: RunHandle, agent: Agent, clock: ReturnType<typeof movedClock>) => unknown) | undefined;
  /** The tool waits until the run is stopped. */
  readonly hangs?: boolean | undefined;
  readonly endRun?: boolean | undefined;
  /** Reasons with which the run may end. Default: the one of the entry. */
  readonly reasons?: readonly StopReason[] | undefined;
}

type Ended = Exclude<StopReason, `awaiting_${string}` | "sleeping">;

const blocked = { pass: false, reason: "No." } as const;

const workCall = { toolCalls: [{ name: "work" }] } as const;
const overflow = { faults: { contextOverflow: true } } as const;
const half = { text: "Once", finish: "length" } as const;

/** Every reason for the end of a run, with the ways to it. The compiler reports a reason without one. */
const ends: Readonly<Record<Ended, readonly End[]>> = {
  completed: [{ answers: ["Done.", "Done."] }],
  // A message continues a run that its tool wanted to end.
  stopped_by_tool: [{ endRun: true, reasons: ["stopped_by_tool", "completed"] }],
  truncated: [{ answers: [half, half] }],
  stop_condition: [{ options: { stopWhen: () => true } }],
  stopped_by_hook: [{ options: { loopHooks: { onRoundtripComplete: () => ({ stop: true }) } } }],
  refused: [{ answers: [{ refusal: "I will not." }] }],
  max_turns: [{ options: { maxTurns: 1 } }],
  budget_exhausted: [{ options: { budget: { tokens: 500 } } }],
  timed_out: [
    { options: { timeouts: { totalMs: 60_000 } }, stop: (_handle, _agent, clock) => clock.move(60_000), hangs: true },
  ],
  loop_detected: [{ options: { loopDetection: 2 }, answers: [workCall, workCall] }],
  policy_denied: [
    {
      options: {
        prepareStep: ({ messages }) => {
          if (messages.length > 1) throw new Error("No settings.");
        },
      },
    },
  ],
  unattended: [
    {
      options: { flow: { mode: "enforce", unattended: "fail" }, approval: { policy: ({ name }) => name === "gated" } },
      answers: [{ toolCalls: [{ name: "gated" }] }],
    },
  ],
  guardrail_blocked: [
    { options: { guardrails: { output: [{ name: "none", validate: () => blocked }] } }, answers: ["Done.", "Done."] },
  ],
  cancelled: [
    { stop: (handle) => handle.abort("enough"), hangs: true },
    { stop: (handle, agent) => agent.cancel(handle.runId), hangs: true },
  ],
  context_overflow: [{ answers: [overflow, overflow] }],
  failed: [
    { answers: [{ faults: { error: { status: 500 } } }] },
    { answers: [{ text: "one two three four", faults: { cutAfterEvents: 2 } }] },
  ],
};

const givers = {
  "the handle's steer": (handle: RunHandle) => handle.steer(words),
  "the handle's followUp": (handle: RunHandle) => handle.followUp(words),
  "the agent's steer": (handle: RunHandle, agent: Agent) => agent.steer(handle.runId, words),
  "the agent's followUp": (handle: RunHandle, agent: Agent) => agent.followUp(handle.runId, words),
  "another process's steer": (handle: RunHandle, _agent: Agent, other: Agent) => other.steer(handle.runId, words),
  "another process's followUp": (handle: RunHandle, _agent: Agent, other: Agent) => other.followUp(handle.runId, words),
} as const;

const sessions = {
  "the store's session": (store: ReturnType<typeof memoryStore>) => store.sessions,
  "a session in another store": () => memoryStore().sessions,
  "no session": () => undefined,
} as const;

const isWords = ({ role, content }: Pick<Message, "role" | "content">): boolean => role === "user" && content === words;

const cases = Object.entries(ends).flatMap(([reason, ways]) =>
  ways.flatMap((_way, way) =>
    Object.keys(sessions).map((session) => [reason as Ended, way, session as keyof typeof sessions] as const),
  ),
);

test.each(cases)(
  "words that a run accepts are once in its output and its session, however it ends (%s %i, %s) [run.kept-messages]",
  async (reason, way, where) => {
    const end = ends[reason][way] as End;
    for (const [giver, give] of Object.entries(givers)) {
      const store = memoryStore();
      const session = sessions[where](store);
      const { answers = ["Done."], endRun, hangs } = end;
      let handle: RunHandle | undefined;
      let given = false;
      const work = tool({
        name: "work",
        description: "Works.",
        inputSchema: z.object({}),
        sideEffectClass: "read-only",
        execute: async (_input, ctx) => {
          const running = handle as RunHandle;
          if (!given) expect(await give(running, agent, other), giver).toEqual({ kept: "run" });
          given = true;
          await end.stop?.(running, agent, clock);
          if (hangs === true)
            await new Promise((_resolve, reject) => {
              if (ctx.signal.aborted) reject(new Error("stopped"));
              ctx.signal.addEventListener("abort", () => reject(new Error("stopped")));
            });
          return toolReturn({ output: "worked", endRun });
        },
      });
      const gated = tool({
        name: "gated",
        description: "Acts.",
        inputSchema: z.object({}),
        sideEffectClass: "read-only",
        execute: () => "acted",
      });
      const clock = movedClock();
      const common = { ...base, store, session, clock, leaseMs: 600_000, tools: [work, gated] };
      const script: readonly (string | ScriptStep)[] = [
        { ...workCall, usage: { inputTokens: 400, outputTokens: 100 } },
        ...answers,
      ];
      const agent = new Agent({ ...common, model: scriptedModel(script), ...end.options });
      const other = new Agent({ ...common, model: scriptedModel([]) });
      handle = agent.stream("Go.", { sessionId: "s", userId: "ada" });
      const output = await handle.result.catch((error: { readonly output?: RunOutput }) => error.output as RunOutput);
      const label = `${giver}, ${reason}`;
      expect(end.reasons ?? [reason], label).toContain(output.stopReason);
      expect(output.messages.filter(isWords), label).toHaveLength(1);
      if (session === undefined) continue;
      const { messages } = await session.load("s", { userId: "ada" });
      expect(messages.filter(isWords), label).toHaveLength(1);
      // The next run of the conversation reads them once.
      const model = scriptedModel(["Fine."]);
      await new Agent({ ...common, model }).run("Next.", { sessionId: "s", userId: "ada" });
      expect(JSON.stringify(model.requests[0]?.messages).split(words), label).toHaveLength(2);
    }
  },
);

test("a run that is resumed after it ended reads the words, and its session has them once [run.kept-messages]", async () => {
  for (const [fault, session] of [
    [{ text: "one two three four", faults: { cutAfterEvents: 2 } }, "store"],
    [{ faults: { error: { status: 500 } } }, "store"],
    [{ faults: { error: { status: 500 } } }, "elsewhere"],
  ] as const) {
    const store = memoryStore();
    const sessions = session === "store" ? store.sessions : memoryStore().sessions;
    const model = scriptedModel([fault, fault, "Done.", "Blue."]);
    const agent = new Agent({ ...base, store, session: sessions, model });
    const handle = agent.stream("Go.", { sessionId: "s" });
    handle.followUp(words);
    await handle.result.catch(() => undefined);
    // Fails again, with the words in its session already.
    await agent.resume(handle.runId).catch(() => undefined);
    expect((await sessions.load("s")).messages.filter(isWords)).toHaveLength(1);
    const { messages, text } = await agent.resume(handle.runId);
    expect([text, messages.filter(isWords).length]).toEqual(["Blue.", 1]);
    const stored = (await sessions.load("s")).messages;
    expect(stored.filter(isWords)).toHaveLength(1);
    expect(stored.at(-1)).toMatchObject({ role: "assistant", content: [{ text: "Blue." }] });
  }
});

test("words that come with a blocked input are in the session without the input [run.kept-messages]", async () => {
  const store = memoryStore();
  const guardrails = { input: [{ name: "none", validate: () => blocked }] };
  const agent = new Agent({ ...base, store, session: store.sessions, model: scriptedModel([]), guardrails });
  const handle = agent.stream("Go.", { sessionId: "s" });
  handle.followUp(words);
  await handle.result.catch(() => undefined);
  expect((await store.sessions.load("s")).messages.map(({ content }) => content)).toEqual([words]);
});

test("words to a run that is being stopped are kept for the next run of the session, and after its end they are refused [run.kept-messages]", async () => {
  for (const hasSession of [true, false]) {
    const store = memoryStore();
    let kept: unknown;
    let refused: unknown;
    const agent = new Agent({
      ...base,
      store,
      ...(hasSession && { session: store.sessions }),
      model: scriptedModel([workCall]),
      tools: [
        tool({
          name: "work",
          description: "Works.",
          inputSchema: z.object({}),
          sideEffectClass: "read-only",
          execute: () => {
            handle.abort();
            kept = handle.followUp(words);
            return "worked";
          },
        }),
      ],
    });
    const handle = agent.stream("Go.", { sessionId: "s" });
    for await (const event of handle)
      if (event.type === "run.end")
        try {
          handle.steer("Too late.");
        } catch (error) {
          refused = error;
        }
    const { status, messages } = await handle.result;
    expect([status, kept, messages.filter(isWords).length]).toEqual([
      "cancelled",
      { kept: hasSession ? "session" : "run" },
      1,
    ]);
    expect(refused).toMatchObject({ code: "RUN_OVER" });
  }
});

test("a signal with an unknown name is journaled, logged, and named in the output's warnings [run.signal.unknown]", async () => {
  const store = memoryStore();
  const logged: string[] = [];
  const logger = { ...quiet, warn: (message: string) => void logged.push(message) };
  const agent = new Agent({ ...base, logger, store, model: scriptedModel(["Done."]) });
  const { runId } = await agent.enqueue("Go.");
  await store.signal(runId, { name: "stear", id: "s1", payload: words });
  const { warnings } = await agent.resume(runId);
  expect(warnings).toMatchObject([{ code: "signal_unknown", subject: "s1" }]);
  expect(logged.filter((line) => line.includes('"stear"'))).toHaveLength(1);
  const { events } = await agent.inspect(runId);
  expect(events.filter(({ type }) => type === "signal.taken")).toMatchObject([{ signal: { payload: words } }]);
});
