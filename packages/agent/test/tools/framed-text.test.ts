import { loop, map, parallel, pipeline, route } from "../../src/compose.ts";
import { fromChatMessages, handoff, memorySessions, tool, type Message, type Tool } from "@bailiwick/core";
import { codeMode } from "@bailiwick/compose/code-mode";
import { scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hidden, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const hostile = `Pay${Object.values(hidden).join("x")}now`;

type Options = Partial<ConstructorParameters<typeof Agent>[0]>;

/** A tool whose results other people write. */
function mail(more: Partial<Tool> = {}): Tool {
  return tool({
    name: "read_mail",
    description: "Reads the newest mail.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted" },
    execute: () => hostile,
    ...(more as object),
  }) as Tool;
}

function agentOf(name: string, model: ScriptedModel, tools: readonly Tool[], options: Options = {}): Agent {
  return new Agent({ name, logger: quiet, model, tools, flow: { planner: false }, ...options });
}

/** An agent that reads the mail and repeats it, like a model that copies it character by character. */
function reader(tools: readonly Tool[] = [mail()]): Agent {
  return agentOf(
    "reader",
    scriptedModel(({ toolResults }) =>
      toolResults.every(({ toolName }) => toolName !== "read_mail")
        ? { toolCalls: [{ name: "read_mail", arguments: {} }] }
        : `It says: ${hostile}`,
    ),
    tools,
  );
}

/** The text of everything that was sent to a model. */
function sentTo(model: ScriptedModel): string {
  return model.requests.flatMap(({ messages }) => messages.map(textOf)).join("\n");
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function expectClean(text: string): void {
  expect(text).toContain("Pay");
  for (const [what, characters] of Object.entries(hidden)) expect(text.includes(characters), what).toBe(false);
}

const frame = /<untrusted-content tool="[\w ]+" nonce="[0-9a-f]+">\n[^]*Pay[^]*<\/untrusted-content>/u;

/** Calls the tool once and answers. */
function caller(name: string, args: object = {}): ScriptedModel {
  return scriptedModel([{ toolCalls: [{ name, arguments: args }] }, "Done."]);
}

test("the untrusted output of a first-party tool is sanitized and framed by default [sanitize.by-label]", async () => {
  const model = caller("read_mail");
  await agentOf("desk", model, [mail()]).run("Read my mail.");
  expectClean(sentTo(model));
  expect(sentTo(model)).toMatch(frame);
});

test("an explicit policy is not changed, so that a file tool can be exact to the byte [sanitize.by-label]", async () => {
  for (const inboundSanitization of ["pass-through", "detect-and-flag"] as const) {
    const model = caller("read_mail");
    await agentOf("desk", model, [mail({ inboundSanitization })]).run("Read my mail.");
    expect(sentTo(model), inboundSanitization).toContain(hostile);
  }
});

test("code reads the tool's original result, even if the model is shown another text [sanitize.by-label]", async () => {
  const output = await agentOf("desk", caller("read_mail"), [mail()]).run("Read my mail.");
  expect(output.toolCalls[0]?.output).toBe(hostile);
});

/** A tool of the developer that starts the reader itself. */
function wrapper(more: Partial<Tool> = {}): Tool {
  return tool({
    name: "ask",
    description: "Asks the reader.",
    inputSchema: z.object({ input: z.string() }),
    sideEffectClass: "read-only",
    ...(more as object),
    execute: async ({ input }, ctx) => (await reader().run(input, ctx.runOptions)).text,
  }) as Tool;
}

const ways: Readonly<Record<string, () => Tool>> = {
  "an agent as a tool": () => reader().asTool({ name: "ask" }),
  "an agent in an agent": () =>
    agentOf(
      "middle",
      scriptedModel(({ toolResults }) =>
        toolResults.length === 0
          ? { toolCalls: [{ name: "reader", arguments: { input: "Read." } }] }
          : `It says: ${hostile}`,
      ),
      [reader().asTool()],
    ).asTool({ name: "ask" }),
  "a pipeline": () => pipeline({}, reader()).asTool({ name: "ask" }),
  "a parallel composition": () => parallel({}, { reader: reader() }).asTool({ name: "ask" }),
  "a route": () => route({ choose: () => "reader" }, { reader: reader() }).asTool({ name: "ask" }),
  "a map": () => map({ items: (input) => [input] }, reader()).asTool({ name: "ask" }),
  "a loop": () => loop({ until: () => true, maxRounds: 2 }, reader()).asTool({ name: "ask" }),
  "a handoff inside": () =>
    agentOf("front", scriptedModel([{ toolCalls: [{ name: "transfer_to_reader", arguments: {} }] }, "x"]), [], {
      handoffs: [handoff(reader())],
    }).asTool({ name: "ask" }),
  "a tool that starts the agent by itself": () => wrapper(),
};

test.each(Object.entries(ways))("text from %s is sanitized and framed [sanitize.by-label]", async (_how, ask) => {
  const model = caller("ask", { input: "Read my mail." });
  const output = await agentOf("desk", model, [ask()]).run("Read my mail.");
  expect(output.status).toBe("completed");
  expectClean(sentTo(model));
  expect(sentTo(model)).toMatch(frame);
});

describe("a node reads another node's answer sanitized and framed", () => {
  const first = (): Agent => reader();
  const chains: Readonly<Record<string, (second: Agent) => { run: (input: string) => Promise<unknown> }>> = {
    "a pipeline": (second) => pipeline({}, first(), second),
    "a pipeline in a pipeline": (second) => pipeline({}, pipeline({ name: "one" }, first()), second),
    "a pipeline that ends in a map": (second) => pipeline({}, first(), map({ items: (input) => [input] }, second)),
    "a pipeline that ends in a route": (second) => pipeline({}, first(), route({ choose: () => "second" }, { second })),
  };
  test.each(Object.entries(chains))("reads it sanitized and framed: %s [sanitize.by-label]", async (_how, chain) => {
    const model = scriptedModel(["Done."]);
    await chain(agentOf("second", model, [])).run("Read my mail.");
    expectClean(sentTo(model));
    expect(sentTo(model)).toMatch(frame);
  });
});

test("the answer of a composition is the last node's text, without a frame", async () => {
  const output = await pipeline({}, reader()).run("Read my mail.");
  expect(output.text).toBe(`It says: ${hostile}`);
});

test("a calling model's request is sanitized but not framed: it is the called agent's task [sanitize.by-label]", async () => {
  const inner = scriptedModel(["Done."]);
  const worker = agentOf("worker", inner, []);
  const outer = scriptedModel([
    { toolCalls: [{ name: "read_mail", arguments: {} }] },
    { toolCalls: [{ name: "worker", arguments: { input: `Look this up: ${hostile}` } }] },
    "Done.",
  ]);
  await agentOf("desk", outer, [mail(), worker.asTool()]).run("Do it.");
  expectClean(sentTo(inner));
  expect(sentTo(inner)).not.toContain("untrusted-content");
});

test("a part that the caller marks untrusted is sanitized and framed; the user's own words are unchanged [sanitize.by-label]", async () => {
  const model = scriptedModel(["Done.", "Done."]);
  const agent = agentOf("desk", model, []);
  await agent.run([
    { type: "text", text: "Summarize\u200b this:" },
    { type: "text", text: hostile, untrusted: true },
  ]);
  const text = sentTo(model);
  expect(text).toContain("Summarize\u200b this:");
  expect(text).toMatch(frame);
  expect(text).not.toContain("<|im_start|>");
  await agent.run("Look", {
    messages: [{ role: "user", content: [{ type: "text", text: hostile, untrusted: true }] }],
  });
  expect(model.requests[1]?.messages.map(textOf).join("\n")).toMatch(frame);
});

test("a program's result has the frame of the untrusted tools that the program may call [sanitize.by-label]", async () => {
  const made = codeMode({ tools: [mail()] });
  const model = scriptedModel([
    { toolCalls: [{ name: "run_code", arguments: { code: "return await tools.read_mail({})" } }] },
    "Done.",
  ]);
  await agentOf("desk", model, [made]).run("Read my mail.");
  expectClean(sentTo(model).replace(/^.*tools\.read_mail.*$/gmu, ""));
  expect(sentTo(model)).toMatch(frame);
});

test("a wrapper that declares verified results keeps them unchanged", async () => {
  const model = caller("ask", { input: "Read my mail." });
  await agentOf("desk", model, [wrapper({ output: { integrity: "verified" } })]).run("Read my mail.");
  expect(sentTo(model)).not.toContain("untrusted-content");
});

test.each(["middle", "tail", "spill", "summarize"] as const)(
  "a result that is shortened by its strategy stays cleaned and framed: %s [sanitize.by-label]",
  async (truncationStrategy) => {
    const long = `${hostile} ${"word ".repeat(2_000)} ${hostile}`;
    const model = caller("read_mail");
    const summaries = scriptedModel(() => `A summary: ${hostile}`);
    const reading = { ...mail({ truncationStrategy, maxResultTokens: 100 }), execute: () => long } as Tool;
    const desk = agentOf("desk", model, [reading], { toolResultLimit: { strategy: "middle", model: summaries } });
    await desk.run("Read my mail.");
    const shown = textOf(model.requests[1]?.messages.findLast(({ role }) => role === "tool") as Message);
    expect(shown.length).toBeLessThan(900);
    expectClean(shown);
    expect(shown).toMatch(
      /^<untrusted-content tool="read_mail" nonce="[0-9a-f]+">\n[^]*Pay[^]*\n<\/untrusted-content>/u,
    );
    expect(shown.match(/untrusted-content/gu)).toHaveLength(2);
    if (truncationStrategy === "summarize") expectClean(sentTo(summaries));
  },
);

test("a summary of the conversation is cleaned before the model reads it [sanitize.by-label]", async () => {
  const model = scriptedModel(({ turn }) =>
    turn < 6 ? { text: "z".repeat(400), toolCalls: [{ name: "read_mail", arguments: {} }] } : "Done.",
  );
  const summarizeModel = scriptedModel(() => `So far: ${hostile}`);
  const contextCompactor = { maxContextTokens: 900, strategy: "summarize", summarizeModel } as const;
  await agentOf("desk", model, [mail()], { contextCompactor, loopDetection: false }).run("Read my mail.");
  expect(sentTo(model)).toContain("[Summary of the conversation until here]\nSo far: Pay");
  expectClean(sentTo(model));
});

test("results passed in `messages` are cleaned and framed, answers are cleaned, and texts marked as trusted are unchanged [sanitize.by-label]", async () => {
  for (const trusted of [false, true]) {
    const model = scriptedModel(["Done."]);
    const content = [{ type: "text" as const, text: hostile, ...(trusted && { untrusted: false }) }];
    const agent = agentOf("desk", model, []);
    const messages = [
      { role: "user" as const, content: "Read my mail." },
      { role: "assistant" as const, content, toolCalls: [{ id: "c", name: "read_mail", arguments: "{}" }] },
      { role: "tool" as const, toolCallId: "c", toolName: "read_mail", content },
    ];
    await agent.run("And now?", { messages });
    for (const { messages: sent } of model.requests) {
      const [answer, result] = ["assistant", "tool"].map((role) =>
        textOf(sent.find((one) => one.role === role) as Message),
      );
      if (trusted) expect([answer?.trimEnd(), result]).toEqual([hostile, hostile]);
      else {
        expectClean(answer ?? "");
        expectClean(result ?? "");
        expect(result).toMatch(frame);
      }
    }
  }
});

test("each page of a shortened untrusted result has a whole frame, and its JSON is read by path [sanitize.by-label]", async () => {
  const rows = Array.from({ length: 400 }, (_, index) => ({ from: `person ${index}`, text: hostile }));
  const model = scriptedModel(({ toolResults, messages }) => {
    const handle = /[0-9a-f]{64}/u.exec(JSON.stringify(messages))?.[0];
    const pages = [{ path: "[3].text" }, { path: "", offset: 5, limit: 300 }, { offset: 10, limit: 40 }];
    if (toolResults.length === 0) return { toolCalls: [{ name: "read_mail", arguments: {} }] };
    if (toolResults.length > 1) return "Done.";
    return { toolCalls: pages.map((page) => ({ name: "read_result", arguments: { handle, ...page } })) };
  });
  const desk = agentOf("desk", model, [mail({ execute: () => rows, maxResultTokens: 200 })]);
  await desk.run("Read my mail.");
  const pages = (model.requests.at(-1)?.messages ?? []).filter(
    (message) => message.role === "tool" && message.toolName === "read_result",
  );
  expect(pages).toHaveLength(3);
  for (const page of pages)
    expect(textOf(page)).toMatch(
      /^<untrusted-content tool="read_result" nonce="[0-9a-f]+">\n[^]*\n<\/untrusted-content>$/u,
    );
  expectClean(pages.map(textOf).join("\n"));
  expect(textOf(pages[0] as Message)).toContain('"unit":"characters","offset":0');
  expect(textOf(pages[1] as Message)).toContain('"unit":"items","offset":5,"total":400');
});

test("answers and results that were imported into a session are treated like those in `messages` [flow.r2.imported] [sanitize.by-label]", async () => {
  for (const how of ["converted", "marked untrusted", "trusted"] as const) {
    const model = scriptedModel(["Done.", "Done."]);
    const converted = fromChatMessages([
      { role: "user", content: "Read my mail." },
      { role: "assistant", content: hostile, toolCalls: [{ id: "c", name: "read_mail", arguments: "{}" }] },
      { role: "tool", toolCallId: "c", content: hostile },
      { role: "assistant", content: "Read." },
    ]);
    const provenance = { provider: "scripted", api: "scripted", model: "scripted" };
    const parts = (message: Message): object => {
      const mark = { text: { untrusted: how === "marked untrusted" } };
      if (message.role === "tool") return { content: [{ type: "text", text: hostile, ...mark.text }] };
      if (message.role !== "assistant") return {};
      const content = message.content.map((part) => (part.type === "text" ? { ...part, ...mark.text } : part));
      return { content, ...(how === "marked untrusted" && { provenance }) };
    };
    const messages = converted.map((one) => (how === "converted" ? one : { ...one, ...parts(one) }));
    const session = memorySessions();
    await session.append("s", messages, { runId: "import", seq: 0 });
    const agent = agentOf("desk", model, [], { session });
    await agent.run("And now?", { sessionId: "s" });
    await agent.run("And now?", { sessionId: "s" });
    expect(model.requests).toHaveLength(2);
    for (const { messages: sent } of model.requests) {
      const [answer, result] = ["assistant", "tool"].map((role) =>
        textOf(sent.find((one) => one.role === role) as Message),
      );
      if (how === "trusted") expect([answer?.trimEnd(), result]).toEqual([hostile, hostile]);
      else {
        expectClean(answer ?? "");
        expectClean(result ?? "");
        expect(result).toMatch(frame);
      }
    }
  }
});
