import { createAgentRuntime, memoryStore, tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openaiRoutes } from "../openai/openai-routes.ts";
import type { OpenaiRoutesOptions } from "../openai/openai-options.ts";
import type { Share } from "./authorize.ts";
import { runRoutes } from "./run-routes.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => {
  process.off("unhandledRejection", keep);
  logged.mockRestore();
});

const boom = (): never => {
  throw new Error("boom");
};

/** An object whose members throw when they are read. */
const trap = (...names: readonly string[]): object =>
  Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { enumerable: true, get: boom }])));

const behaviours: Readonly<Record<string, () => unknown>> = {
  throws: boom,
  "throws no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "never settles": () => new Promise(() => undefined),
  "returns nonsense": () => 7,
  "returns false": () => false,
  "returns true": () => true,
  "returns nothing": () => undefined,
  "returns a list": () => [],
  "returns a response": () => new Response(null, { status: 401 }),
  "returns an error": () => new Error("No session."),
  "returns a map": () => new Map([["userId", "eve"]]),
  "returns a record without userId": () => ({ id: "eve", tenantId: "acme" }),
  "returns a misspelt userId": () => ({ userID: "eve" }),
  "returns other ids": () => ({ userId: 5, tenantId: null }),
  "returns an empty id": () => ({ userId: "" }),
  "returns a getter that throws": () => trap("userId", "tenantId", "input", "messages", "type", "text"),
  "returns a then that throws": () => trap("then"),
};

/** Names of the functions that options take: a function without a row does not compile. */
type FunctionsOf<Options> = {
  [Name in keyof Options]-?: [Extract<NonNullable<Options[Name]>, (...given: never[]) => unknown>] extends [never]
    ? never
    : Name;
}[keyof Options] &
  string;

type Callback =
  | `run.${FunctionsOf<RunRoutesOptions>}`
  | `openai.${FunctionsOf<OpenaiRoutesOptions>}`
  | `share.${FunctionsOf<Share>}`;

interface Row {
  /** Effect of a failure: the request is refused before a run begins, or it has no effect on the run. */
  readonly effect: "refused" | "none";
  readonly run?: (bad: never) => Partial<RunRoutesOptions>;
  readonly openai?: (bad: never) => Partial<OpenaiRoutesOptions>;
  /** Requests that the row is about; default: a start. */
  readonly path?: string;
  /** The run fails. */
  readonly fails?: true;
}

const shared = (share: Share): Partial<RunRoutesOptions> => ({ authorize: () => ({ userId: "eve" }), share });

const rows: Readonly<Record<Callback, Row>> & Readonly<Record<string, Row>> = {
  "run.authorize": { effect: "refused", run: (authorize) => ({ authorize }) },
  "run.authorize, reading": { effect: "refused", run: (authorize) => ({ authorize }), path: "/runs/RUN" },
  "run.authorize, records": { effect: "refused", run: (authorize) => ({ authorize }), path: "/runs/RUN/stream" },
  "run.authorize, list": { effect: "refused", run: (authorize) => ({ authorize }), path: "/runs" },
  "run.toRunInput": { effect: "refused", run: (toRunInput) => ({ toRunInput }) },
  "run.errorText": { effect: "none", run: (errorText) => ({ errorText }), fails: true },
  "run.waitUntil": { effect: "none", run: (waitUntil) => ({ waitUntil }) },
  "run.onError": { effect: "none", run: (onError) => ({ onError, waitUntil: boom }) },
  "run.onError, of a refusal": { effect: "refused", run: (onError) => ({ onError, toRunInput: boom }) },
  "openai.authorize": { effect: "refused", openai: (authorize) => ({ authorize }) },
  "openai.errorText": { effect: "none", openai: (errorText) => ({ errorText }), fails: true },
  "openai.waitUntil": { effect: "none", openai: (waitUntil) => ({ waitUntil }) },
  "openai.onError": { effect: "none", openai: (onError) => ({ onError, waitUntil: boom }) },
  "openai.questionUrl": { effect: "none", openai: (questionUrl) => ({ questionUrl }) },
  "share.read": { effect: "refused", run: (read) => shared({ read }), path: "/runs/RUN" },
  "share.decide": { effect: "refused", run: (decide) => shared({ decide }), path: "/runs/RUN/decisions" },
  "share.continue": { effect: "refused", run: (go) => shared({ continue: go }), path: "/runs/RUN/cancel" },
  "share.fork": { effect: "refused", run: (fork) => shared({ fork }), path: "/runs/RUN/fork" },
};

/** A boolean is an answer of a rule that shares, and `toRunInput` may return any object. */
const isAnswer = (name: string, behaviour: string): boolean =>
  name.startsWith("share.") && behaviour === "returns true";

/** Lets what a request left behind come to its end. */
async function quietened(): Promise<readonly unknown[]> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return unhandled.splice(0);
}

const cases = Object.entries(rows).flatMap(([name, row]) =>
  Object.entries(behaviours)
    .filter(([behaviour]) => !isAnswer(name, behaviour))
    .map(([behaviour, bad]) => [name, behaviour, row, bad] as const),
);

test.each(cases)(
  "%s that %s ends no process, and grants no access [hooks.one-call.unawaited] [server.authorize] [server.authorize.answer]",
  async (name, behaviour, row, bad) => {
    const ran: string[] = [];
    let isDown = false;
    const store = memoryStore();
    const write = tool({
      name: "write",
      description: "Writes.",
      inputSchema: { type: "object" },
      sideEffectClass: "external-stateful",
      idempotencyKey: "call",
      execute: () => void ran.push("write"),
    });
    const model = scriptedModel(({ toolResults }) => {
      if (toolResults.length === 0) return { toolCalls: [{ name: "write", arguments: {} }] };
      return isDown ? boom() : "A secret answer.";
    });
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    const agent = createAgentRuntime({
      name: "clerk",
      model,
      tools: [write],
      store,
      logger: quiet,
      retry: { maxRetries: 0 },
    });
    // A run of another user, for the routes about one.
    const { runId } = await agent.run("Mine.", { userId: "ada" });
    expect(ran.splice(0)).toEqual(["write"]);
    isDown = row.fails === true;
    const before = JSON.stringify(await store.load(runId));
    const app =
      row.openai === undefined
        ? runRoutes({ agent, store, ...row.run?.(bad as never) })
        : openaiRoutes({ agent, store, questionUrl: () => "https://app.example/", ...row.openai(bad as never) });
    const body = row.openai
      ? { model: "clerk", messages: [{ role: "user", content: "Go." }] }
      : {
          id: "a session of eve, long enough",
          messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Go." }] }],
        };
    const path = row.path ?? (row.openai ? "/chat/completions" : "/chat");
    const isGet = row.path !== undefined && !/decisions|cancel|fork/u.test(row.path);
    const answered = Promise.resolve(
      app.fetch(
        new Request(`http://localhost${path.replace("RUN", runId)}`, {
          method: isGet ? "GET" : "POST",
          headers: { "content-type": "application/json" },
          ...(!isGet && { body: JSON.stringify(row.path === undefined ? body : { decisions: [], atSeq: 1 }) }),
        }),
      ),
    ).then(async (response) => ({ status: response.status, text: await response.text() }));
    // A function that is awaited and never settles holds its own request, and nothing else.
    const hangs = behaviour === "never settles" && row.effect === "refused" && !name.includes("onError");
    const outcome = hangs ? await Promise.race([answered, quietened().then(() => undefined)]) : await answered;
    expect(await quietened()).toEqual([]);
    expect(JSON.stringify(await store.load(runId))).toBe(before);
    if (row.effect === "none") {
      expect([outcome?.status, ran]).toEqual([expect.any(Number), ["write"]]);
      if (row.fails !== true) expect(outcome).toMatchObject({ status: 200, text: expect.stringContaining("secret") });
      else expect(outcome?.text).toContain("The run failed (ERROR).");
    } else {
      expect(ran).toEqual([]);
      expect(outcome?.text ?? "").not.toMatch(/secret|boom/u);
      if (outcome !== undefined) expect(outcome.status).toBeGreaterThanOrEqual(400);
    }
  },
);
