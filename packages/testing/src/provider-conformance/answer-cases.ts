import assert from "node:assert/strict";
import type { ToolMessage } from "@bailiwick/core";
import type { ScriptStep } from "../script/index.ts";
import type { ConformanceCase, ConformanceSetup } from "./conformance-case.ts";
import {
  chunksOf,
  conformanceKey,
  essence,
  joined,
  lookUp,
  request,
  responseOf,
  user,
  withServer,
} from "./conformance-tools.ts";

/** Cases about answers: text, calls, usage, finish reasons. */
export function answerCases(setup: ConformanceSetup): readonly ConformanceCase[] {
  const { traits } = setup;
  const ending =
    (step: ScriptStep, expected: string): ConformanceCase["run"] =>
    () =>
      withServer(setup, [step, step], async (model) => {
        const asked = request(model, [user("Hello")], { tools: [lookUp] });
        assert.equal((await model.generate(asked)).finishReason, expected);
        assert.equal(responseOf(await chunksOf(model.stream(asked))).finishReason, expected);
      });
  return [
    {
      name: "a text answer, whole and streamed, is the same [providers.contract] [messages.model-response]",
      run: () =>
        withServer(setup, ["Grüße, 世界 👋🏽!", "Grüße, 世界 👋🏽!"], async (model) => {
          const asked = request(model, [user("Greet.")]);
          const whole = await model.generate(asked);
          const chunks = await chunksOf(model.stream(asked));
          assert.equal(joined(chunks, "text"), "Grüße, 世界 👋🏽!");
          assert.deepEqual(essence(responseOf(chunks)), essence(whole));
          assert.deepEqual(whole.message.provenance, {
            provider: model.provider,
            api: model.api,
            model: model.modelId,
          });
        }),
    },
    ...(traits.namesResponseModel === false
      ? []
      : [
          {
            name: "an answer names the model that answered, whole and streamed [telemetry.response-model]",
            run: () => {
              const step: ScriptStep = { text: "Hello.", model: "the-dated-model" };
              return withServer(setup, [step, step], async (model) => {
                const asked = request(model, [user("Hello")]);
                assert.equal((await model.generate(asked)).responseModel, "the-dated-model");
                assert.equal(responseOf(await chunksOf(model.stream(asked))).responseModel, "the-dated-model");
              });
            },
          },
        ]),
    {
      name: "parallel calls keep their order, names and text [messages.stream-chunk] [providers.rule.tool-names]",
      run: () =>
        withServer(
          setup,
          ({ tools }) => ({
            toolCalls: ["a", "b", "c"].map((id) => ({ name: tools[0]?.name ?? "", arguments: { id } })),
          }),
          async (model, server) => {
            const asked = request(model, [user("Orders?")], { tools: [lookUp] });
            const whole = await model.generate(asked);
            const chunks = await chunksOf(model.stream(asked));
            const response = responseOf(chunks);
            assert.deepEqual(essence(response), essence(whole));
            assert.deepEqual(
              server.requests.map(({ refusedBy }) => refusedBy),
              [undefined, undefined],
            );
            assert.equal(response.finishReason, "tool_calls");
            for (const call of response.message.toolCalls) {
              assert.equal(call.name, lookUp.name);
              const own = chunks.flatMap((chunk) =>
                chunk.type === "tool_call_delta" && chunk.toolCallId === call.id ? [chunk.argumentsDelta] : [],
              );
              assert.equal(own.join(""), call.arguments);
              const order = chunks.flatMap((chunk) =>
                (chunk.type === "tool_call_start" && chunk.toolCall.id === call.id) ||
                (chunk.type === "tool_call_end" && chunk.toolCallId === call.id)
                  ? [chunk.type]
                  : [],
              );
              assert.deepEqual(order, ["tool_call_start", "tool_call_end"]);
            }
            assert.deepEqual(
              response.message.toolCalls.map(({ input }) => input),
              [{ id: "a" }, { id: "b" }, { id: "c" }],
            );
            assert.equal(new Set(response.message.toolCalls.map(({ id }) => id)).size, 3);
          },
        ),
    },
    {
      name: "each of three parallel results goes back, paired by its id [field-bug:PB-provider-errors-09]",
      run: () =>
        withServer(
          setup,
          ({ turn, tools }) =>
            turn === 0
              ? { toolCalls: ["a", "b", "c"].map((id) => ({ name: tools[0]?.name ?? "", arguments: { id } })) }
              : "Done.",
          async (model, server) => {
            const first = await model.generate(request(model, [user("Orders?")], { tools: [lookUp] }));
            const results = first.message.toolCalls.map(({ id, name }, index): ToolMessage => ({
              id: `t${index}`,
              role: "tool",
              toolCallId: id,
              toolName: name,
              content: `order ${index}`,
            }));
            await model.generate(request(model, [user("Orders?"), first.message, ...results], { tools: [lookUp] }));
            assert.equal(server.requests[1]?.refusedBy, undefined);
            const sent = JSON.stringify(server.requests[1]?.body);
            for (const index of [0, 1, 2]) assert.equal(sent.split(`order ${index}`).length, 2);
          },
        ),
    },
    ...(traits.rawArguments === false
      ? []
      : [
          {
            name: "argument text is kept as it was written [providers.rule.argument-text] [providers.rule.argument-text.invalid]",
            run: () =>
              withServer(
                setup,
                ({ tools }) => ({
                  toolCalls: [
                    { name: tools[0]?.name ?? "", arguments: '{ "id":\t"1" }' },
                    { name: tools[0]?.name ?? "", arguments: '{"id": "1", oops' },
                  ],
                }),
                async (model) => {
                  const { message } = responseOf(
                    await chunksOf(model.stream(request(model, [user("Orders?")], { tools: [lookUp] }))),
                  );
                  assert.deepEqual(
                    message.toolCalls.map((call) => call.arguments),
                    ['{ "id":\t"1" }', '{"id": "1", oops'],
                  );
                  assert.deepEqual(message.toolCalls[0]?.input, { id: "1" });
                  assert.ok(message.toolCalls[1] && !("input" in message.toolCalls[1]), "invalid text has no input");
                },
              ),
          },
        ]),
    { name: "the end of an answer is stop [messages.finish-reason]", run: ending({ text: "Done." }, "stop") },
    {
      name: "the bound of output is length [messages.finish-reason]",
      run: ending({ text: "Once upon", finish: "length" }, "length"),
    },
    {
      name: "a filter is content_filter [messages.finish-reason]",
      run: ending({ text: "I", finish: "content_filter" }, "content_filter"),
    },
    {
      name: "a call in a truncated answer does not count as a turn of calls [providers.rule.unfinished-turns]",
      run: ending({ toolCalls: [{ name: "x", arguments: '{"id": 1}' }], finish: "length" }, "length"),
    },
    ...(traits.tellsRefusals === false
      ? []
      : [
          {
            name: "a refusal is content_filter [messages.finish-reason]",
            run: ending({ refusal: "I will not." }, "content_filter"),
          },
        ]),
    {
      name: "cached tokens are part of the prompt and reasoning is counted once [providers.rule.usage]",
      run: () => {
        const step = {
          text: "Hi",
          usage: { inputTokens: 1200, outputTokens: 300, reasoningTokens: 200, cachedTokens: 1000 },
        };
        return withServer(setup, [step, step], async (model) => {
          const cached = traits.tellsCachedTokens === false ? undefined : 1000;
          for (const { usage } of [
            await model.generate(request(model, [user("Hi")])),
            responseOf(await chunksOf(model.stream(request(model, [user("Hi")])))),
          ]) {
            assert.deepEqual(
              [usage.inputTokens, usage.outputTokens, usage.totalTokens, usage.cachedTokens],
              [1200, 300, 1500, cached],
            );
            assert.ok(usage.providerMetrics !== undefined, "the vendor's own object is there");
          }
        });
      },
    },
    {
      name: "the key of a call replaces the provider's [providers.rule.per-request-key]",
      run: () =>
        withServer(setup, ["Hi", "Hi", "Hi"], async (model, server) => {
          await model.generate(request(model, [user("Hi")]));
          await model.generate(request(model, [user("Hi")], { apiKey: "sk-other-0123456789" }));
          await chunksOf(model.stream(request(model, [user("Hi")], { apiKey: "sk-other-0123456789" })));
          const used = server.requests.map(({ headers, path }) => {
            const said = JSON.stringify(headers) + path;
            return [said.includes(conformanceKey), said.includes("sk-other-0123456789")];
          });
          assert.deepEqual(used, [
            [true, false],
            [false, true],
            [false, true],
          ]);
        }),
    },
    {
      name: "the vendor's events pass through when asked, and only then [providers.rule.raw-tap]",
      run: () =>
        withServer(setup, ["Hi", "Hi"], async (model) => {
          const quiet = await chunksOf(model.stream(request(model, [user("Hi")])));
          assert.equal(quiet.filter(({ type }) => type === "raw").length, 0);
          const tapped = await chunksOf(model.stream(request(model, [user("Hi")], { includeRawEvents: true })));
          assert.ok(tapped.filter(({ type }) => type === "raw").length > 1);
        }),
    },
    {
      name: "half a surrogate pair is never sent, from any source [providers.rule.strings] [field-bug:PB-unicode-03]",
      run: () =>
        withServer(setup, ["Hi"], async (model, server) => {
          const half = "a\ud83d b";
          await model.generate(
            request(
              model,
              [
                { id: "s", role: "system", content: half },
                user(half),
                {
                  id: "a",
                  role: "assistant",
                  content: [
                    { type: "text", text: half },
                    { type: "tool_call", toolCallId: "c1" },
                  ],
                  toolCalls: [{ id: "c1", name: "look", arguments: `{"id": "${half}"}` }],
                  finishReason: "tool_calls",
                  provenance: { provider: "elsewhere", api: "x", model: "y" },
                },
                { id: "t", role: "tool", toolCallId: "c1", toolName: "look", content: half },
              ],
              { tools: [{ ...lookUp, description: half }] },
            ),
          );
          const text = server.requests[0]?.text ?? "";
          assert.doesNotMatch(text, /\\ud83d/i);
          assert.ok(text.includes("a\ufffd b"));
          assert.equal(server.requests[0]?.refusedBy, undefined);
        }),
    },
  ];
}
