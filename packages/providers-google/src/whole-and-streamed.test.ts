import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { ModelError, type AssistantMessage } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { look, result, user } from "./ask.fixture.ts";
import { google } from "./index.ts";
import { framed, replaying, whole } from "./replay.fixture.ts";

type Part = Readonly<Record<string, unknown>>;

const words = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" });
const signature = fc.option(fc.base64String({ minLength: 8, maxLength: 12 }), { nil: undefined });
const signed = <Fields extends object>(fields: fc.Arbitrary<Fields>): fc.Arbitrary<Part> =>
  fc
    .tuple(fields, signature)
    .map(([part, sign]) => ({ ...part, ...(sign === undefined ? {} : { thoughtSignature: sign }) }));
const args = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
const call = fc.record(
  { id: fc.stringMatching(/^[a-z0-9]{8}$/), name: fc.constantFrom("look", "unknown_tool"), args },
  { requiredKeys: ["name"] },
);

/** The parts of an answer; calls that the vendor ran itself are pairs. */
const parts = fc
  .array(
    fc.oneof(
      signed(fc.record({ text: words })).map((part) => [part]),
      signed(fc.record({ text: words, thought: fc.constant(true) })).map((part) => [part]),
      signed(fc.record({ functionCall: call })).map((part) => [part]),
      signed(fc.record({ inlineData: fc.constant({ mimeType: "image/png", data: "iVBORw0KGgo=" }) })).map((part) => [
        part,
      ]),
      signed(fc.record({ executableCode: fc.record({ language: fc.constant("PYTHON"), code: words }) })).map((code) => [
        code,
        { codeExecutionResult: { outcome: "OUTCOME_OK", output: "42\n" } },
      ]),
    ),
    { maxLength: 5 },
  )
  .map((groups): readonly Part[] => [...groups.flat(), { text: "Done." }]);

const manners = fc.record({
  /** A signature in its own event, behind its text. */
  signatureBehind: fc.boolean(),
  usageOnEach: fc.boolean(),
  /** The last chunk has the last part, or only the reason. */
  bareEnd: fc.boolean(),
  keepsAlive: fc.boolean(),
});
type Manner = typeof manners extends fc.Arbitrary<infer Value> ? Value : never;

const usage = { promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 3, totalTokenCount: 16 };
const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,3}/g) ?? [];
const chunk = (candidate: object, counts: boolean): object => ({
  candidates: [{ index: 0, ...candidate }],
  responseId: "r1",
  ...(counts ? { usageMetadata: usage } : {}),
});
const content = (given: readonly Part[]) => ({ content: { role: "model", parts: given } });

function piecesOf(part: Part, { signatureBehind }: Manner): readonly Part[] {
  const { text, thoughtSignature: sign, ...rest } = part;
  if (typeof text !== "string") return [part];
  const said: Part[] = pieces(text).map((piece) => ({ ...rest, text: piece }));
  if (sign === undefined) return said;
  if (signatureBehind) return [...said, { ...rest, text: "", thoughtSignature: sign }];
  return [...said.slice(0, -1), { ...said.at(-1), thoughtSignature: sign }];
}

function eventsOf(given: readonly Part[], manner: Manner): readonly object[] {
  const streamed = given.flatMap((part) => piecesOf(part, manner));
  const body = manner.bareEnd ? streamed : streamed.slice(0, -1);
  const last = manner.bareEnd ? [] : streamed.slice(-1);
  return [
    ...body.map((part) => chunk(content([part]), manner.usageOnEach)),
    chunk({ ...(last.length === 0 ? {} : content(last)), finishReason: "STOP" }, true),
  ];
}

const ask = { messages: [user("Hi")], tools: [look] };

/** The content of a message, independent of how its text was split: texts of a kind joined, and each signature in order. */
function gist({ content: said, toolCalls }: AssistantMessage): readonly unknown[] {
  const kinds: unknown[] = [];
  let run: { type: string; text: string } | undefined;
  for (const part of said) {
    const text = part.type === "text" || part.type === "reasoning" ? part.text : undefined;
    const state = part.providerState;
    if (text === undefined) {
      run = undefined;
      // Locally generated ids carry no information.
      kinds.push("toolCallId" in part ? { ...part, toolCallId: "" } : part);
      continue;
    }
    if (run === undefined || run.type !== part.type) kinds.push((run = { type: part.type, text: "" }));
    run.text += text;
    if (state !== undefined) {
      kinds.push(state);
      run = undefined;
    }
  }
  return [kinds, toolCalls.map(({ name, arguments: text, providerState }) => [name, text, providerState])];
}

test("a streamed answer equals the complete one, for any cut into chunks [providers.google.whole-and-streamed]", async () => {
  await fc.assert(
    fc.asyncProperty(parts, manners, fc.nat(), async (given, manner, place) => {
      const one = await replaying(
        "gemini-3-pro",
        whole({ ...chunk({ ...content(given), finishReason: "STOP" }, true) }),
      ).generate(ask);
      const stream = Buffer.concat([
        framed(eventsOf(given, manner)),
        new TextEncoder().encode(manner.keepsAlive ? "data: \r\n\r\ndata: [DONE]\r\n\r\n" : ""),
      ]);
      const splitAt = [place % stream.length];
      const { chunks, error } = await collectChunks(replaying("gemini-3-pro", stream, { splitAt }).stream(ask));
      expect(error).toBeUndefined();
      const streamed = finishedResponse(chunks);
      expect(gist(streamed.message)).toEqual(gist(one.message));
      expect([streamed.finishReason, streamed.usage]).toEqual([one.finishReason, one.usage]);
      const of = (type: "text" | "reasoning") =>
        one.message.content.map((part) => (part.type === type ? part.text : "")).join("");
      const told = (type: "text" | "thinking") => chunks.map((each) => (each.type === type ? each.text : "")).join("");
      expect([told("text"), told("thinking")]).toEqual([of("text"), of("reasoning")]);
    }),
    { numRuns: 300 },
  );
});

test("chunks in any order, cut anywhere, throw only typed errors [providers.rule.unknown-events]", async () => {
  const noise = fc.oneof(
    fc.record({ candidates: fc.jsonValue({ maxDepth: 2 }) }),
    fc.record({ candidates: fc.constant([{ content: { parts: [null, 5, {}, { brandNew: { a: 1 } }] } }]) }),
    fc.constant({ candidates: [{ content: { parts: [{ functionCall: null }, { functionCall: { name: 5 } }] } }] }),
    fc.constant({ promptFeedback: { blockReason: "SAFETY" } }),
    fc.constant({ usageMetadata: null, candidates: [] }),
    fc.constant({ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }),
    fc.constant({ candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }] }),
    fc.constant({
      candidates: [{ groundingMetadata: { groundingChunks: [null, { web: 5 }], webSearchQueries: [1] } }],
    }),
  );
  await fc.assert(
    fc.asyncProperty(parts, manners, fc.array(noise, { maxLength: 4 }), fc.nat(), async (given, manner, odd, seed) => {
      const events = [...eventsOf(given, manner)];
      for (const [index, event] of odd.entries()) events.splice((seed * (index + 7)) % events.length, 0, event);
      const cut = events.slice(0, 1 + (seed % events.length));
      const { chunks, error } = await collectChunks(replaying("gemini-3-pro", framed(cut)).stream(ask));
      if (error !== undefined) expect(error).toBeInstanceOf(ModelError);
      expect(chunks.some(({ type }) => type === "finish")).toBe(error === undefined);
    }),
    { numRuns: 300 },
  );
});

test("any answer can be sent back in a form that the vendor accepts [providers.proof.round-trip]", async () => {
  await using server = await modelServer(() => "ok");
  for (const model of ["gemini-3-pro", "gemini-2.5-flash"]) {
    const strict = google(model, { apiKey: "test", baseURL: server.baseURL("google") });
    await fc.assert(
      fc.asyncProperty(parts, manners, async (given, manner) => {
        // The strict server only knows its own signatures.
        const unsigned = given.map(({ thoughtSignature: _signature, ...part }): Part => part);
        const { chunks } = await collectChunks(replaying(model, framed(eventsOf(unsigned, manner))).stream(ask));
        const { message } = finishedResponse(chunks);
        const results = message.toolCalls.map(({ id }) => result(id, "seen"));
        const history = compileHistory([...ask.messages, message, ...results, user("So?")], historyTarget(strict));
        await strict.generate({ messages: history.messages, tools: [look] });
      }),
      { numRuns: 40 },
    );
  }
});
