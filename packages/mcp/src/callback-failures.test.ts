import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { agentWith } from "./agents.test.helper.ts";
import { bookingServer } from "./elicitation.fixture.ts";
import { loopback } from "./http-server.test.helper.ts";
import type { Loopback } from "./http-server.test.helper.ts";
import { enterpriseAssertion, jwtBearer, mcp, oauth } from "./index.ts";
import type {
  EnterpriseAssertionOptions,
  JwtBearerOptions,
  McpHttpOptions,
  McpStdioOptions,
  OAuthOptions,
  SamplingOptions,
} from "./index.ts";
import { authorizedServer } from "./oauth/authorization-server.test.helper.ts";
import { summaryServer } from "./sampling.fixture.ts";
import { sessionServer } from "./session-server.test.helper.ts";
import { trackerServer } from "./tracker.fixture.ts";

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

/** An object with members that throw when they are read. */
const trap = (...names: readonly string[]): object =>
  Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { enumerable: true, get: boom }])));

const failures: Readonly<Record<string, () => unknown>> = {
  throws: boom,
  "throws no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "returns nonsense": () => 7,
  "returns nothing": () => undefined,
  "returns a list": () => [],
  "returns a getter that throws": () => trap("action", "content", "ok", "status", "href"),
  "returns a then that throws": () => trap("then"),
};
const never = (): Promise<never> => new Promise(() => undefined);
const behaviours = { ...failures, "never settles": never };

/** Names of the functions that options take: a function without a row does not compile. */
type FunctionsOf<Options> = {
  [Name in keyof Options]-?: [Extract<NonNullable<Options[Name]>, (...given: never[]) => unknown>] extends [never]
    ? never
    : Name;
}[keyof Options] &
  string;

/** Each function of these options, and the test of its failures. */
const covered: {
  readonly stdio: Readonly<Record<FunctionsOf<McpStdioOptions>, true>>;
  readonly http: Readonly<Record<FunctionsOf<McpHttpOptions>, true>>;
  readonly sampling: Readonly<Record<FunctionsOf<SamplingOptions>, true>>;
  readonly oauth: Readonly<Record<FunctionsOf<OAuthOptions>, true>>;
  readonly bearer: Readonly<Record<FunctionsOf<JwtBearerOptions>, true>>;
  readonly enterprise: Readonly<Record<FunctionsOf<EnterpriseAssertionOptions>, true>>;
} = {
  stdio: { elicitation: true },
  http: { elicitation: true, fetch: true },
  sampling: { approve: true },
  oauth: { onAuthorization: true },
  bearer: { assertion: true },
  enterprise: { idToken: true, fetch: true },
};

async function unhandledRejections(): Promise<readonly unknown[]> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return unhandled.splice(0);
}

const protocols = ["auto", "legacy"] as const;
const tools = { "*": { sideEffectClass: "external-stateful" } } as const;
const crossed = (table: Readonly<Record<string, () => unknown>>) =>
  Object.entries(table).flatMap(([how, bad]) => protocols.map((protocol) => [how, protocol, bad] as const));

async function served(
  protocol: (typeof protocols)[number],
  make: () => ReturnType<typeof bookingServer>,
): Promise<Loopback> {
  if (protocol === "legacy") return sessionServer(undefined, make);
  const handler = createMcpHandler(make);
  return loopback((request) => handler.fetch(request));
}

test.each(
  crossed({
    ...behaviours,
    "returns an unknown action": () => ({ action: "approve", content: { seats: 2 } }),
    "accepts without the fields of the form": () => ({ action: "accept" }),
    "accepts with a value that the form refuses": () => ({ action: "accept", content: { seats: 0 } }),
  }),
)(
  "elicitation that %s answers a server in %s with nothing but a cancel [hooks.one-call.unawaited]",
  async (how, protocol, bad) => {
    const booked: unknown[] = [];
    await using server = await served(protocol, () => bookingServer(booked));
    const timeoutMs = how === "never settles" ? 300 : 20_000;
    await using client = mcp({
      name: "booking",
      url: server.url,
      protocol,
      tools,
      timeoutMs,
      elicitation: bad as never,
    });
    const { agent, logger } = agentWith([client], [{ toolCalls: [{ name: "book", arguments: {} }] }, "Done."], {
      flow: "off",
    });
    const output = await agent.run("Book.");
    expect(await unhandledRejections()).toEqual([]);
    expect(output.status).toBe("completed");
    if (how === "never settles") {
      expect(booked).toEqual([]);
      expect(output.toolCalls).toMatchObject([{ isError: true }]);
      return;
    }
    expect(booked).toEqual(["cancel"]);
    expect(output.toolCalls).toMatchObject([{ isError: false, output: "nothing booked" }]);
    expect(logger.lines.filter((line) => line.includes('"elicitation"'))).toHaveLength(1);
  },
);

test.each(crossed({ ...behaviours, "returns a text": () => "true", "returns an object": () => ({ approved: true }) }))(
  "sampling.approve that %s approves no request of a server in %s [hooks.one-call.unawaited]",
  async (how, protocol, bad) => {
    const answers: unknown[] = [];
    await using server = await served(protocol, () => summaryServer(answers));
    const timeoutMs = how === "never settles" ? 300 : 20_000;
    const sampling = { approve: bad as never };
    await using client = mcp({ name: "summary", url: server.url, protocol, tools, timeoutMs, sampling });
    const { agent, model } = agentWith([client], [{ toolCalls: [{ name: "summarize", arguments: {} }] }, "Done."], {
      flow: "off",
    });
    const output = await agent.run("Summarize.");
    expect(await unhandledRejections()).toEqual([]);
    expect(output).toMatchObject({ status: "completed", toolCalls: [{ isError: true }] });
    expect(JSON.stringify(output.toolCalls)).not.toContain("connection");
    expect([answers, model.requests.length]).toEqual([[], 2]);
  },
);

test.each(Object.entries(behaviours))(
  "fetch that %s fails the connection, and no writer is sent twice [hooks.one-call.unawaited]",
  async (how, bad) => {
    const calls: unknown[] = [];
    const handler = createMcpHandler(() => trackerServer({ calls, cancelled: [] } as never));
    await using server = await loopback((request) => handler.fetch(request));
    const limits = how === "never settles" ? { connectTimeoutMs: 300, timeoutMs: 300 } : {};
    await using broken = mcp({ name: "tracker", url: server.url, tools, ...limits, fetch: bad });
    await expect(broken.connect()).rejects.toMatchObject({ code: "MCP_UNAVAILABLE" });
    // The connection works, and the call fails.
    let isBroken = false;
    let sent = 0;
    const send: typeof globalThis.fetch = (input, init) => {
      if (!isBroken || !(typeof init?.body === "string" && init.body.includes("tools/call")))
        return globalThis.fetch(input, init);
      sent += 1;
      return bad();
    };
    await using later = mcp({ name: "tracker", url: server.url, tools, ...limits, fetch: send });
    await later.connect();
    isBroken = true;
    const call = { toolCalls: [{ name: "create_issue", arguments: { repo: "site", title: "Broken" } }] };
    const { agent } = agentWith([later], [call, "Done."], { flow: "off" });
    const output = await agent.run("go").catch((error: unknown) => error);
    expect(await unhandledRejections()).toEqual([]);
    expect(sent).toBe(1);
    expect(JSON.stringify(output)).not.toContain('"isError":false');
  },
);

test.each(Object.entries(behaviours))(
  "onAuthorization that %s changes nothing about the error of the call [hooks.one-call.unawaited]",
  async (_how, bad) => {
    await using world = await authorizedServer();
    const auth = oauth({
      clientName: "Desk",
      redirectUrl: "http://localhost:8976/callback",
      onAuthorization: bad,
    });
    await using tracker = mcp({ name: "tracker", url: world.url, auth });
    const error: unknown = await tracker.connect().catch((thrown: unknown) => thrown);
    expect(await unhandledRejections()).toEqual([]);
    expect(error).toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED", authorizationUrl: expect.any(String) });
    await tracker.finishAuthorization(await world.approve(auth.pendingUrl ?? ""));
    expect(await tracker.connect()).toMatchObject({ protocolVersion: "2026-07-28" });
  },
);

/** Calls of the functions that return credentials. A timer of the system bounds each; the test advances it. */
async function settledSoon<T>(how: string, call: () => Promise<T>): Promise<unknown> {
  if (how !== "never settles") return call().catch((error: unknown) => error);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const called = call().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(31_000);
    return await called;
  } finally {
    vi.useRealTimers();
  }
}

const wrongTexts = { "returns an empty text": () => " ", "returns an object": () => ({ token: "x" }) };
const request = {
  authorizationServerUrl: "https://login.tracker.example",
  resourceUrl: "https://tracker.example/mcp",
  scope: undefined,
};

test.each(Object.entries({ ...behaviours, ...wrongTexts }))(
  "assertion and idToken that %s send nothing to the authorization server [hooks.one-call.unawaited]",
  async (how, bad) => {
    const provider = jwtBearer({ clientId: "nightly", issuer: "https://login.example", assertion: bad as never });
    const noAssertion = await settledSoon(how, async () => provider.prepareTokenRequest?.());
    expect(noAssertion).toMatchObject({ message: expect.stringContaining('"assertion" gave no credential') });
    const sent: unknown[] = [];
    const assertion = enterpriseAssertion({
      identityProvider: "https://login.corp.example",
      tokenEndpoint: "https://login.corp.example/token",
      clientId: "desk",
      idToken: bad as never,
      fetch: async (url) => (sent.push(url), Response.json({})),
    });
    const noToken = await settledSoon(how, async () => assertion(request));
    expect(noToken).toMatchObject({ message: expect.stringContaining('"idToken" gave no credential') });
    expect(sent).toEqual([]);
    expect(await unhandledRejections()).toEqual([]);
  },
);

test.each(Object.entries(behaviours))(
  "fetch of an enterprise assertion that %s gives no credential [hooks.one-call.unawaited]",
  async (how, bad) => {
    const assertion = enterpriseAssertion({
      identityProvider: "https://login.corp.example",
      clientId: "desk",
      idToken: () => "id-token",
      fetch: bad,
    });
    const provider = jwtBearer({ clientId: "nightly", issuer: "https://login.example", assertion });
    await provider.saveResourceUrl?.(request.resourceUrl);
    const outcome = await settledSoon(how, async () => provider.prepareTokenRequest?.());
    expect(outcome).toMatchObject({ message: expect.stringContaining('"assertion" gave no credential') });
    expect(await unhandledRejections()).toEqual([]);
  },
);

test("each function of the options has a test of its failures", () => {
  expect(Object.values(covered).flatMap((options) => Object.keys(options))).toHaveLength(8);
});
