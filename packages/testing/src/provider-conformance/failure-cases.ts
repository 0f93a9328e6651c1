import assert from "node:assert/strict";
import { inspect } from "node:util";
import { ContextOverflowError, ModelAbortedError, ModelError } from "@bailiwick/core";
import type { ModelProvider, StreamChunk } from "@bailiwick/core";
import { modelServer } from "../model-server/index.ts";
import type { ScriptError, ScriptStep } from "../script/index.ts";
import type { ConformanceCase, ConformanceSetup } from "./conformance-case.ts";
import {
  chunksOf,
  conformanceKey,
  countedSignal,
  joined,
  lookUp,
  request,
  responseOf,
  thrownBy,
  user,
  withServer,
} from "./conformance-tools.ts";

/** An error as a failed call threw it. */
function asModelError(error: unknown): ModelError {
  assert.ok(error instanceof ModelError, `a typed model error, not ${String(error)}`);
  return error;
}

/** Cases about failures, and the state after them. */
export function failureCases(setup: ConformanceSetup): readonly ConformanceCase[] {
  const { traits } = setup;
  const failing =
    (error: ScriptError, check: (error: ModelError) => void): ConformanceCase["run"] =>
    () =>
      withServer(setup, [{ faults: { error } }, { faults: { error } }], async (model) => {
        const asked = request(model, [user("Hi")]);
        check(asModelError(await thrownBy(model.generate(asked))));
        check(asModelError(await thrownBy(chunksOf(model.stream(asked)))));
      });
  return [
    {
      name: "an error has provider, status, retryability, redacted headers and a capped body [providers.rule.errors]",
      run: failing(
        {
          status: 500,
          message: `Broken: ${conformanceKey} ${"x".repeat(9000)}`,
          headers: { "set-cookie": "session=1" },
        },
        (error) => {
          assert.deepEqual([error.status, error.retryable], [500, true]);
          assert.ok(error.provider !== "" && error.model !== undefined);
          assert.ok((error.body?.length ?? 0) <= 4000 && (error.body?.length ?? 0) > 0, "a capped body");
          assert.ok(
            !JSON.stringify([error.message, error.body, error.headers]).includes(conformanceKey),
            "no key in it",
          );
          assert.ok(!JSON.stringify(error.headers).includes("session=1"), "no cookie in it");
          const printed = inspect(error, { depth: 10, maxStringLength: Infinity });
          assert.ok(!printed.includes(conformanceKey), "no key where an error is printed with its causes");
        },
      ),
    },
    ...[408, 409, 429, 500, 503, 529].map((status) => ({
      name: `status ${status} can be tried again [providers.rule.retry]`,
      run: failing({ status, message: "Try later." }, (error) => assert.equal(error.retryable, true)),
    })),
    ...[400, 401, 403, 404, 422].map((status) => ({
      name: `status ${status} cannot be tried again [providers.rule.retry]`,
      run: failing({ status, message: "No." }, (error) => assert.equal(error.retryable, false)),
    })),
    {
      name: "the vendor's delay is read [providers.rule.retry.delay] [field-bug:PB-retry-01]",
      run: failing({ status: 429, message: "Slow down.", retryAfterSeconds: 7 }, (error) =>
        assert.equal(error.retryAfterMs, 7000),
      ),
    },
    {
      name: "an empty account is not a reason to try again [providers.rule.retry.quota]",
      run: failing(
        {
          status: 429,
          code: "insufficient_quota",
          type: "insufficient_quota",
          message: "You exceeded your current quota, please check your plan and billing details.",
        },
        (error) => {
          assert.deepEqual([error.code, error.retryable], ["MODEL_QUOTA_EXCEEDED", false]);
        },
      ),
    },
    {
      name: "a request that does not fit is one typed error, in words and by status [providers.rule.overflow]",
      run: async () => {
        await withServer(setup, [{ faults: { contextOverflow: true } }], async (model) => {
          const thrown = await thrownBy(model.generate(request(model, [user("Hi")])));
          assert.ok(thrown instanceof ContextOverflowError, String(thrown));
        });
        for (const error of [
          {
            status: 400,
            code: "context_length_exceeded",
            message: "This model's maximum context length is 128000 tokens.",
          },
          { status: 413, message: "Request too large." },
        ]) {
          await failing(error, (thrown) => assert.ok(thrown instanceof ContextOverflowError, thrown.message))();
        }
      },
    },
    {
      name: "throttling that mentions tokens is throttling [providers.rule.overflow.not-throttling]",
      run: failing(
        {
          status: 429,
          message: "Rate limit reached on tokens per min (TPM): Limit 30000, the request has too many tokens.",
        },
        (error) => {
          assert.ok(!(error instanceof ContextOverflowError));
          assert.equal(error.retryable, true);
        },
      ),
    },
    {
      name: "an error frame before any output can be tried again [providers.rule.stream-end.error-frame] [field-bug:PB-provider-errors-01]",
      run: () =>
        withServer(
          setup,
          [
            {
              text: "Hi",
              faults: {
                errorFrame: {
                  afterEvents: traits.openingEvents ?? 1,
                  error: { status: 503, message: "Overloaded right now." },
                },
              },
            },
          ],
          async (model) => {
            const error = asModelError(await thrownBy(chunksOf(model.stream(request(model, [user("Hi")])))));
            assert.equal(error.retryable, true);
            assert.match(error.message, /Overloaded right now/);
          },
        ),
    },
    {
      name: "an error frame after output surfaces with its words and the received part, and can be tried again [providers.rule.stream-end.after-output] [field-bug:PB-provider-errors-08]",
      run: () =>
        withServer(
          setup,
          ({ stream }) => ({
            text: "One two three four five six seven eight",
            faults: stream
              ? { errorFrame: { afterEvents: 7, error: { status: 500, message: "The engine broke." } } }
              : {},
          }),
          async (model) => {
            const shown: StreamChunk[] = [];
            const error = asModelError(await thrownBy(collect(model.stream(request(model, [user("Hi")])), shown)));
            assert.ok(
              shown.some(({ type }) => type === "text"),
              "output had been shown",
            );
            assert.equal(error.retryable, true);
            assert.match(error.message, /The engine broke/);
            assert.equal(error.partial?.message.partial, true);
            assert.ok(joined(shown, "text").startsWith(textOf(error)), "the received part is kept");
          },
        ),
    },
    {
      name: "a stream cut at any event is an error or complete, and its calls never run [providers.rule.stream-end] [providers.proof.cut]",
      run: () => cutEverywhere(setup),
    },
    {
      name: "a stream that ends cleanly before its answer does is an error [providers.rule.stream-end]",
      run: () =>
        withServer(setup, [{ text: "Once upon", faults: { omitTerminal: true } }], async (model) => {
          const error = asModelError(await thrownBy(chunksOf(model.stream(request(model, [user("Hi")])))));
          assert.deepEqual([error.code, error.retryable], ["MODEL_RESPONSE_INVALID", true]);
        }),
    },
    {
      name: "an HTML page with status 200 is an error, and no retry asks for it again [providers.rule.stream-end.page]",
      run: () =>
        withServer(
          setup,
          () => ({ faults: { error: { status: 200, body: "<html>Bad gateway</html>" } } }),
          async (model) => {
            const asked = request(model, [user("Hi")]);
            for (const thrown of [await thrownBy(model.generate(asked)), await thrownBy(chunksOf(model.stream(asked)))])
              assert.equal(asModelError(thrown).retryable, false);
          },
        ),
    },
    {
      name: "a pattern reads at most the beginning of a long failed answer [providers.rule.errors.bounded]",
      run: async () => {
        for (const error of longErrors) {
          await withServer(setup, [{ faults: { error } }, { faults: { error } }], async (model) => {
            const asked = request(model, [user("Hi")]);
            const read = await longestMatched(async () => {
              asModelError(await thrownBy(model.generate(asked)));
              asModelError(await thrownBy(chunksOf(model.stream(asked))));
            });
            assert.ok(read.characters <= 10_000, `a pattern read ${read.characters} characters: ${read.by}`);
          });
        }
      },
    },
    {
      name: "an abort at any event cancels the request and leaves no listener [providers.rule.abort] [providers.proof.abort]",
      run: () => abortEverywhere(setup),
    },
    {
      name: "an abort during a whole answer cancels the request, and a call that ends leaves no listener [providers.rule.abort]",
      run: () =>
        withServer(setup, [{ text: "Hi", faults: { hangAfterEvents: 0 } }, "Hi", "Hi"], async (model, server) => {
          const { controller, listeners } = countedSignal();
          const pending = thrownBy(model.generate(request(model, [user("Hi")], { signal: controller.signal })));
          while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
          controller.abort(new Error("enough"));
          const error = await pending;
          assert.ok(error instanceof ModelAbortedError);
          assert.equal((error.cause as Error).message, "enough");
          assert.equal(listeners(), 0);
          const calm = countedSignal();
          await model.generate(request(model, [user("Hi")], { signal: calm.controller.signal }));
          await chunksOf(model.stream(request(model, [user("Hi")], { signal: calm.controller.signal })));
          assert.equal(calm.listeners(), 0);
        }),
    },
    {
      name: "an unreachable server is a connection error that can be tried again [providers.rule.errors]",
      run: async () => {
        const gone = await modelServer([]);
        await gone.close();
        const model = setup.createModel({ url: gone.url, apiKey: conformanceKey, baseURL: gone.baseURL });
        const error = asModelError(await thrownBy(model.generate(request(model, [user("Hi")]))));
        assert.deepEqual([error.code, error.retryable, error.mayHaveRun], ["MODEL_CONNECTION_ERROR", true, false]);
      },
    },
  ];
}

/** Pages and messages of proxies and vendors, made so that a pattern takes quadratic time. */
const longErrors: readonly ScriptError[] = [
  { status: 502, body: `<html>${"<style ".repeat(10_000)}` },
  { status: 404, body: `<!doctype html>${"<".repeat(70_000)}` },
  { status: 200, body: `<html>${" ".repeat(70_000)}x` },
  { status: 400, message: "encrypted content ".repeat(4_000) },
  { status: 400, message: `input token count ${" ".repeat(70_000)}x` },
  { status: 429, message: `Try again in ${"1".repeat(70_000)}` },
];

/** The longest text that a pattern of the adapter reads during an action; patterns of the vendor's SDK do not count. */
async function longestMatched(act: () => Promise<void>): Promise<{ readonly characters: number; readonly by: string }> {
  const longest = { characters: 0, by: "" };
  const { exec } = RegExp.prototype;
  const trapped = function (this: RegExp, text: string): RegExpExecArray | null {
    // The stack is written with patterns.
    Object.assign(RegExp.prototype, { exec });
    if (text.length > longest.characters) {
      const callers = new Error("match").stack?.split("\n").slice(2) ?? [];
      // Some packages hide the stack of their patterns.
      const caller = callers.find((line) => line.includes("/"))?.trim();
      if (caller !== undefined && !caller.includes("node_modules") && !caller.includes("node:"))
        Object.assign(longest, { characters: text.length, by: `${String(this)} ${caller}` });
    }
    Object.assign(RegExp.prototype, { exec: trapped });
    return Reflect.apply<RegExp, [string], RegExpExecArray | null>(exec, this, [text]);
  };
  Object.assign(RegExp.prototype, { exec: trapped });
  try {
    await act();
  } finally {
    Object.assign(RegExp.prototype, { exec });
  }
  return longest;
}

const longAnswer: ScriptStep = {
  text: "One two three.",
  toolCalls: [
    { name: "orders", arguments: { id: "1", note: "a longer text so that it comes in pieces" } },
    { name: "orders", arguments: { id: "2" } },
  ],
};

async function cutEverywhere(setup: ConformanceSetup): Promise<void> {
  const events = await countEvents(setup, longAnswer);
  for (let cut = 0; cut <= events; cut += 1) {
    await withServer(setup, [{ ...longAnswer, faults: { cutAfterEvents: cut } }], async (model) => {
      const chunks: StreamChunk[] = [];
      try {
        await collect(model.stream(request(model, [user("Hi")], { tools: [lookUp] })), chunks);
      } catch (thrown) {
        const error = asModelError(thrown);
        assert.equal(error.retryable, true, `cut after ${cut} events`);
        assert.ok(error.partial === undefined || error.partial.finishReason === "error", "nothing in it may run");
        assert.equal(
          chunks.some(({ type }) => type === "finish"),
          false,
        );
        return;
      }
      assert.equal(responseOf(chunks).message.toolCalls.length, 2, `cut after ${cut} events and called complete`);
    });
  }
}

async function abortEverywhere(setup: ConformanceSetup): Promise<void> {
  const events = await countEvents(setup, longAnswer);
  for (let at = 0; at < events; at += 1) {
    await withServer(setup, [{ ...longAnswer, faults: { hangAfterEvents: at } }], async (model, server) => {
      const { controller, listeners } = countedSignal();
      const stream = model.stream(request(model, [user("Hi")], { tools: [lookUp], signal: controller.signal }));
      const pending = collect(stream, []).then(
        () => undefined,
        (error: unknown) => error,
      );
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      // Long enough for the events before the hang to be read.
      await new Promise((resolve) => setTimeout(resolve, 15));
      controller.abort(new Error("enough"));
      const error = await pending;
      if (error !== undefined) {
        assert.ok(error instanceof ModelAbortedError, `aborted after ${at} events`);
        for (let wait = 0; wait < 200 && server.requests[0]?.aborted !== true; wait += 1) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        assert.equal(server.requests[0]?.aborted, true, `the request is cancelled, ${at} events in`);
      }
      assert.equal(listeners(), 0, `no listener is left, ${at} events in`);
    });
  }
}

/** Number of events of an answer, as its raw tap counts them. */
async function countEvents(setup: ConformanceSetup, step: ScriptStep): Promise<number> {
  let events = 0;
  await withServer(setup, [step], async (model: ModelProvider) => {
    const chunks = await chunksOf(
      model.stream(request(model, [user("Hi")], { tools: [lookUp], includeRawEvents: true })),
    );
    events = chunks.filter(({ type }) => type === "raw").length;
  });
  return events;
}

async function collect(stream: AsyncIterable<StreamChunk>, into: StreamChunk[]): Promise<void> {
  for await (const chunk of stream) into.push(chunk);
}

function textOf(error: ModelError): string {
  return (error.partial?.message.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}
