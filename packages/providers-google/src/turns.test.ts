import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { describe, expect, test } from "vitest";
import { answer, asked, look, result, user, warned } from "./ask.fixture.ts";
import { google } from "./index.ts";
import { framed, listAt, replaying, type Sent } from "./replay.fixture.ts";

const third = "gemini-3-pro";
const second = "gemini-2.5-flash";
const callParts = (...ids: readonly string[]) => ids.map((id) => ({ type: "tool_call", toolCallId: id }) as const);
const calls = (...ids: readonly string[]) => ids.map((id) => ({ id, name: "look", arguments: `{"id":"${id}"}` }));

describe("ids of calls", () => {
  test("ids are sent to Gemini 3, on the call and its response, and to no earlier model [providers.google.call-ids] [field-bug:PB-provider-google-05]", async () => {
    for (const model of [third, second]) {
      const messages = [user("Hi"), answer(model, callParts("c1"), calls("c1")), result("c1", "found")];
      const { bodies } = await asked(model, [{ messages, tools: [look] }]);
      const sent = model === third ? "c1" : undefined;
      expect(jsonAt(bodies[0], "contents", 1, "parts", 0, "functionCall", "id")).toBe(sent);
      expect(jsonAt(bodies[0], "contents", 2, "parts", 0, "functionResponse", "id")).toBe(sent);
    }
  });

  test("ids from the vendor are kept verbatim and echoed [providers.google.call-ids] [field-bug:PB-provider-google-04]", async () => {
    await using server = await modelServer(({ turn }) =>
      turn === 0
        ? {
            toolCalls: [
              { name: "look", id: "c1" },
              { name: "look", id: "c2" },
            ],
          }
        : "Done.",
    );
    const model = google(third, { apiKey: "k", baseURL: server.baseURL("google") });
    const first = await model.generate({ messages: [user("Hi")], tools: [look] });
    expect(first.message.toolCalls.map(({ id }) => id)).toEqual(["c1", "c2"]);
    const history = [user("Hi"), first.message, result("c1", "1"), result("c2", "2")];
    await model.generate({ messages: compileHistory(history, historyTarget(model)).messages, tools: [look] });
    expect(server.requests[1]?.refusedBy).toBeUndefined();
    const contents = listAt(server.requests[1]?.body, "contents");
    expect(listAt(contents[1], "parts").map((part) => jsonAt(part, "functionCall", "id"))).toEqual(["c1", "c2"]);
    expect(listAt(contents[2], "parts").map((part) => jsonAt(part, "functionResponse", "id"))).toEqual(["c1", "c2"]);
  });

  test("calls without ids get different generated ids [providers.google.call-ids]", async () => {
    const part = { functionCall: { name: "look", args: {} } };
    const events = [{ candidates: [{ content: { role: "model", parts: [part, part] }, finishReason: "STOP" }] }];
    const { chunks } = await collectChunks(replaying(second, framed(events)).stream({ messages: [user("Hi")] }));
    const ids = finishedResponse(chunks).message.toolCalls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toBe(true);
    expect(chunks.flatMap((chunk) => (chunk.type === "tool_call_start" ? [chunk.toolCall.id] : []))).toEqual(ids);
  });

  test("results of calls with one name are sent in the order of the calls [providers.google.call-ids] [field-bug:PB-provider-google-06]", async () => {
    const messages = [
      user("Hi"),
      answer(second, callParts("c1", "c2"), calls("c1", "c2")),
      result("c2", "second"),
      result("c1", "first"),
    ];
    const { bodies } = await asked(second, [{ messages, tools: [look] }]);
    const responses = listAt(bodies[0], "contents", 2, "parts").map((part) =>
      jsonAt(part, "functionResponse", "response"),
    );
    expect(responses).toEqual([{ output: "first" }, { output: "second" }]);
  });
});

test("ids of other vendors become valid, unique ids for Gemini 3, and calls match their results [providers.rule.tool-call-ids] [providers.rule.tool-call-ids.hash-suffix]", async () => {
  const long = "call|".repeat(30);
  const ids = [`${long}a`, `${long}b`, "toolu.1"];
  const messages = [
    user("Hi"),
    answer("other-model", callParts(...ids), calls(...ids)),
    ...ids.map((id) => result(id, id.slice(-1))),
  ];
  const { bodies } = await asked(third, [{ messages, tools: [look] }]);
  const sent = listAt(bodies[0], "contents", 1, "parts").map((part) => jsonAt(part, "functionCall", "id") as string);
  expect(new Set(sent).size).toBe(3);
  expect(sent.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toBe(true);
  const results = listAt(bodies[0], "contents", 2, "parts").map((part) => jsonAt(part, "functionResponse", "id"));
  expect(results).toEqual(sent);
});

describe("results", () => {
  test("all tool responses of a turn are in one user content, under `output` or `error` [providers.google.responses]", async () => {
    const messages = [
      user("Hi"),
      answer(third, callParts("c1", "c2", "c3"), calls("c1", "c2", "c3")),
      result("c1", "found"),
      result("c2", "broken", true),
      result("c3", [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]),
      user("And?"),
    ];
    const { bodies } = await asked(third, [{ messages, tools: [look] }]);
    const contents = listAt(bodies[0], "contents");
    expect(contents.map(({ role }) => role)).toEqual(["user", "model", "user", "user"]);
    expect(listAt(contents[2], "parts").map((part) => jsonAt(part, "functionResponse", "response"))).toEqual([
      { output: "found" },
      { error: "broken" },
      { output: "a\nb" },
    ]);
    expect(contents[3]).toEqual({ role: "user", parts: [{ text: "And?" }] });
  });

  test("a response has the name of its call, whatever the result contains [providers.google.responses]", async () => {
    for (const model of [third, second]) {
      const messages = [
        user("Hi"),
        answer(model, callParts("c1"), calls("c1")),
        { ...result("c1", "found"), toolName: "" },
      ];
      const { bodies } = await asked(model, [{ messages, tools: [look] }]);
      expect(jsonAt(bodies[0], "contents", 2, "parts", 0, "functionResponse", "name")).toBe("look");
    }
  });

  test("five calls get five responses in the next content, also if results are missing or separated [providers.google.responses] [providers.rule.pairing.missing] [field-bug:PB-provider-errors-10]", async () => {
    const ids = ["c1", "c2", "c3", "c4", "c5"];
    const messages = [
      user("Hi"),
      answer(third, callParts(...ids), calls(...ids)),
      result("c5", ""),
      user("Hurry."),
      result("c1", "1"),
      result("c3", "3"),
    ];
    const { bodies } = await asked(third, [{ messages, tools: [look] }]);
    const responses = listAt(bodies[0], "contents", 2, "parts").map(({ functionResponse }) => functionResponse);
    expect(responses.map((response) => jsonAt(response, "id"))).toEqual(ids);
    expect(responses.map((response) => Object.keys(jsonAt(response, "response") as object)[0])).toEqual([
      "output",
      "error",
      "output",
      "error",
      "output",
    ]);
    expect(jsonAt(bodies[0], "contents", 3, "parts")).toEqual([{ text: "Hurry." }]);
  });

  test("calls that arrive in separate chunks are one turn [providers.google.finish.tool-calls] [field-bug:PB-provider-errors-11]", async () => {
    const chunk = (id: string) => ({
      candidates: [{ content: { role: "model", parts: [{ functionCall: { id, name: "look", args: {} } }] } }],
    });
    const events = [chunk("c1"), chunk("c2"), { candidates: [{ finishReason: "STOP" }] }];
    const { chunks } = await collectChunks(replaying(third, framed(events)).stream({ messages: [user("Hi")] }));
    expect(chunks.filter(({ type }) => type === "finish")).toHaveLength(1);
    expect(chunks.flatMap((part) => ("toolCallId" in part ? [`${part.type} ${part.toolCallId}`] : []))).toEqual(
      ["c1", "c2"].flatMap((id) => [`tool_call_delta ${id}`, `tool_call_end ${id}`]),
    );
    expect(finishedResponse(chunks)).toMatchObject({
      finishReason: "tool_calls",
      message: { toolCalls: [{ id: "c1" }, { id: "c2" }] },
    });
  });

  test("images in results are sent with the response to Gemini 3, and after the responses to earlier models [providers.rule.images.tool-results]", async () => {
    const data = "iVBORw0KGgoAAAANSUhEUg==";
    const picture = [
      { type: "text", text: "A picture:" },
      { type: "image", data, mimeType: "image/png" },
    ] as const;
    const inline = { inlineData: { mimeType: "image/png", data } };
    for (const model of [third, second]) {
      const messages = [
        user("Hi"),
        answer(model, callParts("c1", "c2"), calls("c1", "c2")),
        result("c1", picture),
        result("c2", "none"),
      ];
      const { bodies } = await asked(model, [{ messages, tools: [look] }]);
      const responses = listAt(bodies[0], "contents", 2, "parts");
      expect(responses).toHaveLength(2);
      expect(jsonAt(responses[0], "functionResponse", "parts")).toEqual(model === third ? [inline] : undefined);
      const after = model === third ? [] : [expect.anything(), inline];
      expect(jsonAt(bodies[0], "contents", 3, "parts") ?? []).toEqual(after);
    }
  });

  test("media that a response cannot contain follow the responses [providers.rule.images.tool-results]", async () => {
    const messages = [
      user("Hi"),
      answer(third, callParts("c1"), calls("c1")),
      result("c1", [
        { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
        { type: "text", text: "Listen." },
      ]),
    ];
    const { bodies } = await asked(third, [{ messages, tools: [look] }]);
    expect(jsonAt(bodies[0], "contents", 2, "parts", 0, "functionResponse")).toEqual({
      id: "c1",
      name: "look",
      response: { output: "Listen." },
    });
    expect(listAt(bodies[0], "contents", 3, "parts")[1]).toEqual({
      inlineData: { mimeType: "audio/wav", data: "UklGRg==" },
    });
  });
});

describe("thought signatures", () => {
  const parts = [
    { text: "Thinking.", thought: true, thoughtSignature: "c2lnLXRob3VnaHQ=" },
    { text: "One" },
    { text: "Two", thoughtSignature: "c2lnLXR3bw==" },
    { text: "Three" },
    { text: "", thoughtSignature: "c2lnLWVtcHR5" },
    { text: "Four" },
    { functionCall: { id: "c1", name: "look", args: { id: "1" } }, thoughtSignature: "c2lnLWNhbGw=" },
    { functionCall: { id: "c2", name: "look", args: {} } },
    { inlineData: { mimeType: "image/png", data: "AAAA" }, thoughtSignature: "c2lnLXBpYw==" },
  ];

  test("each signed part is sent back as one part, in its place, for any chunks [providers.google.thought-signature] [providers.rule.provenance.same]", async () => {
    const tail = { finishReason: "STOP", index: 0 };
    const streamed = parts.map((part) => ({ candidates: [{ content: { role: "model", parts: [part] }, index: 0 }] }));
    const bodies = [
      framed([...streamed, { candidates: [{ content: { role: "model", parts: [{ text: "" }] }, ...tail }] }]),
      framed([{ candidates: [{ content: { role: "model", parts }, ...tail }] }]),
    ];
    for (const bytes of bodies) {
      const sent: Sent[] = [];
      const provider = replaying(third, bytes, {}, sent);
      const { message } = finishedResponse((await collectChunks(provider.stream({ messages: [user("Hi")] }))).chunks);
      const history = [user("Hi"), message, result("c1", "1"), result("c2", "2")];
      // Stores keep JSON.
      const reloaded = JSON.parse(JSON.stringify(history)) as typeof history;
      await collectChunks(provider.stream({ messages: compileHistory(reloaded, historyTarget(provider)).messages }));
      expect(listAt(sent[1]?.body, "contents", 1, "parts")).toEqual(parts);
    }
  });

  test("signatures of calls survive storage [providers.google.thought-signature] [field-bug:PB-provider-google-02]", async () => {
    await using server = await modelServer(({ turn }) =>
      turn === 0 ? { toolCalls: [{ name: "look", signature: "c2lnbmF0dXJl" }] } : "Done.",
    );
    const model = google(third, { apiKey: "k", baseURL: server.baseURL("google") });
    const first = await model.generate({ messages: [user("Hi")], tools: [look] });
    const stored = JSON.parse(JSON.stringify(first.message)) as typeof first.message;
    const id = stored.toolCalls[0]?.id ?? "";
    const history = compileHistory([user("Hi"), stored, result(id, "found")], historyTarget(model));
    const second = await model.generate({ messages: history.messages, tools: [look] });
    expect(server.requests[1]?.refusedBy).toBeUndefined();
    expect(jsonAt(server.requests[1]?.body, "contents", 1, "parts", 0, "thoughtSignature")).toBe("c2lnbmF0dXJl");
    expect(second.warnings).toEqual([]);
  });

  test("another model's signatures and thoughts are not sent [providers.rule.provenance.other]", async () => {
    const signature = { providerState: { signature: "c2lnLW90aGVy" } };
    const messages = [
      user("Hi"),
      answer("gemini-2.5-pro", [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "So.", ...signature },
      ]),
      user("And?"),
    ];
    const { bodies } = await asked(third, [{ messages }]);
    expect(jsonAt(bodies[0], "contents", 1, "parts")).toEqual([{ text: "So." }]);
  });

  test("the first unsigned call of a step is sent to Gemini 3 with the skip text and a warning [providers.google.unsigned-first-call]", async () => {
    const messages = [
      user("Hi"),
      answer("other-model", callParts("c1", "c2"), calls("c1", "c2")),
      result("c1", "1"),
      result("c2", "2"),
    ];
    const { bodies, answers } = await asked(third, [{ messages, tools: [look] }]);
    expect(listAt(bodies[0], "contents", 1, "parts").map(({ thoughtSignature }) => thoughtSignature)).toEqual([
      "skip_thought_signature_validator",
      undefined,
    ]);
    expect(warned(answers[0])).toEqual(["thought_signature_missing: thoughtSignature"]);
    const older = await asked(second, [{ messages, tools: [look] }]);
    expect(JSON.stringify(older.bodies)).not.toContain("thoughtSignature");
    expect(older.answers[0]?.warnings).toEqual([]);
  });
});

test("instructions are separate, a conversation begins and ends with the user, and a model's turn is one content [providers.rule.pairing]", async () => {
  const { bodies } = await asked(third, [
    { messages: [{ id: "s", role: "system", content: "Help." }] },
    {
      messages: [
        { id: "s", role: "system", content: "Help." },
        answer(third, [{ type: "text", text: "One." }]),
        answer(third, [{ type: "text", text: "Two." }]),
      ],
    },
  ]);
  expect(bodies[0]?.["systemInstruction"]).toEqual({ parts: [{ text: "Help." }] });
  expect(listAt(bodies[0], "contents").map(({ role }) => role)).toEqual(["user"]);
  expect(listAt(bodies[1], "contents")).toMatchObject([
    { role: "user" },
    { role: "model", parts: [{ text: "One." }, { text: "Two." }] },
    { role: "user" },
  ]);
});

test("a model without a place for instructions gets them in a user message [providers.rule.pairing]", async () => {
  const { bodies } = await asked("gemma-3-27b-it", [
    { messages: [{ id: "s", role: "system", content: "Help." }, user("Hi")] },
  ]);
  expect(bodies[0]?.["systemInstruction"]).toBeUndefined();
  expect(jsonAt(bodies[0], "contents", 0, "parts")).toEqual([{ text: "Help." }]);
});

test("images, audio and files are sent, as data or as a URL [providers.rule.images]", async () => {
  const { bodies } = await asked(third, [
    {
      messages: [
        user([
          { type: "text", text: "Look:" },
          { type: "image", data: new Uint8Array([255, 216, 255]), mimeType: "image/jpeg" },
          { type: "image", url: "https://example.com/a.webp?x=1" },
          { type: "audio", data: "data:audio/wav;base64,UklGRg==", mimeType: "audio/wav" },
          { type: "file", data: "JVBERi0=", mimeType: "application/pdf", filename: "a.pdf" },
          { type: "file", url: "https://generativelanguage.googleapis.com/v1beta/files/abc", mimeType: "video/mp4" },
        ]),
      ],
    },
  ]);
  expect(jsonAt(bodies[0], "contents", 0, "parts")).toEqual([
    { text: "Look:" },
    { inlineData: { mimeType: "image/jpeg", data: "/9j/" } },
    { fileData: { mimeType: "image/webp", fileUri: "https://example.com/a.webp?x=1" } },
    { inlineData: { mimeType: "audio/wav", data: "UklGRg==" } },
    { inlineData: { mimeType: "application/pdf", data: "JVBERi0=" } },
    { fileData: { mimeType: "video/mp4", fileUri: "https://generativelanguage.googleapis.com/v1beta/files/abc" } },
  ]);
});

test("arguments that are not an object are wrapped in an object [providers.rule.argument-text.invalid]", async () => {
  const messages = [
    user("Hi"),
    answer("other-model", callParts("c1", "c2"), [
      { id: "c1", name: "look", arguments: '{"id": oops' },
      { id: "c2", name: "look", arguments: "" },
    ]),
    result("c1", "No."),
    result("c2", "Yes."),
  ];
  const { bodies } = await asked(second, [{ messages, tools: [look] }]);
  expect(listAt(bodies[0], "contents", 1, "parts").map((part) => jsonAt(part, "functionCall", "args"))).toEqual([
    { invalid_arguments: '{"id": oops' },
    {},
  ]);
});
