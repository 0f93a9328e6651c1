import { memoryStore, type ModelProvider, type RunEvent } from "@bailiwick/core";
import { mcp, openai, webSearch } from "@bailiwick/providers-openai";
import { modelServer, type ModelServer } from "@bailiwick/testing/model-server";
import { scriptedModel, type Script, type ScriptStep } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, collect, failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent, tool, type AgentOptions } from "../../src/index.ts";

const base = { name: "agent", logger: quiet } as const;
const apis = ["responses", "chat"] as const;
const fast = { initialDelayMs: 1 } as const;

/** A model of the vendor's SDK with a connection to a server. */
const modelAt = (server: ModelServer, api: "responses" | "chat", modelId = "gpt-5.5") =>
  openai(modelId, { api, apiKey: "test", baseURL: server.baseURL("openai") });

/** Bodies of the requests, all of which the strict server accepted. */
function bodiesOf(server: ModelServer): readonly Record<string, unknown>[] {
  expect(server.requests.map(({ refusedBy, failure }) => refusedBy ?? failure)).toEqual(
    server.requests.map(() => undefined),
  );
  return server.requests.map(({ body }) => body as Record<string, unknown>);
}

const commented = {
  parts: [
    { type: "text", text: "Let me see.", phase: "commentary" },
    { type: "text", text: "42.", phase: "final_answer" },
  ],
} as const;

/** The text events of a run, grouped by kind. */
async function shownKinds(handle: AsyncIterable<RunEvent>): Promise<{ commentary: string; answer: string }> {
  const shown = { commentary: "", answer: "" };
  for await (const event of handle)
    if (event.type === "text") shown[event.commentary === true ? "commentary" : "answer"] += event.text;
  return shown;
}

test("commentary is marked in each of its events, also while text waits for a verdict [events.text.commentary]", async () => {
  const guardrails = {
    open: undefined,
    whole: [{ name: "fine", validate: () => ({ pass: true as const }) }],
    windows: [
      { name: "fine", validate: () => ({ pass: true as const }), validateChunk: () => ({ pass: true as const }) },
    ],
  };
  for (const output of Object.values(guardrails)) {
    await using server = await modelServer([commented]);
    const model = modelAt(server, "responses");
    const agent = new Agent({ ...base, model, ...(output === undefined ? {} : { guardrails: { output } }) });
    const handle = agent.stream("go");
    expect(await shownKinds(handle)).toEqual({ commentary: "Let me see.", answer: "42." });
    expect((await handle.result).text).toBe("42.");
  }
});

test("commentary is not part of a structured answer, also while it streams [events.text.commentary]", async () => {
  const parts = [commented.parts[0], { type: "text", text: '{"n":42}', phase: "final_answer" }] as const;
  await using server = await modelServer([{ parts }]);
  const handle = new Agent({
    ...base,
    model: modelAt(server, "responses"),
    output: z.object({ n: z.number() }),
  }).stream("go");
  const partials: unknown[] = [];
  for await (const event of handle) if (event.type === "structured.delta") partials.push(event.partial);
  expect(partials.at(-1)).toEqual({ n: 42 });
  expect((await handle.result).structured).toEqual({ n: 42 });
});

test("the received text of an interrupted answer marks its commentary [events.text.commentary]", async () => {
  await using server = await modelServer([commented]);
  const model = modelAt(server, "responses");
  const breaking: ModelProvider = {
    ...model,
    async *stream(request) {
      for await (const chunk of model.stream(request)) {
        if (chunk.type === "finish") throw new Error("The line broke.");
        yield chunk;
      }
    },
  };
  const agent = new Agent({ ...base, model: breaking, store: memoryStore() });
  const handle = agent.stream("go");
  await expect(handle.result).rejects.toThrow("The line broke.");
  const { events } = await agent.inspect(handle.runId);
  expect(events.find(({ type }) => type === "model.result")).toMatchObject({
    message: {
      partial: true,
      content: [
        { type: "text", text: "Let me see.", commentary: true },
        { type: "text", text: "42." },
      ],
    },
  });
});

test("commentary between calls is not part of the answer, streamed or not", async () => {
  const step = commented;
  await using server = await modelServer([step, step]);
  const agent = new Agent({ ...base, model: modelAt(server, "responses") });
  expect((await agent.run("go")).text).toBe("42.");
  expect((await agent.stream("go").result).text).toBe("42.");
});

for (const api of apis) {
  test(`${api}: nulls required by strict mode reach neither the tool nor the structured answer [providers.rule.strict-schemas.nulls-stripped]`, async () => {
    const seen: unknown[] = [];
    const find = tool({
      name: "find",
      description: "Finds.",
      inputSchema: z.object({ text: z.string(), limit: z.number().optional() }),
      sideEffectClass: "pure",
      strict: true,
      execute: (input) => void seen.push(input),
    });
    await using server = await modelServer([
      { toolCalls: [{ name: "find", arguments: { text: "a", limit: null } }] },
      { text: JSON.stringify({ id: "1", note: null }) },
    ]);
    const agent = new Agent({
      ...base,
      model: modelAt(server, api),
      tools: [find],
      output: z.object({ id: z.string(), note: z.string().optional() }),
    });
    const result = await agent.run("go");
    expect(seen).toEqual([{ text: "a" }]);
    expect(result.toolCalls[0]).toMatchObject({ isError: false, input: { text: "a" } });
    expect(result.structured).toEqual({ id: "1" });
    bodiesOf(server);
  });

  test(`${api}: the model reads why the vendor rejected its call, and the run continues for a bounded number of retries [field-bug:PB-provider-errors-07]`, async () => {
    const rejected = {
      faults: {
        error: { status: 400, code: "tool_use_failed", message: "Failed to call a function: <function=add>{" },
      },
    };
    await using server = await modelServer([
      rejected,
      { toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] },
      "3",
    ]);
    const result = await new Agent({ ...base, model: modelAt(server, api), tools: [add], retry: fast }).run("go");
    expect(result.text).toBe("3");
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("rejected before it ran");
    expect(JSON.stringify(server.requests[1]?.body)).toContain("<function=add>{");
    await using broken = await modelServer(() => rejected);
    const agent = new Agent({ ...base, model: modelAt(broken, api), tools: [add], retry: { ...fast, maxRetries: 2 } });
    expect(await failureOf(agent.run("go"))).toMatchObject({ code: "MODEL_TOOL_CALL_INVALID" });
    expect(broken.requests).toHaveLength(3);
  });

  test(`${api}: the vendor's delay is respected, a longer one fails at once with the delay, and an exhausted quota is not retried [providers.rule.retry.delay] [providers.rule.retry.cap] [providers.rule.retry.quota] [field-bug:PB-retry-02]`, async () => {
    const limited = (retryAfterSeconds: number) => ({ faults: { error: { status: 429, retryAfterSeconds } } });
    // A separate back-off would exceed the time of the test.
    await using server = await modelServer([limited(0.05), "Hello."]);
    expect(
      (
        await new Agent({
          ...base,
          model: modelAt(server, api),
          retry: { initialDelayMs: 60_000, maxDelayMs: 60_000 },
        }).run("go")
      ).text,
    ).toBe("Hello.");
    await using far = await modelServer(() => limited(600));
    expect(await failureOf(new Agent({ ...base, model: modelAt(far, api) }).run("go"))).toMatchObject({
      code: "MODEL_RATE_LIMITED",
      message: expect.stringMatching(/600000 ms, which is above retry\.maxDelayMs \(10000 ms\)/u) as string,
    });
    expect(far.requests).toHaveLength(1);
    await using empty = await modelServer(() => ({
      faults: { error: { status: 429, code: "insufficient_quota", type: "insufficient_quota" } },
    }));
    expect(await failureOf(new Agent({ ...base, model: modelAt(empty, api), retry: fast }).run("go"))).toMatchObject({
      code: "MODEL_QUOTA_EXCEEDED",
    });
    expect(empty.requests).toHaveLength(1);
  });

  test(`${api}: an abort ends the wait for a retry, and leaves no open request [field-bug:PB-retry-02]`, async () => {
    await using server = await modelServer([{ faults: { error: { status: 429, retryAfterSeconds: 50 } } }, "never"]);
    const controller = new AbortController();
    const running = new Agent({ ...base, model: modelAt(server, api), retry: { maxDelayMs: 60_000 } }).run("go", {
      signal: controller.signal,
    });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    expect(await running).toMatchObject({ status: "cancelled", stopReason: "cancelled" });
    expect(server.requests).toHaveLength(1);
  });

  test(`${api}: an interrupted answer is kept with its text and usage [providers.rule.usage.partial]`, async () => {
    const store = memoryStore();
    await using server = await modelServer([
      { text: "one two three four", faults: { cutAfterEvents: api === "chat" ? 3 : 7 } },
    ]);
    const agent = new Agent({ ...base, model: modelAt(server, api), store, retry: { maxRetries: 0 } });
    const { error } = await collect(agent.stream("go"));
    const { output } = error as { readonly output: Awaited<ReturnType<typeof agent.run>> };
    const last = output.messages.at(-1);
    expect(last).toMatchObject({
      role: "assistant",
      partial: true,
      content: [{ type: "text", text: expect.stringMatching(/^one/) as string }],
    });
    expect(output.usage.inputTokens).toBeGreaterThan(0);
    const journaled = (await agent.inspect(output.runId)).events.findLast(({ type }) => type === "model.result");
    expect(journaled).toMatchObject({
      finishReason: "error",
      message: { partial: true },
      error: { code: expect.any(String) as string },
    });
  });

  test(`${api}: an abort keeps the received text, and the vendor sees the connection close`, async () => {
    await using server = await modelServer([
      { text: "one two three four", faults: { hangAfterEvents: api === "chat" ? 3 : 7 } },
    ]);
    const controller = new AbortController();
    const handle = new Agent({ ...base, model: modelAt(server, api) }).stream("go", { signal: controller.signal });
    for await (const event of handle) if (event.type === "text") controller.abort();
    const result = await handle.result;
    expect(result).toMatchObject({ status: "cancelled" });
    expect(result.messages.at(-1)).toMatchObject({ role: "assistant", partial: true, content: [{ type: "text" }] });
    expect(result.usage.totalTokens).toBeGreaterThan(0);
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  test(`${api}: the fallback gets the history compiled for it, with calls and results`, async () => {
    await using first = await modelServer([
      { reasoning: "Add them.", toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] },
      { faults: { error: { status: 400, message: "no" } } },
    ]);
    await using second = await modelServer(["3"]);
    const other = api === "chat" ? "responses" : "chat";
    const agent = new Agent({
      ...base,
      model: modelAt(first, api),
      fallback: [modelAt(second, other, "gpt-4.1")],
      tools: [add],
    });
    expect(await agent.run("go")).toMatchObject({ text: "3", model: "gpt-4.1" });
    const [body] = bodiesOf(second);
    const text = JSON.stringify(body);
    expect(text).toContain('"a\\":1');
    expect(text).not.toMatch(/encrypted_content":|rs_/);
  });

  test(`${api}: session and shared caching reach the wire as the vendor's key, and a run can turn caching off`, async () => {
    await using server = await modelServer(() => "ok");
    const agent = new Agent({ ...base, model: modelAt(server, api), instructions: "Be brief.", tools: [add] });
    await agent.run("go", { sessionId: "s1" });
    await agent.run("go", { sessionId: "s2", enableCaching: true });
    await agent.run("go", { sessionId: "s3", enableCaching: true });
    await agent.run("go", { sessionId: "s4", enableCaching: false });
    const keys = bodiesOf(server).map((body) => body["prompt_cache_key"]);
    expect(keys[0]).toBe("s1");
    expect(keys[1]).toEqual(expect.any(String));
    expect(keys[1]).not.toBe("s2");
    expect(keys[2]).toBe(keys[1]);
    expect(keys[3]).toBeUndefined();
  });

  test(`${api}: an image in a tool's result reaches the model [providers.rule.images.tool-results]`, async () => {
    const look = tool({
      name: "look",
      description: "Looks.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      execute: () => "iVBORw0KGgo=",
      toModelOutput: (data) => [{ type: "image", data, mimeType: "image/png" }],
    });
    const images: number[] = [];
    const script: Script = ({ messages, toolResults }) => {
      if (toolResults.length === 0) return { toolCalls: [{ name: "look" }] };
      images.push(messages.reduce((sum, message) => sum + message.images, 0));
      return "a dot";
    };
    await using server = await modelServer(script);
    expect((await new Agent({ ...base, model: modelAt(server, api), tools: [look] }).run("go")).text).toBe("a dot");
    expect(images).toEqual([1]);
    expect(JSON.stringify(bodiesOf(server)[1])).toContain("data:image/png;base64,iVBORw0KGgo=");
  });

  test(`${api}: cost follows the configured prices, with a separate price for cached tokens`, async () => {
    await using server = await modelServer([
      { text: "ok", usage: { inputTokens: 1_000, cachedTokens: 400, outputTokens: 100 } },
    ]);
    const agent = new Agent({
      ...base,
      model: modelAt(server, api),
      prices: { "openai/gpt-5.5": { input: 10, cachedInput: 1, output: 20 } },
    });
    const result = await agent.run("go");
    expect(result.costUsd).toBeCloseTo((600 * 10 + 400 * 1 + 100 * 20) / 1_000_000, 12);
    expect(result.usage).toMatchObject({
      inputTokens: 1_000,
      cachedTokens: 400,
      outputTokens: 100,
      totalTokens: 1_100,
    });
  });

  for (const [structuredOutput, streamed] of [
    ["with-tools", false],
    ["with-tools", true],
    ["none", false],
    ["none", true],
  ] as const) {
    test(`${api}: ${structuredOutput === "none" ? "final-answer tool" : "native"}, ${streamed ? "streamed" : "whole"}: tools first, then the answer [providers.rule.structured-output.final-answer-tool]`, async () => {
      const value = { id: "1", lines: [{ sku: "a" }] };
      const answer =
        structuredOutput === "none"
          ? { toolCalls: [{ name: "final_answer", arguments: value }] }
          : { text: JSON.stringify(value) };
      await using server = await modelServer([{ toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] }, answer]);
      const model = openai("gpt-5.5", {
        api,
        apiKey: "test",
        baseURL: server.baseURL("openai"),
        capabilities: { structuredOutput },
      });
      const agent = new Agent({
        ...base,
        model,
        tools: [add],
        output: z.object({
          id: z.string(),
          lines: z.array(z.object({ sku: z.string(), note: z.string().optional() })),
        }),
      });
      if (!streamed) expect(await agent.run("go")).toMatchObject({ structured: value, stopReason: "completed" });
      else {
        const handle = agent.stream("go");
        const { events, error } = await collect(handle);
        expect(error).toBeUndefined();
        expect(await handle.result).toMatchObject({ structured: value, stopReason: "completed" });
        expect(events.findLast((event) => event.type === "structured.delta")).toMatchObject({ partial: { id: "1" } });
        expect(events.filter((event) => event.type === "tool_call_start").map((event) => event.toolCall.name)).toEqual([
          "add",
        ]);
      }
      bodiesOf(server);
    });
  }
}

for (const approves of [true, false]) {
  test(`a hosted call waits for a person, and the vendor reads that it was ${approves ? "approved" : "rejected"} [hosted.vendor-approval]`, async () => {
    const request = {
      type: "mcp_approval_request",
      id: "mcpr_1",
      server_label: "crm",
      name: "delete",
      arguments: '{"id":1}',
    };
    await using server = await modelServer([{ parts: [{ type: "raw", value: request }] }, "Done."]);
    const crm = mcp({ server_label: "crm", server_url: "https://mcp.example.com" });
    const agent = new Agent({ ...base, model: modelAt(server, "responses"), hostedTools: [crm], store: memoryStore() });
    const waiting = await agent.run("go");
    expect(waiting).toMatchObject({ status: "suspended", stopReason: "awaiting_approval" });
    expect(server.requests).toHaveLength(1);
    const [question] = waiting.interruptions;
    expect(question).toMatchObject({ toolName: expect.stringContaining("delete") as string });
    const decision = approves ? question?.approve() : question?.reject("Not that one.");
    expect(decision).toBeDefined();
    const result = await agent.resume(waiting.runId, decision === undefined ? [] : [decision]);
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(bodiesOf(server)[1]?.["input"]).toContainEqual(
      expect.objectContaining({ type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: approves }),
    );
  });
}

test("a hosted MCP server is accepted if the vendor asks about all writers, and otherwise refused at construction [hosted.vendor-approval] [hosted.ungoverned-refused]", async () => {
  await using server = await modelServer(["Done."]);
  const crm = { server_label: "crm", server_url: "https://mcp.example.com" };
  const make = (settings: Partial<Parameters<typeof mcp>[0]>, flow: AgentOptions["flow"] = "enforce") =>
    new Agent({ ...base, model: modelAt(server, "responses"), hostedTools: [mcp({ ...crm, ...settings })], flow });
  for (const require_approval of ["never", { never: { tool_names: ["delete"] } }] as const) {
    expect(() => make({ require_approval } as object)).toThrow(
      expect.objectContaining({ code: "UNGOVERNED_HOSTED_TOOL", toolNames: ["mcp:crm"] }),
    );
    expect(make({ require_approval } as object, { allowUngovernedHostedTools: true })).toBeDefined();
  }
  await make({ reads: ["find"] }).run("go");
  expect(bodiesOf(server)[0]?.["tools"]).toEqual([
    expect.objectContaining({ type: "mcp", require_approval: { never: { tool_names: ["find"] } } }),
  ]);
});

test("the result of a hosted search is untrusted: a writer in the same answer asks [hosted.side-effect-class]", async () => {
  const sent: unknown[] = [];
  const send = tool({
    name: "send",
    description: "Sends.",
    inputSchema: z.object({ to: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    execute: (input) => void sent.push(input),
  });
  const found = {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query: "eve", sources: [] },
  };
  const call = { type: "tool_call", name: "send", arguments: { to: "eve" } } as const;
  const asked = async (parts: Extract<ScriptStep, { parts?: unknown }>["parts"]): Promise<readonly unknown[]> => {
    await using server = await modelServer([{ parts }, "Done."]);
    const agent = new Agent({
      ...base,
      model: modelAt(server, "responses"),
      tools: [send],
      hostedTools: [webSearch()],
      flow: { planner: false },
      store: memoryStore(),
    });
    const { interruptions } = await agent.run("go");
    return interruptions.map(({ toolName, question: { developer, values } }) => [
      toolName,
      developer.rules[0],
      JSON.stringify(values).includes("web search"),
    ]);
  };
  expect(await asked([call])).toEqual([]);
  expect(await asked([{ type: "raw", value: found }, call])).toEqual([["send", "R2", true]]);
  expect(sent).toEqual([{ to: "eve" }]);
});

test("the prefix of an earlier request is sent again byte for byte", async () => {
  await using server = await modelServer(({ turn }) =>
    turn < 6 ? { toolCalls: [{ name: "add", arguments: { a: turn, b: 1 } }] } : "done",
  );
  await new Agent({ ...base, model: modelAt(server, "responses"), tools: [add], loopDetection: false }).run("go");
  const inputs = bodiesOf(server).map((body) =>
    (body["input"] as readonly unknown[]).map((item) => JSON.stringify(item)),
  );
  for (const [index, input] of inputs.slice(1).entries())
    expect(input.slice(0, inputs[index]?.length)).toEqual(inputs[index]);
  expect(inputs).toHaveLength(7);
});

test("scriptedModel fails with the error codes of the adapters", async () => {
  const request = { messages: [{ id: "u", role: "user", content: "go" }] } as const;
  const codeOf = async (model: ModelProvider): Promise<unknown> => {
    const failure = (await model.generate(request).then(
      () => undefined,
      (error: unknown) => error,
    )) as { readonly code?: unknown; readonly retryable?: unknown } | undefined;
    return [failure?.code, failure?.retryable];
  };
  const faults = [
    ...[400, 401, 403, 404, 413, 429, 500, 503].map((status) => ({ error: { status } })),
    { contextOverflow: true },
  ];
  for (const fault of faults) {
    const scripted = await codeOf(scriptedModel([{ faults: fault }]));
    for (const api of apis) {
      await using server = await modelServer([{ faults: fault }]);
      expect([fault, api, await codeOf(modelAt(server, api))]).toEqual([fault, api, scripted]);
    }
  }
});
