import {
  handoff,
  memorySessions,
  memoryStore,
  tool,
  type Decision,
  type Message,
  type RunOutput,
  type Tool,
} from "@bailiwick/core";
import { scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { confirm, hidden, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

type Options = Partial<ConstructorParameters<typeof Agent>[0]>;

const benign = {
  "plain text": 'Pay 12 € to "Ada" \\ Co.\n\tToday',
  "joined emoji": "👩\u200d👩\u200d👧 ❤\ufe0f 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "right-to-left languages": "שלום Ada, مرحبا بالعالم, می\u200cخواهم",
} as const;

const session = { sessionId: "s", userId: "ada" } as const;

function mailTool(integrity: "untrusted" | "verified" = "untrusted"): Tool {
  return tool({
    name: "read_mail",
    description: "Reads the newest mail.",
    inputSchema: z.object({ topic: z.string() }),
    sideEffectClass: "read-only",
    output: { integrity, readers: "public" },
    execute: () => "A mail.",
  }) as Tool;
}

function agentOf(name: string, model: ScriptedModel, options: Options): Agent {
  return new Agent({ name, logger: quiet, model, flow: { planner: false }, ...options });
}

type Step = NonNullable<
  Parameters<typeof scriptedModel>[0] extends infer Script ? Extract<Script, readonly unknown[]>[number] : never
>;

/** An agent that reads mail, and then writes a text in an answer and in a call's arguments. */
function reader(text: string, options: Options, last: readonly Step[]): { agent: Agent; model: ScriptedModel } {
  const model = scriptedModel([
    { toolCalls: [{ name: "read_mail", arguments: { topic: "new" } }] },
    { text, toolCalls: [{ name: "read_mail", arguments: { topic: text } }] },
    ...last,
  ]);
  return { agent: agentOf("reader", model, { tools: [mailTool()], ...options }), model };
}

/** The answers in a model's input, each with the arguments of its calls. */
function answersIn({ messages }: { readonly messages: readonly Message[] }): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return [...texts, ...message.toolCalls.map((call) => call.arguments)];
  });
}

interface Continued {
  /** Requests of the agent that reads the answers of an earlier run. */
  readonly requests: ScriptedModel["requests"];
  /** Number of answers of the earlier run in each request. */
  readonly earlier: number;
}

function approved(interruptions: RunOutput["interruptions"]): readonly Decision[] {
  return interruptions.flatMap((each) => (each.kind === "approval" ? [each.approve()] : []));
}

/** A second run of a session that waits for a decision, and functions to continue it with another process. */
async function waiting(text: string) {
  const stores = { session: memorySessions(), store: memoryStore() };
  await reader(text, stores, [text]).agent.run("Read my mail.", session);
  const script = [{ toolCalls: [{ name: "confirm", arguments: {} }] }, "Done."];
  const live = scriptedModel(script.slice(0, 1));
  const options = { ...stores, tools: [mailTool(), confirm] };
  const output = await agentOf("second", live, options).run("And now?", session);
  expect(output.status).toBe("suspended");
  const model = scriptedModel(script.slice(1));
  return { output, live, model, agent: agentOf("second", model, options) };
}

const ways: Readonly<Record<string, (text: string) => Promise<Continued>>> = {
  "after a handoff": async (text) => {
    const model = scriptedModel([{ toolCalls: [{ name: "read_mail", arguments: { topic: "x" } }] }, "Done."]);
    const second = agentOf("second", model, { tools: [mailTool()] });
    const transfer = { text, toolCalls: [{ name: "transfer_to_second", arguments: { reason: text } }] };
    const output = await reader(text, { handoffs: [handoff(second)] }, [transfer]).agent.run("Read my mail.");
    expect(output.status).toBe("completed");
    return { requests: model.requests, earlier: 5 };
  },
  "in a session that another agent continues": async (text) => {
    const stores = { session: memorySessions(), store: memoryStore() };
    await reader(text, stores, [text]).agent.run("Read my mail.", session);
    const model = scriptedModel(["Done."]);
    await agentOf("second", model, stores).run("And now?", session);
    return { requests: model.requests, earlier: 4 };
  },
  "in a session that the same agent continues": async (text) => {
    const stores = { session: memorySessions(), store: memoryStore() };
    const { agent, model } = reader(text, stores, [text, "Done."]);
    await agent.run("Read my mail.", session);
    const before = model.requests.length;
    await agent.run("And now?", session);
    return { requests: model.requests.slice(before), earlier: 4 };
  },
  "in a run that another process resumes": async (text) => {
    const { output, live, model, agent } = await waiting(text);
    expect((await agent.resume(output.runId, approved(output.interruptions))).status).toBe("completed");
    return { requests: [...live.requests, ...model.requests], earlier: 4 };
  },
  "in a fork": async (text) => {
    const { output, live, model, agent } = await waiting(text);
    const { head } = (await agent.inspect(output.runId)).run;
    const { runId } = await agent.fork(output.runId, { atSeq: head.seq });
    expect((await agent.resume(runId, approved(await agent.interruptions(runId)))).status).toBe("completed");
    return { requests: [...live.requests, ...model.requests], earlier: 4 };
  },
};

describe.each(Object.entries(ways))("%s", (_how, continued) => {
  test.each(Object.entries(hidden))(
    "an earlier answer is sent without %s [sanitize.by-label]",
    async (_what, bytes) => {
      const { requests, earlier } = await continued(`Pay${bytes}now`);
      expect(requests.length).toBeGreaterThan(0);
      for (const request of requests) {
        const answers = answersIn(request).slice(0, earlier);
        expect(answers).toHaveLength(earlier);
        expect(answers.filter((answer) => answer.includes("Pay"))).toHaveLength(earlier - 1);
        for (const answer of answers) {
          expect(answer).not.toContain(bytes);
          expect(answer).not.toContain(JSON.stringify(bytes).slice(1, -1));
        }
        // The same request each turn, so that the vendor's cache holds.
        expect(answers).toEqual(answersIn(requests[0] as (typeof requests)[number]).slice(0, earlier));
      }
    },
  );

  test.each(Object.entries(benign))(
    "an earlier answer with %s is sent as it is [sanitize.by-label]",
    async (_what, text) => {
      const { requests, earlier } = await continued(text);
      expect(requests.length).toBeGreaterThan(0);
      for (const request of requests) {
        const answers = answersIn(request).slice(0, earlier);
        expect(answers.filter((answer) => answer === text || answer.includes(JSON.stringify(text)))).toHaveLength(
          earlier - 1,
        );
      }
    },
  );
});

test("answers of a session that read nothing untrusted are sent unchanged [sanitize.by-label]", async () => {
  const text = `Pay${Object.values(hidden).join("x")}now`;
  const stores = { session: memorySessions(), store: memoryStore() };
  await reader(text, { ...stores, tools: [mailTool("verified")] }, [text]).agent.run("Read my mail.", session);
  const model = scriptedModel(["Done."]);
  await agentOf("second", model, { ...stores, tools: [mailTool("verified")] }).run("And now?", session);
  expect(answersIn(model.requests[0] as ScriptedModel["requests"][number]).filter((one) => one === text)).toHaveLength(
    2,
  );
});

test("only a changed answer loses the vendor's own data [sanitize.by-label]", async () => {
  const stores = { session: memorySessions(), store: memoryStore() };
  const signed = (text: string): Step => ({ reasoning: { text: "Hm.", signature: `for ${text.length}` }, text });
  const first = scriptedModel([
    { toolCalls: [{ name: "read_mail", arguments: { topic: "new" } }] },
    signed("Pay\u200bnow"),
    signed("Pay Ada today"),
  ]);
  const agent = agentOf("reader", first, { ...stores, tools: [mailTool()] });
  await agent.run("Read my mail.", session);
  await agent.run("Again.", session);
  const model = scriptedModel(["Done."]);
  await agentOf("reader", model, { ...stores, tools: [mailTool()] }).run("And now?", session);
  const sent = JSON.stringify(model.requests[0]?.messages.filter(({ role }) => role === "assistant"));
  expect(sent).toContain('"signature":"for 13"');
  expect(sent).not.toContain('"signature":"for 7"');
  expect(sent).toContain('"text":"Paynow"');
  expect(sent).not.toContain("\u200b");
});

test("the arguments of calls in given answers are cleaned, and so is a call that is not JSON [sanitize.by-label]", async () => {
  const model = scriptedModel(["Done."]);
  const call = (id: string, args: string) => ({ id, name: "read_mail", arguments: args });
  const calls = [call("a", JSON.stringify({ "to\u200b": ["Pay\u0000now"] })), call("b", '{"to": "Pay\u200bnow')];
  await agentOf("desk", model, { tools: [mailTool()] }).run("And now?", {
    messages: [{ role: "assistant", content: null, toolCalls: calls }],
  });
  const sent = model.requests[0]?.messages.flatMap((one) => (one.role === "assistant" ? one.toolCalls : [])) ?? [];
  expect(sent.map((one) => one.arguments)[0]).toBe('{"to":["Paynow"]}');
  expect(sent[0]?.input).toEqual({ to: ["Paynow"] });
  expect(JSON.stringify(sent)).not.toContain("\u200b");
});

test("a model that summarizes a session reads its earlier answers cleaned [sanitize.by-label]", async () => {
  const stores = { session: memorySessions(), store: memoryStore() };
  const text = `Pay\u200bnow ${"word ".repeat(800)}`;
  await reader(text, stores, [text]).agent.run("Read my mail.", session);
  const summarizeModel = scriptedModel(() => "So far: mail.");
  const contextCompactor = { maxContextTokens: 900, strategy: "summarize", summarizeModel } as const;
  await agentOf("second", scriptedModel(["Done."]), { ...stores, contextCompactor }).run("And now?", session);
  const sent = JSON.stringify(summarizeModel.requests.map(({ messages }) => messages));
  expect(sent).toContain("Paynow");
  expect(sent).not.toContain("\u200b");
});

test("a model that summarizes a run reads the run's own answers cleaned [sanitize.by-label]", async () => {
  const summarizeModel = scriptedModel(() => "So far: mail.");
  const contextCompactor = { maxContextTokens: 900, strategy: "summarize", summarizeModel } as const;
  const call = { name: "read_mail", arguments: { topic: "new" } };
  const long = `Pay\u200bnow ${"word ".repeat(800)}`;
  const { agent, model } = reader(long, { contextCompactor }, [{ toolCalls: [call] }, "Done."]);
  expect((await agent.run("Read my mail.")).text).toBe("Done.");
  const sent = JSON.stringify(summarizeModel.requests.map(({ messages }) => messages));
  expect(sent).toContain("Paynow");
  expect(sent).not.toContain("\u200b");
  expect(model.requests).toHaveLength(4);
});
