import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import {
  ContextOverflowError,
  createAgentRuntime,
  tool,
  type AgentRuntime,
  type ModelRequest,
  type RunOptions,
  type RunOutput,
  type RunStore,
  type SessionStore,
} from "@bailiwick/core";
import { faultyStore, scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { lineOf, refuseInvalid } from "./valid-request.fixture.ts";

/** Stores of runs and of their sessions. */
export interface TurnPlace extends AsyncDisposable {
  readonly store: RunStore;
  readonly session: SessionStore;
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A world in which the first turn does not end at once. */
interface World extends TurnPlace {
  /** The agent in this process; `on` changes the stores that it uses, as another process. */
  agent(place?: Pick<TurnPlace, "store" | "session"> & { readonly leaseMs?: number }): AgentRuntime;
  readonly model: ScriptedModel;
  readonly state: {
    /** Plan of the first turn until it is resumed. */
    plan: "fails" | "refuses" | "aborts" | "overflows" | (typeof calls)[number] | undefined;
    healthy: boolean;
    abort: (() => void) | undefined;
    block: Promise<void> | undefined;
  };
}

interface End {
  /** Brings the first turn to this end; returns its run. */
  begin(world: World): Promise<string>;
  /** Brings it to its last end. */
  finish(world: World, runId: string): Promise<RunOutput>;
  /** Default `completed`. */
  readonly status?: "stopped";
  /** Messages of the turn that the session has until then. */
  readonly until: readonly string[];
  /** Messages of the turn at last. */
  readonly whole: readonly string[];
}

const sessionId = "s";

async function begun(world: World, plan: World["state"]["plan"], options: RunOptions = {}): Promise<string> {
  world.state.plan = plan;
  const handle = world.agent().stream("first", { sessionId, ...options });
  await handle.result.catch(() => undefined);
  return handle.runId;
}

async function resumed({ agent, state }: World, runId: string, options: RunOptions = {}): Promise<RunOutput> {
  state.healthy = true;
  const open = await agent().interruptions(runId);
  const decisions = open.map((asked) => (asked.kind === "approval" ? asked.approve() : asked.answer("yes")));
  for (;;) {
    const output = await agent().resume(runId, decisions, options);
    if (output.status !== "sleeping") return output;
    await setTimeout(5);
  }
}

const user = "user: first";
const waits = (reason: string): string => `assistant: [This turn has no answer yet (${reason}).]`;
const called = [user, "assistant: tool_call", "tool: looked"] as const;
const answer = "assistant: answer to first";

/** The call of each kind of wait. */
const calls = ["pay", "ask", "nap"] as const;

function waiting(name: (typeof calls)[number], reason: string, result: string): End {
  return {
    begin: (world) => begun(world, name),
    finish: resumed,
    until: [...called, waits(reason)],
    whole: [...called, "assistant: tool_call", `tool: ${result}`, answer],
  };
}

/** A process that dies at the first call of a store that is meant. */
async function dies(world: World, isMeant: (operation: string, args: string) => boolean): Promise<string> {
  let isOver = false;
  const plan = ({ operation, args }: { readonly operation: string; readonly args: readonly unknown[] }) => {
    isOver ||= isMeant(operation, JSON.stringify(args));
    return isOver ? { crash: true } : undefined;
  };
  const store = faultyStore(world.store, plan);
  const inStore = world.session === world.store.sessions;
  const sessions = faultyStore({ ...world.store, sessions: world.session }, plan);
  const session = (inStore ? store.sessions : sessions.sessions) as SessionStore;
  const handle = world.agent({ store, session, leaseMs: 1_000 }).stream("first", { sessionId });
  void handle.result.catch(() => undefined);
  await (inStore ? store.crashed : Promise.race([store.crashed, sessions.crashed]));
  return handle.runId;
}

const ends: Readonly<Record<string, End>> = {
  failed: {
    begin: (world) => begun(world, "fails"),
    finish: resumed,
    until: [...called, "assistant: [This turn has no answer yet (MODEL_API_ERROR).]"],
    whole: [...called, answer],
  },
  "suspended for an approval": waiting("pay", "awaiting_approval", "paid"),
  "suspended for a question": waiting("ask", "awaiting_answer", "yes"),
  sleeping: waiting("nap", "sleeping", "slept"),
  cancelled: {
    async begin(world) {
      const controller = new AbortController();
      world.state.abort = () => controller.abort();
      return begun(world, "aborts", { signal: controller.signal });
    },
    finish: resumed,
    until: called,
    whole: [...called, answer],
  },
  "stopped by a limit": {
    begin: (world) => begun(world, undefined, { maxTurns: 1 }),
    finish: (world, runId) => resumed(world, runId, { maxTurns: 9 }),
    until: called,
    whole: [...called, answer],
  },
  context_overflow: {
    begin: (world) => begun(world, "overflows"),
    finish: resumed,
    until: [],
    whole: [...called, answer],
  },
  refused: {
    begin: (world) => begun(world, "refuses"),
    // A refusal is the answer: a resume adds nothing.
    finish: resumed,
    status: "stopped",
    until: [...called, "assistant: I will not."],
    whole: [...called, "assistant: I will not."],
  },
  "crashed in a model call": {
    begin: (world) => dies(world, (operation, args) => operation === "append" && args.includes('"turn":2')),
    finish: (world, runId) => resumed(world, runId, { formerIsGone: true } as RunOptions),
    until: [],
    whole: [...called, answer],
  },
  "crashed between its end and its session": {
    begin: (world) => dies(world, (operation) => operation === "sessions.append" || operation === "release"),
    finish: (world, runId) => resumed(world, runId, { formerIsGone: true } as RunOptions),
    until: [],
    whole: [...called, answer],
  },
};

function worldOf(place: TurnPlace): World {
  const state: World["state"] = { plan: undefined, healthy: false, abort: undefined, block: undefined };
  const read = { inputSchema: z.object({}), sideEffectClass: "read-only" } as const;
  const tools = [
    tool({ ...read, name: "look", description: "Looks.", execute: () => "looked" }),
    tool({ ...read, name: "pay", description: "Pays.", needsApproval: true, execute: () => "paid" }),
    tool({
      ...read,
      name: "ask",
      description: "Asks.",
      execute: (_input, ctx) => ctx.ask({ question: "Really?", schema: z.string() }),
    }),
    tool({
      ...read,
      name: "nap",
      description: "Sleeps.",
      execute: async (_input, ctx) => {
        await ctx.sleep({ ms: 30 });
        return "slept";
      },
    }),
  ];
  const results = ["paid", "yes", "slept"];
  const model = scriptedModel(async ({ lastUserText, messages }) => {
    if (lastUserText !== "first") {
      if (lastUserText !== "last") await state.block;
      return `answer to ${lastUserText}`;
    }
    const last = messages.at(-1);
    if (last?.role === "user") return { toolCalls: [{ name: "look" }] };
    const { plan, healthy } = state;
    const isCall = calls.find((name) => name === plan);
    if (isCall !== undefined && !results.includes(last?.text ?? "")) return { toolCalls: [{ name: isCall }] };
    if (healthy) return "answer to first";
    if (plan === "fails") return { faults: { error: { status: 400 } } };
    if (plan === "refuses") return { refusal: "I will not." };
    if (plan !== "aborts") return "answer to first";
    state.abort?.();
    return { text: "Never.", faults: { hangAfterEvents: 0 } };
  });
  const check = (request: ModelRequest): void => {
    refuseInvalid(request.messages);
    const last = request.messages.findLast(({ role }) => role === "user");
    if (!state.healthy && state.plan === "overflows" && last?.content === "first")
      throw new ContextOverflowError("too long", { provider: "scripted" });
  };
  const strict: ScriptedModel = Object.assign(Object.create(model) as ScriptedModel, {
    generate: async (request: ModelRequest) => (check(request), model.generate(request)),
    stream: (request: ModelRequest) => (check(request), model.stream(request)),
  });
  return {
    ...place,
    model,
    state,
    agent({ store, session, leaseMs } = place) {
      return createAgentRuntime({
        name: "agent",
        model: strict,
        tools,
        store,
        session,
        logger: quiet,
        retry: { maxRetries: 0 },
        leaseMs,
      });
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

/** The later turns: their number, and whether the last one still runs when the first is resumed. */
const later = { none: 0, one: 1, two: 2, "one that still runs": 1 } as const;

/**
 * Cases of each end of a turn, with each number of later turns, in each place. They check that the session has the turns in
 * the order in which they were asked, and that each request is valid.
 */
export function turnCases(
  places: Readonly<Record<string, () => Promise<TurnPlace>>>,
): readonly { readonly name: string; run(): Promise<void> }[] {
  return Object.entries(places).flatMap(([place, open]) =>
    Object.entries(ends).flatMap(([name, end]) =>
      Object.entries(later).map(([turns, count]) => ({
        name: `a turn that is ${name} stays where it was asked, later turns: ${turns}, ${place}`,
        async run() {
          await using world = worldOf(await open());
          const { agent, model, session, state } = world;
          const read = async (): Promise<readonly string[]> => (await session.load(sessionId)).messages.map(lineOf);
          const ask = (input: string): Promise<RunOutput> => agent().run(input, { sessionId });
          const runId = await end.begin(world);
          // A turn that left nothing in the session is known by its time.
          const began = Date.now();
          while (Date.now() <= began) await setTimeout(1);
          assert.deepEqual(await read(), end.until);
          const turn = (n: number): readonly string[] => [`user: turn ${n}`, `assistant: answer to turn ${n}`];
          const others = Array.from({ length: count }, (_, n) => turn(n)).flat();
          if (turns === "one that still runs") {
            let unblock = (): void => undefined;
            state.block = new Promise((resolve) => (unblock = resolve));
            const before = model.requests.length;
            const running = ask("turn 0");
            while (model.requests.length === before) await setTimeout(1);
            const finishing = end.finish(world, runId);
            unblock();
            await Promise.all([running, finishing]);
          } else {
            for (let n = 0; n < count; n += 1) await ask(`turn ${n}`);
            assert.deepEqual(await read(), [...end.until, ...others]);
            assert.equal((await end.finish(world, runId)).status, end.status ?? "completed");
          }
          const all = [...end.whole, ...others];
          assert.deepEqual(await read(), all);
          assert.equal((await ask("last")).text, "answer to last");
          assert.deepEqual(await read(), [...all, "user: last", "assistant: answer to last"]);
          const sent = model.requests.at(-1)?.messages ?? [];
          assert.deepEqual(sent.filter(({ role }) => role !== "system").map(lineOf), [...all, "user: last"]);
          // A copy by export, by branch and by append has the same order.
          const texts = async (id: string): Promise<readonly string[]> => (await session.load(id)).messages.map(lineOf);
          assert.deepEqual(await texts(await session.import(await session.export(sessionId))), await read());
          assert.deepEqual(await texts(await session.branch(sessionId)), await read());
          await session.append("other", [{ id: "o", role: "user", content: "other" }], { runId: "o", seq: 0 });
          await session.append("other", (await session.load(sessionId)).messages, { runId: "o", seq: 1 });
          assert.deepEqual(await texts("other"), ["user: other", ...(await read())]);
        },
      })),
    ),
  );
}
