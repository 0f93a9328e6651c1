import { compileHistory } from "@bailiwick/core/provider";
import { type Message } from "@bailiwick/core";
import { expect, test } from "vitest";
import { answer, call, result, target, user } from "./history.fixture.ts";

const compile = (messages: readonly Message[], to = target()) => compileHistory(messages, to).messages;
const shape = (messages: readonly Message[]) =>
  messages.map((message) => (message.role === "tool" ? `tool ${message.toolCallId}` : message.role));

test("an answer from the same target is returned as the same object [providers.rule.provenance.same]", () => {
  const mine = answer("a", [call("c1", { providerState: { id: "fc_1" } })], {
    parts: [
      { type: "reasoning", text: "", providerState: { encrypted: "gAAA==" } },
      { type: "text", text: "", providerState: { signature: "s" } },
    ],
    providerState: { response: "r1" },
  });
  expect(compile([user("hi"), mine, result("c1")])[1]).toBe(mine);
});

test("another model gets text and call pairs, and neither reasoning nor opaque state [providers.rule.provenance.other]", () => {
  const theirs = answer("a", [call("c1", { providerState: { id: "fc_1" } })], {
    parts: [
      { type: "reasoning", text: "secret thought", providerState: { encrypted: "gAAA==" } },
      { type: "text", text: "Looking.", providerState: { id: "msg_1" } },
      { type: "source", url: "https://example.com" },
    ],
    providerState: { response: "r1" },
  });
  for (const change of [{ model: "two" }, { api: "chat" }, { provider: "other" }]) {
    const { messages, warnings } = compileHistory([user("hi"), theirs, result("c1")], target({}, change));
    expect(messages[1]).toMatchObject({
      content: [
        { type: "text", text: "Looking." },
        { type: "tool_call", toolCallId: "c1" },
      ],
      toolCalls: [{ id: "c1", arguments: "{}" }],
    });
    expect(JSON.stringify(messages)).not.toMatch(/gAAA|secret|fc_1|msg_1|r1"/);
    expect(shape(messages)).toEqual(["user", "assistant", "tool c1"]);
    expect(warnings.map(({ code }) => code)).toEqual(["reasoning_dropped"]);
  }
});

test("another model reads a description of a vendor's hosted tool call [providers.rule.provenance.other]", () => {
  const theirs = answer("a", [], {
    parts: [
      {
        type: "hosted_tool",
        toolCallId: "m1",
        toolName: "mcp:send_mail",
        input: { to: "a@b.c" },
        output: "sent",
        providerState: { item: {} },
      },
    ],
  });
  const told = JSON.stringify(compile([user("hi"), theirs], target({}, { model: "two" }))[1]);
  expect(told).toContain("mcp:send_mail");
  expect(told).toContain("sent");
  expect(told).not.toContain('hosted-tool"');
});

test("reasoning is not sent to an API that does not accept it back [providers.rule.provenance.same]", () => {
  const mine = answer("a", [], {
    parts: [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "Hi" },
    ],
  });
  expect(compile([mine], target({ replaysReasoning: false }))).toMatchObject([
    { content: [{ type: "text", text: "Hi" }] },
  ]);
});

test("results follow directly after their answer, in the order of its calls [providers.rule.pairing]", () => {
  const messages = [
    user("hi"),
    answer("a", [call("c1"), call("c2")]),
    result("c2"),
    user("and?"),
    result("c1"),
    user("so?"),
  ];
  expect(shape(compile(messages))).toEqual(["user", "assistant", "tool c1", "tool c2", "user", "user"]);
});

test("a call without a result gets a neutral result, at the end and in the middle [providers.rule.pairing.missing] [field-bug:PB-orphan-history-01] [field-bug:PB-orphan-history-02]", () => {
  const messages = [user("hi"), answer("a", [call("c1")]), user("go on"), answer("b", [call("c2")]), user("again")];
  const compiled = compile(messages);
  expect(shape(compiled)).toEqual(["user", "assistant", "tool c1", "user", "assistant", "tool c2", "user"]);
  expect(compiled[2]).toMatchObject({ isError: true, content: expect.stringContaining("do not assume") as string });
  // Compiling a compiled history changes nothing.
  expect(compile(compiled)).toEqual(compiled);
});

test("a result without a call is dropped, with a warning [providers.rule.pairing.orphan]", () => {
  const { messages, warnings } = compileHistory([user("hi"), result("gone"), user("so?")], target());
  expect(shape(messages)).toEqual(["user", "user"]);
  expect(warnings).toMatchObject([{ code: "result_without_call", subject: "gone" }]);
});

test("a system message between a call and its result is moved behind the result [providers.rule.pairing.system-between]", () => {
  const system = { id: "s", role: "system", content: "Mind the time." } as const;
  const messages = [user("hi"), answer("a", [call("c1"), call("c2")]), result("c1"), system, result("c2")];
  expect(shape(compile(messages))).toEqual(["user", "assistant", "tool c1", "tool c2", "system"]);
});

test("a second result of one call is dropped [field-bug:PB-orphan-history-06]", () => {
  const messages = [
    user("hi"),
    answer("a", [call("c1")]),
    result("c1", "try again"),
    { ...result("c1", "late"), id: "r2" },
  ];
  expect(compile(messages).filter(({ role }) => role === "tool")).toMatchObject([{ content: "try again" }]);
});

test("a duplicate id from the vendor becomes two ids, each with its own result [field-bug:PB-orphan-history-08]", () => {
  const messages = [
    user("hi"),
    answer("a", [call("call_0", { arguments: '{"n":1}' })]),
    result("call_0", "first"),
    answer("b", [call("call_0", { arguments: '{"n":2}' }), call("call_0", { arguments: '{"n":3}' })]),
    result("call_0", "second"),
    { ...result("call_0", "third"), id: "r3" },
  ];
  const compiled = compile(messages);
  const results = compiled.flatMap((message) =>
    message.role === "tool" ? [[message.toolCallId, message.content]] : [],
  );
  const calls = compiled.flatMap((message) =>
    message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : [],
  );
  const markers = compiled.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((part) => (part.type === "tool_call" ? [part.toolCallId] : []))
      : [],
  );
  expect(results.map(([, content]) => content)).toEqual(["first", "second", "third"]);
  expect(results.map(([id]) => id)).toEqual(calls);
  expect(markers).toEqual(calls);
  expect(new Set(calls).size).toBe(3);
});

test("a call with invalid arguments is paired like any other [field-bug:PB-orphan-history-09]", () => {
  const broken = { id: "c2", name: "look", arguments: '{"id": ' };
  const compiled = compile([user("hi"), answer("a", [call("c1"), broken]), result("c1")]);
  expect(shape(compiled)).toEqual(["user", "assistant", "tool c1", "tool c2"]);
  expect(compiled[1]).toMatchObject({ toolCalls: [{}, { arguments: '{"id": ' }] });
});

test("calls of a truncated answer get a result that says they did not run [providers.rule.unfinished-turns]", () => {
  for (const more of [
    { finishReason: "length" },
    { finishReason: "content_filter" },
    { finishReason: "error" },
    { partial: true },
  ] as const) {
    const compiled = compile([user("hi"), answer("a", [call("c1")], more)]);
    expect(compiled[2]).toMatchObject({ role: "tool", content: expect.stringContaining("did not run") as string });
  }
});

test("foreign ids are mapped one to one, without collisions of long ones [providers.rule.tool-call-ids] [providers.rule.tool-call-ids.hash-suffix]", () => {
  const long = "x".repeat(60);
  const ids = ["ok-1", "call.1", "call:1", `${long}1`, `${long}2`, "", "ünï"];
  const compiled = compile([
    user("hi"),
    answer(
      "a",
      ids.map((id) => call(id)),
    ),
    ...ids.map((id) => result(id, `of ${id}`)),
  ]);
  const sent = compiled.flatMap((message) => (message.role === "tool" ? [message] : []));
  expect(sent.map(({ content }) => content)).toEqual(ids.map((id) => `of ${id}`));
  expect(sent[0]?.toolCallId).toBe("ok-1");
  for (const { toolCallId } of sent) expect(toolCallId).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
  expect(new Set(sent.map(({ toolCallId }) => toolCallId)).size).toBe(ids.length);
});

test("ids of nine letters and digits are generated for servers that require them [providers.rule.tool-call-ids]", () => {
  const nine = target({ toolCallId: { pattern: /^[a-zA-Z0-9]{9}$/, maxLength: 9 } });
  const compiled = compile([user("hi"), answer("a", [call("call_1"), call("call_2")]), result("call_1")], nine);
  const ids = compiled.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
  for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(new Set(ids).size).toBe(2);
});

test("a text-only model gets a placeholder and never the data [providers.rule.images] [field-bug:PB-media-01]", () => {
  const image = { type: "image", data: "iVBORw0KGgoAAAA", mimeType: "image/png" } as const;
  const file = { type: "file", data: "JVBERi0xLjQ", mimeType: "application/pdf", filename: "bill.pdf" } as const;
  const { messages, warnings } = compileHistory(
    [
      { id: "u", role: "user", content: [{ type: "text", text: "See:" }, image, file] },
      answer("a", [call("c1")]),
      result("c1", [image]),
    ],
    target({ input: { image: false, audio: false, file: false } }),
  );
  const sent = JSON.stringify(messages);
  expect(sent).not.toMatch(/iVBOR|JVBER/);
  expect(sent).toContain("bill.pdf");
  expect(warnings.map(({ code, subject }) => [code, subject])).toEqual([
    ["media_omitted", "image"],
    ["media_omitted", "file"],
  ]);
});

test("images in results follow in a user message for targets without images in results [providers.rule.images.tool-results] [field-bug:PB-media-01]", () => {
  const image = { type: "image", data: "iVBORw0KGgoAAAA", mimeType: "image/png" } as const;
  const compiled = compile(
    [user("hi"), answer("a", [call("c1"), call("c2")]), result("c1", [image]), result("c2"), user("and?")],
    target({ toolResultMedia: "following-user-message" }),
  );
  expect(shape(compiled)).toEqual(["user", "assistant", "tool c1", "tool c2", "user", "user"]);
  expect(JSON.stringify(compiled[2])).not.toContain("iVBOR");
  expect(compiled[4]).toMatchObject({ content: [{ type: "text" }, image] });
});

test("half a surrogate pair is replaced in every place that holds text [providers.rule.strings]", () => {
  const half = "a\ud83d";
  const compiled = compile([
    { id: "s", role: "system", content: half },
    user(half),
    answer("a", [call("c1", { arguments: `{"x":"${half}"}` })], { parts: [{ type: "text", text: half }] }),
    result("c1", [{ type: "text", text: half }]),
  ]);
  expect(JSON.stringify(compiled).match(/\\ud83d/g)?.length ?? 0).toBe(1); // the id, which is not sent
  expect(JSON.stringify(compiled).split("a\ufffd").length).toBe(6);
});

test("empty user messages and answers are not sent to a vendor", () => {
  const empty = answer("a", [], {
    parts: [{ type: "text", text: "" }],
    provenance: { provider: "x", api: "y", model: "z" },
  });
  const compiled = compile([user(""), empty, { id: "u2", role: "user", content: [{ type: "text", text: "" }] }]);
  expect(shape(compiled)).toEqual(["user", "user"]);
  for (const message of compiled) expect(message.content).not.toBe("");
});

test("later system messages become user messages if the target accepts them only first", () => {
  const system = (id: string) => ({ id, role: "system", content: "Mind." }) as const;
  const compiled = compile([system("1"), system("2"), user("hi"), system("3")], target({ systemAnywhere: false }));
  expect(shape(compiled)).toEqual(["system", "system", "user", "user"]);
});

test("a pending hosted approval is answered, and rejected without a decision", () => {
  const asking = answer("a", [], {
    parts: [
      {
        type: "hosted_tool",
        toolCallId: "h1",
        toolName: "mcp:pay",
        approvalRequestId: "mcpr_1",
        providerState: { item: {} },
      },
    ],
  });
  const decision = { ...result("mcpr_1", ""), hostedApproval: { approved: true } };
  expect(compile([user("hi"), asking, user("wait"), decision])[2]).toBe(decision);
  expect(compile([user("hi"), asking, user("so?")])[2]).toMatchObject({
    toolCallId: "mcpr_1",
    hostedApproval: { approved: false },
  });
  expect(shape(compile([user("hi"), asking, decision], target({}, { model: "two" })))).toEqual(["user", "assistant"]);
});
