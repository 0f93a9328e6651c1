import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { ModelError, type ModelResponse } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openai } from "../index.ts";
import { framed, replaying } from "../replay.fixture.ts";
import { head, look, user } from "./chat.fixture.ts";

const words = fc.string({ maxLength: 12, unit: "grapheme" });

/** A complete answer in the vendor's form. */
const answers = fc.record({
  content: words,
  reasoning: words,
  refusal: words,
  calls: fc.array(
    fc.record({
      name: fc.constantFrom("look", "unknown_tool"),
      arguments: fc.oneof(
        fc.json({ maxDepth: 1 }),
        words.filter((text) => !isJson(text)),
      ),
    }),
    { maxLength: 3 },
  ),
  finish: fc.constantFrom("stop", "tool_calls", "length", "content_filter", "eos"),
});
type Answer = typeof answers extends fc.Arbitrary<infer Value> ? Value : never;

/** The form in which a server streams its calls. */
const manners = fc.record({
  /** The whole call in one delta, or in pieces. */
  pieces: fc.boolean(),
  index: fc.constantFrom("each", "none", "always 0"),
  repeatsName: fc.boolean(),
  idOn: fc.constantFrom("first", "each"),
  usage: fc.constantFrom("behind", "on each chunk", "beside the reason"),
  done: fc.boolean(),
});
type Manner = typeof manners extends fc.Arbitrary<infer Value> ? Value : never;

const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
const split = (text: string): readonly string[] => text.match(/[\s\S]{1,3}/g) ?? [];
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function whole({ content, reasoning, refusal, calls, finish }: Answer): object {
  return {
    id: "c",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: finish,
        message: {
          role: "assistant",
          content: content || null,
          refusal: refusal || null,
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call, index) => ({ id: `call_${index}`, type: "function", function: call })),
              }),
        },
      },
    ],
    usage,
  };
}

function callDeltas({ calls }: Answer, { pieces, index, repeatsName, idOn }: Manner): readonly object[] {
  return calls.flatMap(({ name, arguments: text }, at) => {
    const place = index === "none" ? {} : { index: index === "each" ? at : 0 };
    const id = `call_${at}`;
    if (!pieces) return [{ tool_calls: [{ ...place, id, type: "function", function: { name, arguments: text } }] }];
    return [
      { tool_calls: [{ ...place, id, type: "function", function: { name, arguments: "" } }] },
      ...split(text).map((piece) => ({
        tool_calls: [
          {
            ...place,
            ...(idOn === "each" ? { id } : {}),
            function: { ...(repeatsName ? { name } : {}), arguments: piece },
          },
        ],
      })),
    ];
  });
}

function eventsOf(answer: Answer, manner: Manner): readonly (object | string)[] {
  const deltas = [
    { role: "assistant", content: "" },
    ...split(answer.reasoning).map((text) => ({ reasoning_content: text })),
    ...split(answer.content).map((text) => ({ content: text })),
    ...split(answer.refusal).map((text) => ({ refusal: text })),
    ...callDeltas(answer, manner),
  ];
  const chunk = (delta: object, finish: string | null, counts: boolean): object => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(counts ? { usage } : {}),
  });
  return [
    { ...head, choices: [] },
    ...deltas.map((delta) => chunk(delta, null, manner.usage === "on each chunk")),
    chunk({}, answer.finish, manner.usage !== "behind"),
    ...(manner.usage === "behind" ? [{ ...head, choices: [], usage }] : []),
    ...(manner.done ? ["[DONE]"] : []),
  ];
}

const ask = { messages: [user("Hi")], tools: [look] };

test("a streamed answer equals the complete one, for every server's framing [providers.openai-chat.whole-and-streamed]", async () => {
  await fc.assert(
    fc.asyncProperty(answers, manners, fc.nat(), async (answer, manner, place) => {
      const outcome = async (run: () => Promise<ModelResponse>): Promise<unknown> => {
        try {
          const { message, usage: counted } = await run();
          return [message, counted];
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
          return [(error as ModelError).code];
        }
      };
      const stream = framed(eventsOf(answer, manner));
      const splitAt = [place % stream.length];
      const streamed = await outcome(async () => {
        const { chunks, error } = await collectChunks(
          replaying("m", { compat: "vllm" }, stream, { splitAt }).stream(ask),
        );
        if (error !== undefined) throw error;
        return finishedResponse(chunks);
      });
      expect(streamed).toEqual(
        await outcome(() => replaying("m", { compat: "vllm" }, bytes(whole(answer))).generate(ask)),
      );
    }),
    { numRuns: 400 },
  );
});

test("events in any order, cut anywhere, throw only typed errors [providers.rule.unknown-events]", async () => {
  const noise = fc.oneof(
    fc.record({ choices: fc.array(fc.record({ delta: fc.jsonValue({ maxDepth: 2 }) }), { maxLength: 2 }) }),
    fc.record({ choices: fc.jsonValue({ maxDepth: 1 }), usage: fc.jsonValue({ maxDepth: 1 }) }),
    fc.constant({ choices: [{ delta: { tool_calls: [{ index: "0", function: null }, null, { id: 5 }] } }] }),
    fc.constant({
      choices: [{ delta: { reasoning_details: [null, { type: "reasoning.text", index: 0 }], audio: 1 } }],
    }),
    fc.constant({ error: { message: null, code: null } }),
    fc.constant({ object: "error", message: "no" }),
  );
  await fc.assert(
    fc.asyncProperty(
      answers,
      manners,
      fc.array(noise, { maxLength: 4 }),
      fc.nat(),
      async (answer, manner, odd, seed) => {
        const events = [...eventsOf(answer, manner)];
        for (const [index, event] of odd.entries()) events.splice((seed * (index + 7)) % events.length, 0, event);
        const cut = events.slice(0, 1 + (seed % events.length));
        const { chunks, error } = await collectChunks(replaying("m", { compat: "vllm" }, framed(cut)).stream(ask));
        if (error !== undefined) expect(error).toBeInstanceOf(ModelError);
        expect(chunks.some(({ type }) => type === "finish")).toBe(error === undefined);
      },
    ),
    { numRuns: 400 },
  );
});

test("any answer can be sent back in a form that the vendor accepts [providers.proof.round-trip]", async () => {
  await using server = await modelServer(() => "ok");
  const strict = openai("gpt-4.1", { api: "chat", apiKey: "test", baseURL: server.baseURL("openai") });
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      const read = await collectChunks(
        replaying("gpt-4.1", { api: "chat" }, framed(eventsOf(answer, plain))).stream(ask),
      );
      const message =
        read.error instanceof ModelError ? read.error.partial?.message : finishedResponse(read.chunks).message;
      const history = compileHistory(
        [...ask.messages, ...(message === undefined ? [] : [message]), user("So?")],
        historyTarget(strict),
      );
      await strict.generate({ messages: history.messages, tools: [look] });
    }),
    { numRuns: 60 },
  );
});

const plain: Manner = {
  pieces: true,
  index: "each",
  repeatsName: false,
  idOn: "first",
  usage: "behind",
  done: true,
};
