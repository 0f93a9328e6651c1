import { agentTool, memoryStore, tool, type AgentOptions, type Extension, type JournalEvent } from "@bailiwick/core";
import { codeMode } from "@bailiwick/compose/code-mode";
import { pipeline } from "../../src/compose.ts";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const refusing: Extension = {
  name: "refusing",
  gate: ({ toolName }) => (toolName === "write" ? { refuse: "not today" } : undefined),
};

const base = { name: "agent", logger: quiet, flow: "off" } as const;

function writer(script: Parameters<typeof scriptedModel>[0], options: Partial<AgentOptions> = {}) {
  const { write, ran } = counter();
  const model = scriptedModel(script);
  return { ran, model, write, agent: new Agent({ ...base, model, tools: [write], ...options }) };
}

test("a gate refuses a call, and the model reads the reason [extensions.gate]", async () => {
  const { agent, ran } = writer([writeCall(), "Done."], { extensions: [refusing] });
  const output = await agent.run("go");
  expect(ran).toEqual([]);
  expect(output.toolCalls[0]?.error).toMatchObject({ kind: "policy_denied", code: "EXTENSION_REFUSED" });
  expect(JSON.stringify(output.messages)).toContain("not today");
});

const verdicts = { refuse: { refuse: "no" }, ask: { ask: "a person should look" }, nothing: undefined } as const;
type Verdict = keyof typeof verdicts;
const all = Object.keys(verdicts) as Verdict[];

test.each(all.flatMap((first) => all.map((second) => [first, second] as const)))(
  "verdicts %s and %s join: refuse over ask over nothing [extensions.join]",
  async (first, second) => {
    const gate = (name: string, verdict: Verdict): Extension => ({ name, gate: () => verdicts[verdict] });
    const { agent, ran } = writer([writeCall(), "Done."], { extensions: [gate("a", first)] });
    const output = await agent.run("go", { extensions: [gate("b", second)] });
    const strictest = [first, second].includes("refuse")
      ? "refuse"
      : [first, second].includes("ask")
        ? "ask"
        : "nothing";
    expect(ran).toEqual(strictest === "nothing" ? ["a"] : []);
    expect(output.status).toBe(strictest === "ask" ? "suspended" : "completed");
    if (strictest !== "ask") return;
    expect(output.interruptions[0]?.question.unusual[0]?.text).toContain("a person should look");
    const resumed = await agent.resume(
      output.runId,
      output.interruptions.map((one) => one.approve()),
      { extensions: [gate("b", second)] },
    );
    expect([resumed.text, ran]).toEqual(["Done.", ["a"]]);
  },
);

test("an extension cannot allow a call that another rule stops [extensions.tighten]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const model = scriptedModel([writeCall(), "Done."]);
  const agent = new Agent({ ...base, model, tools: [write], extensions: [{ name: "idle", gate: () => undefined }] });
  expect((await agent.run("go")).status).toBe("suspended");
  expect(ran).toEqual([]);
});

test("changed arguments are validated, gated again by every extension, and journaled as they run [extensions.arguments]", async () => {
  const seen: unknown[] = [];
  const first: Extension = {
    name: "first",
    gate: ({ args }) => {
      const { line } = args as { line: string };
      seen.push(line);
      return line === "bad" ? { refuse: "bad line" } : undefined;
    },
  };
  const second = (line: unknown): Extension => ({ name: "second", gate: () => ({ args: { line } }) });
  const kept = writer([writeCall("a"), "Done."], { extensions: [first, second("b")] });
  const output = await kept.agent.run("go");
  expect([kept.ran, seen]).toEqual([["b"], ["a", "b"]]);
  expect(output.toolCalls[0]?.input).toEqual({ line: "b" });
  const smuggled = writer([writeCall("a"), "Done."], { extensions: [first, second("bad")] });
  await smuggled.agent.run("go");
  const invalid = writer([writeCall("a"), "Done."], { extensions: [first, second(4)] });
  await invalid.agent.run("go");
  let count = 0;
  const restless: Extension = { name: "restless", gate: () => ({ args: { line: `${(count += 1)}` } }) };
  const endless = writer([writeCall("a"), "Done."], { extensions: [restless] });
  await endless.agent.run("go");
  expect([smuggled.ran, invalid.ran, endless.ran]).toEqual([[], [], []]);
});

test("arguments that an approver edited pass the gates again [extensions.paths.edited]", async () => {
  const gate: Extension["gate"] = ({ args }) =>
    (args as { line: string }).line === "bad" ? { refuse: "bad line" } : { ask: "look at it" };
  const { agent, ran } = writer([writeCall("a"), "Done."], { extensions: [{ name: "lines", gate }] });
  const asked = await agent.run("go");
  await agent.resume(
    asked.runId,
    asked.interruptions.map((one) => one.approve({ args: { line: "bad" } })),
  );
  expect(ran).toEqual([]);
  const again = writer([writeCall("a"), "Done."], { extensions: [{ name: "lines", gate }] });
  const open = await again.agent.run("go");
  await again.agent.resume(
    open.runId,
    open.interruptions.map((one) => one.approve({ args: { line: "fine" } })),
  );
  expect(again.ran).toEqual(["fine"]);
});

test("a resumed call passes the current gates, including those of newly added extensions [extensions.paths.resume]", async () => {
  const store = memoryStore();
  const before = writer([writeCall(), "Done."], { store, approval: { policy: "all" } });
  const asked = await before.agent.run("go");
  const after = writer(["Done."], { store, approval: { policy: "all" }, extensions: [refusing] });
  const output = await after.agent.resume(
    asked.runId,
    asked.interruptions.map((one) => one.approve()),
  );
  expect([before.ran, after.ran, output.toolCalls[0]?.isError]).toEqual([[], [], true]);
});

test("calls of agents as tools and of compositions pass the extensions of the outer agent and run [extensions.paths.composition]", async () => {
  const asTool = writer([writeCall(), "Done."], { name: "clerk" });
  const outer = new Agent({
    ...base,
    model: scriptedModel([{ toolCalls: [{ name: "clerk", arguments: { input: "go" } }] }, "Done."]),
    tools: [agentTool(asTool.agent)],
    extensions: [refusing],
  });
  await outer.run("go");
  const inPipeline = writer([writeCall(), "Done."], { name: "step" });
  await pipeline({}, inPipeline.agent).run("go", { extensions: [refusing] });
  expect([asTool.ran, inPipeline.ran]).toEqual([[], []]);
});

test("calls of a program pass the extensions of the agent, once [extensions.paths.code-mode]", async () => {
  const { write, ran } = counter();
  const gated: string[] = [];
  const counting: Extension = { name: "counting", gate: ({ toolName }) => void gated.push(toolName) };
  const agent = (extensions: readonly Extension[]) =>
    new Agent({
      ...base,
      model: scriptedModel([
        { toolCalls: [{ name: "run_code", arguments: { code: 'return await tools.write({ line: "a" });' } }] },
        "Done.",
      ]),
      tools: [codeMode({ tools: [write] })],
      extensions,
    });
  await agent([counting]).run("go");
  expect([ran, gated]).toEqual([["a"], ["run_code", "write"]]);
  ran.length = 0;
  await agent([refusing]).run("go");
  expect(ran).toEqual([]);
});

test("an extension replaces or withholds text before the model reads it, and its own text is untrusted [extensions.result]", async () => {
  const verdict = async (result: Extension["result"]) => {
    const records: JournalEvent[] = [];
    const { agent, model } = writer([writeCall(), "Done."], {
      flow: "auto",
      extensions: [
        { name: "ext", ...(result && { result }) },
        { name: "ear", onRecord: { types: ["tool.result"], hear: (record) => void records.push(record) } },
      ],
    });
    const output = await agent.run("go");
    const [record] = records;
    return { read: model.requests[1]?.messages.at(-1)?.content, label: record?.label, output, record };
  };
  const replaced = await verdict(() => ({ replaceResult: "short" }));
  expect(replaced.read).toContain("short");
  expect(replaced.record).toMatchObject({ findings: ["replaced-by-extension:ext"] });
  const kept = await verdict(({ text }) => ({ replaceResult: text.slice(0, 3), integrity: "kept" }));
  expect([kept.read, (kept.record as { findings?: unknown } | undefined)?.findings]).toEqual(["wro", undefined]);
  expect(kept.label).not.toBe(replaced.label);
  const withheld = await verdict(() => ({ withhold: "it is a secret" }));
  expect(withheld.read).toContain("it is a secret");
});

const unreadable = {
  "an answer whose content is text": { id: "x", role: "assistant", content: "Hello.", toolCalls: [] },
  "an unknown role": { id: "x", role: "robot", content: "Hello." },
  "a user message without content": { id: "x", role: "user" },
} as const;

test.each(Object.entries(unreadable))(
  "a message that no model can read, which a hook returns, ends the run with its place: %s [extensions.before-model.readable]",
  async (_what, message) => {
    const extensions: Extension[] = [
      { name: "e", beforeModel: ({ messages }) => ({ messages: [...messages, message] as never }) },
    ];
    const beforeLLMCall: NonNullable<AgentOptions["loopHooks"]>["beforeLLMCall"] = (messages) =>
      [...messages, message] as never;
    for (const options of [{ extensions }, { loopHooks: { beforeLLMCall } }]) {
      const { agent, model } = writer(["Done."], options);
      const { stopReason, warnings } = await agent.run("go");
      expect(stopReason).toBe("policy_denied");
      expect(warnings[0]?.message).toMatch(/returned a message that no model can read: messages\[1\]\.\w+/);
      expect(model.requests).toEqual([]);
    }
  },
);

test("beforeModel changes only the request, and inserted text is untrusted unless the extension verifies it [extensions.before-model] [extensions.inserted]", async () => {
  const masking: Extension = {
    name: "masking",
    beforeModel: ({ messages }) => ({
      messages: messages.map((message) => (message.role === "user" ? { ...message, content: "***" } : message)),
      insert: [{ text: "from outside" }, { text: "from us", integrity: "verified" }],
    }),
  };
  const store = memoryStore();
  const { agent, model } = writer(["Done."], { store, flow: "auto", extensions: [masking] });
  const output = await agent.run("card 4711");
  expect(model.requests[0]?.messages[0]?.content).toBe("***");
  expect(output.messages[0]?.content).toBe("card 4711");
  const records = (await store.load(output.runId)).filter(({ type }) => type === "message.inserted");
  expect(records).toMatchObject([{ by: "extension" }, { by: "hook" }]);
  expect(records[0]?.label).not.toBe(records[1]?.label);
});

test("afterTurn stops a run with its reason, and beforeEnd makes the model continue [extensions.after-turn] [extensions.before-end]", async () => {
  const stopping = writer([writeCall(), "Done."], {
    extensions: [{ name: "s", afterTurn: () => ({ stop: "enough" }) }],
  });
  const stopped = await stopping.agent.run("go");
  expect(stopped.stopReason).toBe("stopped_by_hook");
  expect(JSON.stringify(stopped.warnings)).toContain("enough");
  const again: Extension = {
    name: "again",
    beforeEnd: ({ text }) => (text === "Short." ? { continueWith: { text: "Say more." } } : undefined),
  };
  expect((await writer(["Short.", "A longer answer."], { extensions: [again] }).agent.run("go")).text).toBe(
    "A longer answer.",
  );
});

test("an extension's state survives a suspension and is shared with runs inside calls [extensions.state]", async () => {
  const store = memoryStore();
  const limit: Extension<number> = {
    name: "limit",
    initialState: 0,
    gate: (_call, { state, setState }) => {
      setState((state ?? 0) + 1);
      return (state ?? 0) >= 2 ? { refuse: "two calls at most" } : undefined;
    },
  };
  const script = (): Parameters<typeof scriptedModel>[0] => [writeCall("a"), writeCall("b"), writeCall("c"), "Done."];
  const inner = writer(script(), { name: "clerk" });
  const outer = new Agent({
    ...base,
    store,
    model: scriptedModel([{ toolCalls: [{ name: "clerk", arguments: { input: "go" } }] }, "Done."]),
    tools: [agentTool(inner.agent)],
    extensions: [limit],
  });
  const output = await outer.run("go");
  expect(inner.ran).toEqual(["a"]);
  const states = (await store.load(output.runId)).filter(({ type }) => type === "state.changed");
  expect(states.map((record) => (record as { value?: unknown }).value)).toEqual([1, 2, 3, 4]);
  const asking = writer(script(), { store, extensions: [limit], approval: { policy: "all" } });
  let last = await asking.agent.run("go");
  for (let times = 0; last.status === "suspended" && times < 3; times += 1)
    last = await asking.agent.resume(
      last.runId,
      last.interruptions.map((one) => one.approve()),
    );
  expect([last.status, asking.ran]).toEqual(["completed", ["a"]]);
});

test("an extension adds tools to its agent, and options that tighten those of the agent [extensions.tools] [extensions.options]", async () => {
  const ran: unknown[] = [];
  const extra = tool({
    name: "extra",
    description: "Extra.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: () => void ran.push("extra"),
  });
  const model = scriptedModel([{ toolCalls: [{ name: "extra", arguments: {} }] }, "Done."]);
  await new Agent({ ...base, model, extensions: [{ name: "t", tools: [extra] }] }).run("go");
  expect(ran).toEqual(["extra"]);
  const asked = writer([writeCall(), "Done."], {
    extensions: [{ name: "o", options: { approval: { policy: "all" } } }],
  });
  expect((await asked.agent.run("go")).status).toBe("suspended");
});

test.each(["gate", "result", "beforeModel", "afterTurn", "beforeEnd"] as const)(
  "%s that throws fails closed, with its reason [extensions.fail-closed]",
  async (point) => {
    const broken: Extension = {
      name: "broken",
      [point]: () => {
        throw new Error("boom");
      },
    };
    const { agent, ran } = writer([writeCall(), "Done."], { extensions: [broken] });
    const output = await agent.run("go");
    expect(JSON.stringify(output)).toContain("boom");
    expect(ran).toEqual(point === "gate" || point === "beforeModel" ? [] : ["a"]);
  },
);

test("a record listener gets the record types it asked for, frozen, and its failure is ignored [extensions.on-record]", async () => {
  const heard: string[] = [];
  const onRecord: Extension["onRecord"] = {
    types: ["tool.call", "run.end"],
    hear: (record) => {
      heard.push(record.type);
      expect(Object.isFrozen(record)).toBe(true);
      throw new Error("ear");
    },
  };
  const output = await writer([writeCall(), "Done."], { extensions: [{ name: "ear", onRecord }] }).agent.run("go");
  expect([output.text, heard]).toEqual(["Done.", ["tool.call", "run.end"]]);
});

test("invalid extensions throw when they are configured [extensions.checked]", async () => {
  const make = (extensions: unknown) => () => writer(["x"], { extensions: extensions as never });
  expect(make([{}])).toThrow("has no name");
  expect(make([{ name: "a" }, { name: "a" }])).toThrow("a second time");
  expect(make([{ name: "a", gates: () => undefined }])).toThrow('"gates"');
  expect(make([{ name: "a", gate: 4 }])).toThrow("extensions[0].gate must be a function");
  expect(make({})).toThrow("list of extensions");
  expect(make([{ name: "a", options: { maxTurns: 2 } }])).toThrow('"maxTurns"');
  // These would have no effect, and the agent would be less strict than its developer wrote.
  for (const options of [() => ({ flow: "enforce" }), "enforce", [{ flow: "enforce" }], null])
    expect(make([{ name: "a", options }])).toThrow("extensions[0].options must be an object");
  const own = writer(["x"], { extensions: [{ name: "a" }] });
  expect(await failureOf(own.agent.run("go", { extensions: [{ name: "a" }] }))).toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringContaining('two extensions with the name "a"'),
  });
  const { agent } = writer(["x"]);
  expect(await failureOf(agent.run("go", { extensions: [{ name: "a", tools: [] }] }))).toMatchObject({
    code: "INVALID_OPTION",
  });
});

test("at each point, hooks, guardrails, extensions and conditions are called in one order [extensions.order]", async () => {
  const asked: string[] = [];
  const note = (name: string) => () => void asked.push(name);
  const guard = (name: string) => ({
    name,
    validate: (): { readonly pass: true } => (asked.push(name), { pass: true }),
  });
  const extension = (name: string): Extension => ({
    name,
    beforeModel: note(`${name}.beforeModel`),
    gate: note(`${name}.gate`),
    result: note(`${name}.result`),
    afterTurn: note(`${name}.afterTurn`),
    beforeEnd: note(`${name}.beforeEnd`),
  });
  const { agent } = writer([writeCall(), "Done."], {
    hooks: { beforeRun: note("beforeRun"), onToolCall: note("onToolCall"), afterRun: note("afterRun") },
    loopHooks: {
      beforeLLMCall: note("beforeLLMCall"),
      afterLLMCall: note("afterLLMCall"),
      beforeToolExec: note("beforeToolExec"),
      afterToolExec: note("afterToolExec"),
      onRoundtripComplete: note("onRoundtripComplete"),
    },
    guardrails: { toolInput: [guard("toolInput")], toolOutput: [guard("toolOutput")] },
    prepareStep: note("prepareStep"),
    stopWhen: () => (asked.push("stopWhen"), false),
    extensions: [extension("agent's")],
  });
  await agent.run("go", {
    extensions: [extension("run's")],
    hooks: { onNodeStart: note("onNodeStart"), onNodeEnd: note("onNodeEnd") },
  });
  const model = ["prepareStep", "beforeLLMCall", "agent's.beforeModel", "run's.beforeModel", "afterLLMCall"];
  expect(asked).toEqual(
    [
      ["beforeRun", "onNodeStart", ...model],
      ["beforeToolExec", "toolInput", "agent's.gate", "run's.gate", "onToolCall"],
      ["afterToolExec", "toolOutput", "agent's.result", "run's.result"],
      ["onRoundtripComplete", "agent's.afterTurn", "run's.afterTurn", "stopWhen", ...model],
      ["onRoundtripComplete", "agent's.beforeEnd", "run's.beforeEnd", "afterRun", "onNodeEnd"],
    ].flat(),
  );
});

test("an extension that changes what an approver edited ends the call, and the message says what to do [extensions.changed-late]", async () => {
  const gate = ({ args }: { readonly args: unknown }) => ({ args: { line: `${(args as { line: string }).line}!` } });
  const idempotent: Extension = {
    name: "marker",
    gate: ({ args }) => ((args as { line: string }).line.endsWith("!") ? undefined : gate({ args })),
  };
  const ask = { approval: { policy: "all" }, store: memoryStore() } as const;
  const edited = async (line: string) => {
    const { agent, ran } = writer([writeCall(), "Done."], { ...ask, extensions: [idempotent] });
    const { runId, interruptions } = await agent.run("go");
    const [asked] = interruptions;
    if (asked?.kind !== "approval") throw new Error("The run does not wait.");
    const output = await agent.resume(runId, [asked.approve({ args: { line } })]);
    return { ran, error: output.toolCalls[0]?.error };
  };
  const { ran, error } = await edited("b");
  expect(ran).toEqual([]);
  expect(error?.code).toBe("EXTENSION_REFUSED");
  expect(error?.message).toContain('the extension "marker" changed arguments that the approver edited');
  expect(error?.message).toContain("Approve arguments that the extension leaves as they are");
  expect(await edited("b!")).toEqual({ ran: ["b!"], error: undefined });
});

test("an extension that changes a call which waited says so, and what to do [extensions.changed-late]", async () => {
  let isFirst = true;
  const late: Extension = { name: "late", gate: () => (isFirst ? undefined : { args: { line: "late" } }) };
  const options = { approval: { policy: "all" }, store: memoryStore(), extensions: [late] } as const;
  const { agent, ran } = writer([writeCall(), "Done."], options);
  const { runId, interruptions } = await agent.run("go");
  isFirst = false;
  const { toolCalls } = await agent.resume(
    runId,
    interruptions.map((one) => one.approve()),
  );
  expect([ran, toolCalls[0]?.error?.code]).toEqual([[], "EXTENSION_REFUSED"]);
  expect(toolCalls[0]?.error?.message).toContain('the extension "late" changed arguments that the call began with');
  expect(toolCalls[0]?.error?.message).toContain("let its gate return nothing or { refuse }");
});
