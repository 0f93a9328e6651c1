import assert from "node:assert/strict";
import type { Message, StreamChunk } from "@bailiwick/core";
import { recordedServer, recordedFrames, type Recording } from "../model-server/index.ts";
import type { ScriptStep } from "../script/index.ts";
import type { ConformanceCase, ConformanceSetup } from "./conformance-case.ts";
import {
  chunksOf,
  conformanceKey,
  essence,
  lookUp,
  request,
  responseOf,
  user,
  withServer,
} from "./conformance-tools.ts";

/** Cases about replay to the model that made the answer, with its bytes split in any way. */
export function replayCases(setup: ConformanceSetup): readonly ConformanceCase[] {
  return [
    ...(setup.traits.showsReasoning === false
      ? []
      : [
          {
            name: "data that the vendor encrypted or signed is sent back byte for byte [providers.proof.round-trip] [providers.rule.provenance.same]",
            run: () => roundTrip(setup),
          },
        ]),
    {
      name: "an answer is the same however its bytes are split [providers.proof.re-split] [providers.rule.strings.multi-byte]",
      run: () => resplit(setup),
    },
  ];
}

async function roundTrip(setup: ConformanceSetup): Promise<void> {
  await withServer(
    setup,
    ({ turn, tools }) =>
      turn < 2
        ? {
            reasoning: `Thought ${turn}.`,
            text: "Looking.",
            toolCalls: [{ name: tools[0]?.name ?? "", arguments: { id: String(turn) } }],
          }
        : "Done.",
    async (model, server) => {
      const messages: Message[] = [user("Orders?")];
      const states: unknown[] = [];
      for (const mode of ["stream", "generate", "stream"]) {
        const asked = request(model, messages, { tools: [lookUp] });
        const { message } =
          mode === "stream" ? responseOf(await chunksOf(model.stream(asked))) : await model.generate(asked);
        if (message.toolCalls.length > 0) states.push(...message.content.map(({ providerState }) => providerState));
        states.push(...message.toolCalls.map(({ providerState }) => providerState));
        messages.push(message);
        for (const call of message.toolCalls) {
          messages.push({
            id: `result-${call.id}`,
            role: "tool",
            toolCallId: call.id,
            toolName: call.name,
            content: "Paid.",
          });
        }
      }
      assert.deepEqual(
        server.requests.map(({ refusedBy }) => refusedBy),
        [undefined, undefined, undefined],
      );
      const sent = JSON.stringify(server.requests[2]?.body);
      const opaque = states.flatMap(longTexts);
      if (model.capabilities.replaysReasoning) assert.ok(opaque.length > 0, "there is opaque state to send back");
      for (const text of opaque)
        assert.ok(sent.includes(JSON.stringify(text).slice(1, -1)), `sent back: ${text.slice(0, 40)}`);
    },
  );
}

/** Texts in opaque state that are long enough to be signatures or encrypted data. Ids of items are shorter. */
function longTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return value.length >= 40 && !/^[a-z]+_[0-9a-f]+$/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(longTexts) : [];
}

/** Bytes between two splits of one round: a prime, so that events of equal length are split at different places. */
const between = 53;

async function resplit(setup: ConformanceSetup): Promise<void> {
  const step: ScriptStep = { text: "Grüße 👋🏽 世", toolCalls: [{ name: "orders", arguments: { id: "ö👋" } }] };
  await withServer(setup, [step], async (model, server) => {
    const tapped = await chunksOf(
      model.stream(request(model, [user("Hi")], { tools: [lookUp], includeRawEvents: true })),
    );
    const events = tapped.flatMap((chunk) => (chunk.type === "raw" ? [JSON.stringify(chunk.event)] : []));
    const { wire } = server.requests[0] ?? {};
    assert.ok(wire !== undefined && wire !== "unknown");
    const recording: Recording = { wire, chunks: `${events.join("\n")}\n` };
    const bytes = Buffer.byteLength(recordedFrames(recording).join(""));
    const expected = essence(responseOf(tapped));
    let split: readonly number[] = [];
    await using recorded = await recordedServer(() => ({ ...recording, splitAt: split }));
    const replayed = setup.createModel({ url: recorded.url, apiKey: conformanceKey, baseURL: recorded.baseURL });
    const shown = (chunks: readonly StreamChunk[]): unknown => {
      const seen = chunks.filter(({ type }) => type !== "raw" && type !== "finish");
      return setup.traits.callIds === false ? seen.map(withoutCallId) : seen;
    };
    // Each round splits at many positions; together the rounds split at every one.
    for (let first = 1; first <= between; first += setup.traits.splitEvery ?? 1) {
      split = Array.from({ length: Math.ceil((bytes - first) / between) }, (_, index) => first + index * between);
      const chunks = await chunksOf(replayed.stream(request(replayed, [user("Hi")], { tools: [lookUp] })));
      const where = `split at byte ${first} and each ${between} after`;
      assert.deepEqual(essence(responseOf(chunks)), expected, where);
      assert.deepEqual(shown(chunks), shown(tapped), where);
    }
  });
}

function withoutCallId(chunk: StreamChunk): unknown {
  if (chunk.type === "tool_call_start") return { ...chunk, toolCall: { name: chunk.toolCall.name } };
  return { ...chunk, toolCallId: undefined };
}
