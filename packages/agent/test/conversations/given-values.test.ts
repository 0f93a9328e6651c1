import { memoryStore, tool, type Decision, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openAgent } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const changed = "changed afterwards";

/** Replaces every text in a value, and adds to every list. */
function change(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === "string" && key !== "type" && key !== "role") Reflect.set(value, key, changed);
    else change(member);
  }
  if (Array.isArray(value)) value.push(structuredClone(value[0]));
}

function world(needsApproval = false) {
  const store = memoryStore();
  const ran: unknown[] = [];
  const write = tool({
    name: "write",
    description: "Writes.",
    inputSchema: z.object({ to: z.object({ name: z.string() }) }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval,
    execute: (input, { metadata, extraVars }) => void ran.push(structuredClone([input, metadata, extraVars])),
  });
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "write", arguments: { to: { name: "ann" } } }] },
  );
  const agentWith = (options: object): Agent => new Agent({ ...openAgent, store, model, tools: [write], ...options });
  return { store, ran, agentWith, agent: agentWith({}) };
}

async function stored(store: RunStore, runId: string): Promise<string> {
  return JSON.stringify([await store.load(runId), await store.getRun(runId)]);
}

test.each(["run", "stream", "enqueue"] as const)(
  "%s() uses the input and the options as they were at the call, even if the caller changes them afterwards [events.copies.given]",
  async (how) => {
    const { store, agent, ran } = world();
    const input = [{ type: "text" as const, text: "Write to ann." }];
    const messages = [{ role: "user" as const, content: "Earlier." }];
    const metadata = { order: { id: "1" } };
    const extraVars = { place: { city: "here" } };
    const options = { messages, metadata, ...(how !== "enqueue" && { extraVars }) };
    const begun =
      how === "run"
        ? agent.run(input, options)
        : how === "stream"
          ? agent.stream(input, options).result
          : agent.enqueue(input, options);
    for (const value of [input, messages, metadata, extraVars]) change(value);
    const { runId } = await begun;
    expect(await stored(store, runId)).not.toContain(changed);
    if (how !== "enqueue")
      expect(ran).toEqual([[{ to: { name: "ann" } }, { order: { id: "1" } }, { place: { city: "here" } }]]);
  },
);

const refusing = { pass: false, reason: "Not now." } as const;
/** Strict options, by the option that makes them strict, and a change that would loosen them. */
const strict: Readonly<Record<string, () => readonly [options: object, loosen: () => void]>> = {
  flow: () => {
    const flow = { mode: "enforce" };
    return [{ flow }, () => (flow.mode = "off")];
  },
  "approval.policy": () => {
    const approval: { policy: string[] | string } = { policy: "all" };
    return [{ approval }, () => (approval.policy = "none")];
  },
  "the list of approval.policy": () => {
    const policy = ["write"];
    return [{ approval: { policy } }, () => (policy.length = 0)];
  },
  extensions: () => {
    const extensions = [{ name: "refusing", gate: () => ({ refuse: "Not now." }) }];
    return [{ extensions }, () => (extensions.length = 0)];
  },
  "guardrails.toolInput": () => {
    const toolInput = [{ name: "refusing", validate: () => refusing }];
    return [{ guardrails: { toolInput } }, () => (toolInput.length = 0)];
  },
  loopHooks: () => {
    const loopHooks: { beforeToolExec?: unknown } = { beforeToolExec: () => ({ skip: true, result: "skipped" }) };
    return [{ loopHooks }, () => delete loopHooks.beforeToolExec];
  },
  "the object itself": () => {
    const options: { approval?: object } = { approval: { policy: "all" } };
    return [options, () => delete options.approval];
  },
};

describe.each(Object.entries(strict))("%s", (name, make) => {
  test.each(["new Agent", "run", "stream", "resume", "resumeStream"] as const)(
    "is as it was when it was given to %s(), even if the caller loosens it afterwards [events.copies.given]",
    async (how) => {
      const { agentWith, ran } = world();
      const [options, loosen] = make();
      // In this mode, the call waits for a person because of the untrusted part of the input.
      const text = [{ type: "text" as const, text: "Write to ann.", untrusted: true }];
      const base = name === "flow" ? { flow: { mode: "shadow" as const } } : {};
      let given: Promise<unknown>;
      if (how === "new Agent") {
        const agent = agentWith(options);
        loosen();
        given = agent.run(text);
      } else if (how === "run" || how === "stream") {
        const agent = agentWith(base);
        given = how === "run" ? agent.run(text, options) : agent.stream(text, options).result;
      } else {
        const agent = agentWith(base);
        const { runId } = await agent.enqueue(text);
        given = how === "resume" ? agent.resume(runId, [], options) : agent.resumeStream(runId, [], options).result;
      }
      if (how !== "new Agent") loosen();
      await given;
      expect(ran).toEqual([]);
    },
  );
});

test("runs that are started in a loop with one object of options keep the user of each [events.copies.given]", async () => {
  const { store, agent } = world();
  const options = { userId: "" };
  const started = ["ana", "bob"].flatMap((userId) => {
    options.userId = userId;
    return [agent.run("Go.", options), agent.stream("Go.", options).result];
  });
  const runs = await Promise.all((await Promise.all(started)).map(({ runId }) => store.getRun(runId)));
  expect(runs.map((run) => run?.userId)).toEqual(["ana", "ana", "bob", "bob"]);
});

test.each(["resume", "resumeStream", "decide"] as const)(
  "%s() uses decisions as they were at the call [events.copies.given]",
  async (how) => {
    const { store, agent, ran } = world(true);
    const { runId, interruptions } = await agent.run("Go.");
    const decisions: Decision[] = interruptions.map((one) => one.approve({ args: { to: { name: "bob" } } }));
    const given =
      how === "resume"
        ? agent.resume(runId, decisions)
        : how === "resumeStream"
          ? agent.resumeStream(runId, decisions).result
          : agent.decide(runId, decisions);
    change(decisions);
    await given;
    if (how === "decide") await agent.resume(runId);
    expect(ran).toMatchObject([[{ to: { name: "bob" } }, {}, {}]]);
    expect(await stored(store, runId)).not.toContain(changed);
  },
);

test("fork() uses its edit as it was at the call [events.copies.given]", async () => {
  const { store, agent } = world();
  const { runId } = await agent.run("Go.");
  const edit = { message: [{ type: "text" as const, text: "Another." }] };
  const forked = agent.fork(runId, { atSeq: 1, edit });
  change(edit);
  const fork = await forked;
  await agent.resume(fork.runId);
  const text = await stored(store, fork.runId);
  expect([text.includes("Another."), text.includes(changed)]).toEqual([true, false]);
});

test("toOutput of an agent as a tool gets its own copy of the inner run's output [events.copies.own]", async () => {
  const { agent } = world();
  const store = memoryStore();
  const outer = new Agent({
    ...openAgent,
    name: "outer",
    store,
    keys: { sign: "0123456789abcdef0123456789abcdef" },
    model: scriptedModel(({ toolResults }) =>
      toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "agent", arguments: { input: "Go." } }] },
    ),
    tools: [
      agent.asTool({
        toOutput: (output) => {
          const { text } = output;
          for (const key of Object.keys(output)) Reflect.set(output, key, undefined);
          return text;
        },
      }),
    ],
  });
  const output = await outer.run("Go.");
  expect([output.status, output.toolCalls[0]?.output, output.usageByAgent.length]).toEqual(["completed", "Done.", 2]);
  expect((await outer.verifyAudit(output.runId)).verdict).toBe("valid");
});

test.each([
  ["a Map", new Map([[1, 2]])],
  ["NaN", Number.NaN],
  ["a Date", new Date(0)],
  ["bytes", new Uint8Array([1])],
  ["a bigint", 1n],
  ["undefined in a list", [undefined]],
  ["a function", () => 1],
])("enqueue() refuses metadata with %s, with its path, before the run is stored [state.json]", async (_what, value) => {
  const { store, agent } = world();
  await expect(agent.enqueue("Go.", { metadata: { kept: { value } } })).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringContaining('at "kept.value') as string,
  });
  expect(await store.listRuns({})).toEqual([]);
});
