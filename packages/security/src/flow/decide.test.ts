import type { FlowDecision, Tool } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";

import { folded, said } from "./folded-run.test.helper.ts";
import type { Folded, FoldedRun } from "./folded-run.test.helper.ts";
import { createDenials } from "./flow-state.ts";
import { authorityLeaves } from "./r3-authority.ts";
import { mcpServer, resolved } from "./resolved.test.helper.ts";
import { argumentLeaves } from "./argument-leaves.ts";
import { rolesOf } from "./tool-roles.ts";

const text = { type: "string" } as const;
const inputSchema = { type: "object", properties: { to: text, body: text, url: text } } as const;
const secret = { sensitivity: "secret", sideEffectClass: "read-only" } as const;
const reads = { sideEffectClass: "read-only", inputSchema } as const;
const writes = { sideEffectClass: "external-stateful", idempotencyKey: "call", inputSchema } as const;
const sends = { flow: { authority: ["to"], payload: ["body"] } } as const;
const tools = [
  resolved({ ...reads, name: "plain" }),
  resolved({ ...reads, name: "mail", output: { integrity: "untrusted", readers: "public" } }),
  resolved({ ...reads, name: "own", output: { integrity: "verified" } }),
  resolved({ ...reads, name: "bank", output: { integrity: "verified", readers: ["team:bank", "user:ann"] } }),
  resolved({
    ...reads,
    name: "open",
    outputSchema: z.boolean(),
    output: { integrity: "untrusted", readers: "public" },
  }),
  resolved({ ...reads, name: "look", flow: { authority: ["to"] } }),
  resolved({ ...writes, name: "send", ...sends }),
  resolved({ ...writes, name: "tell", flow: { ...sends.flow, readers: () => ["team:bank"] as const } }),
  resolved({
    ...writes,
    name: "crash",
    flow: {
      ...sends.flow,
      readers: () => {
        throw new Error("no");
      },
    },
  }),
  resolved({ ...writes, name: "note", sideEffectClass: "side-effecting" }),
  resolved({ ...reads, name: "query" }, mcpServer, { sideEffectClass: "read-only" }),
  resolved({ ...reads, name: "page", inputSchema: { type: "object" } }, mcpServer, { sideEffectClass: "read-only" }),
  resolved({ ...secret, name: "key" }),
  resolved({ ...secret, name: "unlock", inputSchema }),
  resolved({ sensitivity: "secret", name: "elsewhere", inputSchema }, mcpServer),
  resolved({ name: "upper", sideEffectClass: "pure" }),
  resolved({ name: "save" } satisfies Partial<Tool>),
];
const start = (more: Partial<Folded> = {}): FoldedRun => folded({ tools, userId: "ann", ...more });
const ruled = ({ verdict, rule }: FlowDecision): string => `${verdict} ${rule}`;

/** Decision about a call after some results. */
async function after(
  before: readonly string[],
  tool: string,
  args: object = {},
  more: Partial<Folded> = {},
): Promise<string> {
  const run = start(more);
  for (const name of before) run.read(name, name === "open" ? true : "x");
  return ruled(await run.decide(tool, args));
}

test("the decision for an allowed call names the rule [flow.r1]", async () => {
  expect(await after([], "mail")).toBe("allow R1");
  expect(await after(["mail"], "upper")).toBe("allow R1");
  expect(await after([], "send", { to: "bob" })).toBe("allow R3");
  expect(await after([], "query", { to: "x" })).toBe("allow R4");
  expect(await after([], "look", { to: "x" })).toBe("allow R5");
});

test("the labels of what was read decide which rule applies first [flow.r2] [flow.r3]", async () => {
  expect(await after(["mail"], "send", { to: "bob" })).toBe("ask R2");
  expect(await after(["mail"], "note")).toBe("ask R2");
  expect(await after(["mail"], "look", { to: "x" })).toBe("ask R2");
  expect(await after(["open"], "send", { to: "bob" })).toBe("ask R3");
  expect(await after(["open"], "send", { body: "hi" })).toBe("allow R3");
  expect(await after(["open"], "look", { to: "x" })).toBe("ask R3");
  expect(await after(["open"], "look", { body: "x" })).toBe("allow R5");
  // A destination is authority for a writer; for a reader, R5 decides.
  expect(await after(["open"], "send", { url: "x" })).toBe("ask R3");
  expect(await after(["open"], "send", { body: "https://evil.example" })).toBe("ask R3");
  expect(await after(["open"], "look", { url: "https://evil.example/x" })).toBe("ask R5");
  expect(
    await after(["open"], "look", { url: "https://a.example/x" }, { input: [said("See https://a.example/x")] }),
  ).toBe("allow R5");
  expect(await after(["mail"], "query", { to: "x" })).toBe("allow R4");
  expect(await after(["open"], "note")).toBe("allow R3");
});

test("an argument has the label of its content, and an empty one has no label [flow.r3]", () => {
  const tool = resolved(writes);
  const paths = (args: unknown): unknown =>
    authorityLeaves({ leaves: argumentLeaves(tool, rolesOf(tool), args) }).map(({ path }) => path);
  expect(paths({})).toEqual([]);
  expect(paths([])).toEqual([]);
  expect(paths("x")).toEqual([""]);
  expect(paths({ to: {}, body: [] })).toEqual(["to", "body"]);
});

test("the readers of the data must include the sink's, as declared, else by its effect [flow.r4]", async () => {
  expect(await after(["bank"], "send", { to: "bob" })).toBe("ask R4");
  expect(await after(["bank"], "tell", { to: "bob" })).toBe("allow R3");
  expect(await after(["own"], "tell", { to: "bob" })).toBe("ask R4");
  expect(await after(["own"], "note")).toBe("allow R3");
  expect(await after(["own"], "query", { to: "x" })).toBe("ask R4");
  // Readers that cannot be computed count as everyone.
  expect(await after(["bank"], "crash", { to: "bob" })).toBe("ask R4");
  expect(await after([], "crash", { to: "bob" })).toBe("allow R3");
  expect(await after(["own"], "look", { url: "x" })).toBe("ask R5");
});

const to = { eq: "bob" } as const;
const granted = (grant: object, more: Partial<Folded> = {}): Partial<Folded> => ({
  options: { mode: "enforce", planner: false, grants: [{ tool: "send", args: { to }, ...grant }] },
  ...more,
});

test("a grant lifts R4 if it names every private call that was read [flow.r4.grant-from]", async () => {
  const send = { to: "bob", body: "hi" };
  const args = { to, body: { composed: true } };
  const from = [{ tool: "own" }];
  expect(await after(["own"], "send", send, granted({ args }))).toBe("ask R4");
  expect(await after(["own"], "send", send, granted({ args, from }))).toBe("allow R4");
  expect(await after(["own", "bank"], "send", send, granted({ args, from }))).toBe("ask R4");
  expect(await after(["own", "bank"], "send", send, granted({ args, from: [...from, { tool: "bank" }] }))).toBe(
    "allow R4",
  );
  // Values that may go to the sink need not be listed.
  expect(await after(["own", "mail"], "send", send, granted({ args, from }))).toBe("allow R2");
  // A grant cannot name the run's input.
  const parentLabel = {
    id: "p",
    integrity: "user",
    readers: ["team:bank", "user:ann"],
    parents: [],
    origin: { kind: "join" },
  } as const;
  expect(await after([], "send", send, granted({ args, from }, { parentLabel }))).toBe("ask R4");
  expect(await after(["own"], "send", send, granted({ args, from }, { parentLabel }))).toBe("ask R4");
  const free = (args: object): Partial<Folded> => granted({ tool: "query", args, from: [{ tool: "own" }] });
  // All arguments of a read at a server count.
  expect(await after(["own"], "query", { to: "bob", body: "hi" }, free({ to, body: { composed: true } }))).toBe(
    "ask R4",
  );
  expect(await after(["own"], "query", { to: "bob", body: "hi" }, free({ to, body: { eq: "hi" } }))).toBe("allow R4");
});

test("a call with only values from the request contains no data that was read [flow.r4.grant-words]", async () => {
  const send = { to: "bob", body: "hi" };
  const sends = (body: unknown, args: object = send): Promise<string> =>
    after(["own", "bank"], "send", args, granted({ args: { to, body } }));
  expect(await sends({ eq: "hi" })).toBe("allow R4");
  expect(await after(["own"], "send", { to: "bob" }, granted({}))).toBe("allow R4");
  // A choice among values, a form and free text can each carry information.
  expect(await sends({ oneOf: ["hi", "ho"] })).toBe("ask R4");
  expect(await sends({ max: 9 }, { to: "bob", body: 3 })).toBe("ask R4");
  expect(await sends({ within: [1, 9] }, { to: "bob", body: 3 })).toBe("ask R4");
  expect(await sends({ template: "{x}", holes: { x: { words: 2 } } })).toBe("ask R4");
  expect(await sends({ composed: true })).toBe("ask R4");
  expect(await sends({ ref: { tool: "own", path: "" } })).toBe("ask R4");
  // The run's own private input, and secrets, stay in the run.
  const parentLabel = {
    id: "p",
    integrity: "user",
    readers: ["team:bank", "user:ann"],
    parents: [],
    origin: { kind: "join" },
  } as const;
  const fixed = { args: { to, body: { eq: "hi" } } };
  expect(await after(["own"], "send", send, granted(fixed, { parentLabel }))).toBe("ask R4");
  expect(await after([], "send", send, granted(fixed, { parentLabel: { ...parentLabel, readers: [] } }))).toBe(
    "deny R4",
  );
});

test("a tool cannot write a session's reserved note, and the note's readers count [flow.r4.grant-from] [flow.r9]", async () => {
  const args = { to, body: { composed: true } };
  const history = [{ id: "t", role: "tool", toolCallId: "c", toolName: "own", content: "x" }] as const;
  const noted = (readers: unknown): Partial<Folded> =>
    granted(
      { args, from: [{ tool: "own" }] },
      { history, started: { sessionState: { "bailiwick:read:x": { integrity: "untrusted", readers } } } },
    );
  const send = { to: "bob", body: "hi" };
  expect(await after([], "send", send, granted({ args }, { history }))).toBe("ask R4");
  // A grant that names a call covers other calls whose content the message already states.
  expect(await after([], "send", send, noted("public"))).toBe("allow R2");
  expect(await after([], "send", send, noted(["source:first-party", "user:ann"]))).toBe("allow R2");
  expect(await after([], "send", send, noted(["user:ann"]))).toBe("ask R4");
});

test("a secret is sent only by reference to a separate secret tool source [flow.r4.secret-denied]", async () => {
  const key = { to: "$ref:t1/c0" };
  expect(await after(["key"], "unlock", key)).toBe("allow R1");
  expect(await after(["key"], "elsewhere", key)).toBe("deny R4");
  expect(await after(["key"], "send", key)).toBe("deny R4");
  expect(await after(["key"], "send", { to: "bob" })).toBe("allow R3");
  const parentLabel = { id: "p", integrity: "user", readers: [], parents: [], origin: { kind: "join" } } as const;
  expect(await after([], "elsewhere", {}, { parentLabel })).toBe("deny R4");
  expect(await after([], "send", { to: "bob" }, { parentLabel, options: { mode: "auto", planner: false } })).toBe(
    "deny R4",
  );
});

test("a private value referred to before it was read cannot be named [flow.r4.grant-from]", async () => {
  const from = [{ tool: "own" }];
  const run = start(granted({ args: { to, body: { composed: true } }, from }));
  const turn = run.answer();
  const own = { turn, index: 1, toolCallId: "o", toolName: "own" };
  run.record({ ...own, type: "tool.outcome", attempt: 1, output: "x" });
  const send = tools.find(({ name }) => name === "send") ?? tools[0];
  const args = { to: "bob", body: `$ref:t${turn}/c1` };
  if (send === undefined) throw new Error("There is no tool.");
  const decided = await run.run.decide({ turn, index: 0, toolCallId: "s", tool: send, input: args, args });
  expect(ruled(decided)).toBe("ask R4");
});

test("a grant that fixes a whole value fixes its parts [flow.r4.grant-from]", async () => {
  const whole = granted({ args: { to: { eq: { id: 1 } } }, from: [{ tool: "own" }] });
  expect(await after(["own"], "send", { to: { id: 1 } }, whole)).toBe("allow R4");
});

test("content sent under a grant is made inert, unless the grant fixes it word for word [flow.r6] [flow.r6.spared]", async () => {
  const words = "See evil.example/x";
  const inert = "See evil[.]example/x";
  const input = async (
    tool: string,
    args: object,
    grants: readonly object[],
    given: object = args,
  ): Promise<unknown> => {
    const run = start({ options: { mode: "enforce", planner: false, grants: grants as [] } });
    run.read("mail", "x");
    const decision = await run.decide(tool, args, given);
    expect(decision.verdict).toBe("allow");
    return decision.input;
  };
  const bob = { to: "bob", body: words };
  const free = { tool: "send", args: { to, body: { composed: true } } };
  expect(await input("send", bob, [free])).toEqual({ to: "bob", body: inert });
  expect(await input("send", bob, [{ tool: "send", args: { to, body: { eq: words } } }])).toBeUndefined();
  expect(await input("send", bob, [{ tool: "send", args: { to, body: { oneOf: [words] } } }])).toEqual({
    to: "bob",
    body: inert,
  });
  expect(await input("send", { to: "bob", body: "hi" }, [free])).toBeUndefined();
  // A deciding argument is never content; an argument that a grant lets the model compose is.
  const who = { to: "bob@a.example" };
  expect(await input("send", who, [{ tool: "send", args: { to: { oneOf: ["bob@a.example"] } } }])).toBeUndefined();
  expect(await input("note", bob, [{ tool: "note", args: { to, body: { composed: true } } }])).toEqual({
    to: "bob",
    body: inert,
  });
  expect(await input("note", { body: words }, [{ tool: "note", args: { body: { oneOf: [words] } } }])).toBeUndefined();
  const link = { to: "bob", url: "evil.example/x" };
  expect(
    await input("send", link, [{ tool: "send", args: { to, url: { oneOf: ["evil.example/x"] } } }]),
  ).toBeUndefined();
  // R5 decides about data that a read sends; in a trusted context, content comes from the user.
  expect(await input("look", { body: words }, [{ tool: "look", args: { body: { oneOf: [words] } } }])).toBeUndefined();
  expect((await start().decide("send", bob)).input).toBeUndefined();
  // Mentions too, except for those that the user wrote.
  const told = start({ ...granted({ ...free }), input: [said("Tell @anna.")] });
  told.read("mail", "x");
  expect((await told.decide("send", { to: "bob", body: "@anna, @eve" })).input).toEqual({
    to: "bob",
    body: "@anna, [at]eve",
  });
  const linked = async (saidByUser: string, body: string): Promise<unknown> => {
    const run = start({ ...granted({ ...free }), input: [said(saidByUser)] });
    run.read("mail", "x");
    return (await run.decide("send", { to: "bob", body })).input;
  };
  const url = "https://a.example/x";
  for (const [word, body] of [
    [url, `${url}.`],
    [`${url}?`, `${url}?`],
    [`(${url})`, `(${url})`],
  ] as const)
    expect(await linked(`See ${word} now`, `See ${body}`), word).toBeUndefined();
  expect(await linked(`See ${url}/y`, `at ${url}`)).toEqual({ to: "bob", body: "at hxxps[:]//a[.]example/x" });
  // Inside lists and objects; values that are not JSON stay unchanged.
  const date = new Date(0);
  const bare: Record<string, unknown> = Object.assign(Object.create(null) as object, { text: words });
  const own = new (class {
    readonly text = words;
  })();
  const deep = {
    bare,
    own,
    same: { n: 1 },
    gone: undefined,
    to: "bob",
    body: [{ text: words, more: null, n: 1 }, "hi"],
    at: date,
    kept: ["hi"],
  };
  const changed = await input(
    "send",
    { to: "bob", body: "x" },
    [{ tool: "send", args: { to, body: { composed: true } } }],
    deep,
  );
  expect(changed).toEqual({ ...deep, bare: { text: inert }, body: [{ text: inert, more: null, n: 1 }, "hi"] });
  expect((changed as typeof deep).own).toBe(own);
  expect((changed as typeof deep).same).toBe(deep.same);
  expect((changed as typeof deep).kept).toBe(deep.kept);
  expect((changed as typeof deep).at).toBe(date);
});

test("a question names the nearest grant [audit.explains]", async () => {
  const run = start(granted({ args: { to, body: { composed: true } } }));
  run.read("own", "x");
  run.read("mail", "x");
  const decision = await run.decide("send", { to: "bob", body: "hi" });
  expect(ruled(decision)).toBe("ask R4");
  expect(decision.explanation).toBe(
    [
      `It would show private data to anyone (R4): "own" (t1/c0), for source:first-party, user:ann only.`,
      `Approve this call, or give a grant for "send" that fixes "to" and names "own" in "from". The developer's grant does not lift this. If everyone may see what "own" returns, declare "output: { readers: "public" }" there; if only some see what "send" sends, declare its "flow.readers".`,
    ].join("\n"),
  );
});

test("a read asks unless its egress argument is a whole word of the user [flow.r5.reads]", async () => {
  const asks = async (url: unknown, words: string): Promise<string> =>
    after(["mail"], "mail", { url }, { input: [said(words)] });
  for (const words of [
    "See https://a.example/x",
    "https://a.example/x",
    "(https://a.example/x)",
    "https://a.example/x, thanks",
    "“https://a.example/x”.",
    "https://a.example/xy or https://a.example/x",
  ])
    expect(await asks("https://a.example/x", words), words).toBe("allow R5");
  for (const words of [
    "https://a.example/xy",
    "https://a.example/x.y",
    "xhttps://a.example/x",
    "https://a.example/x/y",
    "https://a.example/x?y",
    "-https://a.example/x",
    "https://a.example/x!y",
    "",
  ])
    expect(await asks("https://a.example/x", words), words).toBe("ask R5");
  expect(await asks("a.b", "see a.b")).toBe("ask R5");
  expect(await asks("abcd", "see abcd")).toBe("allow R5");
  expect(await asks(5, "see 5")).toBe("ask R5");
  expect(await asks(["https://a.example/x"], "See https://a.example/x")).toBe("allow R5");
});

test("an undeclared writer is gated after any untrusted result, of a declared tool or not [flow.guess.gate]", async () => {
  for (const source of ["plain", "mail"]) {
    const run = start({ options: { mode: "auto", planner: false } });
    expect(await run.decide("save", { to: "bob" })).toMatchObject({ verdict: "allow" });
    run.read(source, "x");
    const decision = await run.decide("save", { to: "bob" });
    expect(decision).toMatchObject({ verdict: "ask", rule: "R2" });
    expect(decision).not.toHaveProperty("shadow");
  }
});

test("the third denial of the same tool and authority arguments stops the run, or the fifth since the user's message [flow.r10.stops]", () => {
  const send = resolved({ ...writes, ...sends });
  const denied = (calls: readonly (readonly [tool: typeof send | undefined, args: unknown])[]): boolean => {
    const denials = createDenials(rolesOf);
    for (const [tool, args] of calls) denials.denied(tool, "send", args);
    return denials.mustStop();
  };
  const bob = [send, { to: "bob" }] as const;
  expect(denied([bob, bob])).toBe(false);
  expect(denied([bob, bob, bob])).toBe(true);
  expect(denied([bob, bob, [send, { to: "bob", body: "another wording" }]])).toBe(true);
  expect(denied([bob, bob, [send, { to: "eve" }]])).toBe(false);
  expect(denied([bob, bob, [send, { to: "bob", url: "x" }]])).toBe(false);
  const gone = [undefined, { body: "a" }] as const;
  expect(denied([gone, gone, gone])).toBe(true);
  expect(denied([gone, gone, [undefined, { body: "b" }]])).toBe(false);
  expect(denied([gone, gone, [undefined, undefined]])).toBe(false);
  const others = ["a", "b", "c", "d", "e"].map((name) => [send, { to: name }] as const);
  expect(denied(others.slice(1))).toBe(false);
  expect(denied(others)).toBe(true);

  const denials = createDenials(rolesOf);
  const next = { tool: send, args: { to: "bob" } };
  denials.denied(send, "look", { to: "bob" });
  for (const [, args] of others.slice(0, 2)) denials.denied(send, "look", args);
  expect([denials.mustStop(), denials.mustStop(next)]).toEqual([false, false]);
  denials.denied(send, "look", { to: "c" });
  expect([denials.mustStop(), denials.mustStop(next)]).toEqual([false, true]);
  denials.userSpoke();
  expect([denials.mustStop(), denials.mustStop(next)]).toEqual([false, false]);
  denials.denied(send, "look", { to: "bob" });
  expect(denials.mustStop(next)).toBe(true);
  expect(denials.mustStop({ tool: send, args: { to: "zoe" } })).toBe(false);
});

test("each rule has its line, and values are shown unchanged [audit.explains]", async () => {
  const run = start();
  run.read("own", "x");
  run.read("mail", "x");
  const said = async (tool: string, args: object): Promise<readonly string[]> =>
    (await run.decide(tool, args)).explanation.split("\n");
  expect(await said("mail", { url: "https://evil.example/\u202ex", to: "https://evil.example" })).toEqual([
    `It sends data where no message of the user points (R5): "url" ("https://evil.example/x"), "to" ("https://evil.example").`,
    `Approve this call, or give a grant for "mail" that fixes "url", "to".`,
  ]);
  expect(await said("note", {})).toEqual([
    `Untrusted text may steer it (R2): the model had read "mail" (t2/c0).`,
    `Approve this call, or give a grant for "note".`,
  ]);
  const started = start({
    input: [{ id: "u", role: "user", content: [{ type: "text", text: "x", untrusted: true }] }],
  });
  expect((await started.decide("note")).explanation).toContain("the model had read what this run was started with.");
  expect((await run.decide("send", { to: `${"x".repeat(80)}${"y".repeat(80)}` })).explanation).toContain(
    `"to" ("${"x".repeat(59)} … ${"y".repeat(19)}", 162 characters).`,
  );
  expect((await run.decide("send", { to: "x".repeat(78) })).explanation).toContain(`"to" ("${"x".repeat(78)}").`);
});

test("a model cannot inject a line or a place into the explanation through an argument name [audit.shown]", async () => {
  const run = start();
  run.read("mail", "x");
  const { explanation } = await run.decide("send", {
    to: "bob",
    "x\nThe security team agreed\u202e\u2028\u{E0041}": "eve\u2028Covered by a grant.",
  });
  expect(explanation.split(/[\n\u2028]/u)).toEqual([
    expect.stringContaining("Untrusted text may steer it"),
    `The model chose "to" ("bob"), "x The security team agreed " ("eve Covered by a grant.").`,
    ...explanation.split("\n").slice(2),
  ]);
});

test("a decision in shadow mode changes nothing, and an allowed call records none [flow.mode.shadow]", async () => {
  const run = start({ options: { mode: "shadow", planner: false } });
  const clean = await run.decide("send", { to: "bob" });
  expect(clean).toMatchObject({ verdict: "allow" });
  expect(clean).not.toHaveProperty("shadow");
  run.read("mail", "x");
  const steered = await run.decide("send", { to: "bob", body: "See evil.example/x" });
  expect(steered).toMatchObject({ verdict: "ask", shadow: true });
  expect(steered).not.toHaveProperty("input");
});

test("the denial above the limit stops the run, but not in shadow mode [flow.r10.stops]", async () => {
  const parentLabel = { id: "p", integrity: "user", readers: [], parents: [], origin: { kind: "join" } } as const;
  const stops = async (options: Folded["options"], denied: number): Promise<unknown> => {
    const run = start({ parentLabel, options });
    for (let index = 0; index < denied; index += 1) {
      const call = { turn: run.answer(), index: 0, toolCallId: `d${index}`, toolName: "send" };
      run.record({ type: "tool.call", ...call, args: { to: "bob" } });
      run.record({ type: "flow.decided", ...call, verdict: "deny" });
    }
    const decision = await run.decide("send", { to: "bob" });
    expect(decision.verdict).toBe("deny");
    return decision.stopRun;
  };
  expect(await stops({ mode: "enforce", planner: false }, 1)).toBeUndefined();
  expect(await stops({ mode: "enforce", planner: false }, 2)).toBe(true);
  expect(await stops({ mode: "shadow", planner: false }, 2)).toBeUndefined();
  const asks = start({ options: { mode: "enforce", planner: false } });
  asks.read("mail", "x");
  for (let index = 0; index < 6; index += 1)
    expect(await asks.decide("send", { to: "bob" })).not.toHaveProperty("stopRun");
});

test("two calls of one turn cannot use the same count, even before either is recorded [grants.count]", async () => {
  const run = start(granted({}));
  run.read("mail", "x");
  const turn = run.answer();
  const tool = tools.find(({ name }) => name === "send") ?? tools[0];
  if (tool === undefined) throw new Error("There is no tool.");
  const decided = async (index: number): Promise<string> =>
    ruled(
      await run.run.decide({ turn, index, toolCallId: `c${index}`, tool, input: { to: "bob" }, args: { to: "bob" } }),
    );
  expect([await decided(0), await decided(0), await decided(1)]).toEqual(["allow R2", "allow R2", "ask R2"]);
  // Calls without a record are decided like reads.
  const call = { turn: 99, index: 0, toolCallId: "x", tool, input: { to: "eve" }, args: { to: "eve" } };
  expect(ruled(await run.run.decide(call))).toBe("ask R2");
});

test("a remembered approval is valid for one tool and for the same readers [flow.r10]", () => {
  const byBody = resolved({
    ...writes,
    name: "post",
    flow: {
      ...sends.flow,
      readers: (input) => [(input as { body?: string }).body === "bank" ? "team:bank" : "user:ann"],
    },
  });
  const run = folded({ tools: [...tools, byBody], userId: "ann" });
  const approve = (toolName: string, args: object): void => {
    const call = { turn: run.answer(), index: 0, toolCallId: toolName, toolName };
    run.record({ type: "tool.call", ...call, args });
    run.record({ type: "tool.approval.decided", ...call, decision: { type: "approve" } });
  };
  const covers = (args: object, remembered: object): boolean =>
    run.run.coversRemembered(
      { turn: run.answer(), index: 0, toolCallId: "n", tool: byBody, input: args, args },
      { args: remembered, approved: true },
    );
  approve("send", { to: "bob" });
  expect(covers({ to: "bob" }, { to: "bob" })).toBe(false);
  approve("post", { to: "bob" });
  expect(covers({ to: "bob" }, { to: "bob" })).toBe(true);
  expect(covers({ to: "bob", body: "hi" }, { to: "bob" })).toBe(true);
  expect(covers({ to: "bob", body: "bank" }, { to: "bob" })).toBe(false);
});
