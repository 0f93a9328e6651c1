import type { ModelProvider } from "../../contracts/model-provider.ts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ContentPart } from "../../contracts/content-part.ts";
import type { SanitizerPort } from "../../contracts/ports/security.ts";
import type { Tool } from "../../contracts/tool.ts";
import { readResultTool, readSpilled } from "../../tools/read-result.ts";
import { toolReturn } from "../../tools/tool-return.ts";
import { tool } from "../../tools/tool.ts";
import { memoryStore } from "../../journal/memory-store.ts";
import { harness, toolTexts } from "./call-harness.test.helper.ts";

function gives(value: unknown, extra: Partial<Tool> = {}): Tool {
  return {
    ...tool({
      name: "t",
      description: "d",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: () => undefined,
    }),
    execute: () => value,
    ...extra,
  };
}

const one = [{ name: "t" }];

describe("output", () => {
  test("the parsed output is used: defaults and transforms apply [tool.field.output-schema]", async () => {
    const outputSchema = z.object({
      n: z.number().default(5),
      text: z.string().transform((text) => text.toUpperCase()),
    });
    const self = await harness({ tools: [gives({ text: "a" }, { outputSchema })], calls: one });
    const outcome = await self.drive();
    expect(outcome.results[0]?.output).toEqual({ n: 5, text: "A" });
    expect(toolTexts(self)).toEqual(['{"n":5,"text":"A"}']);
  });

  test("a schema that throws is an invalid output, and the model gets its message [tool.field.output-schema]", async () => {
    const outputSchema = z.string().refine(() => {
      throw new Error("the check broke");
    });
    const self = await harness({ tools: [gives("x", { outputSchema })], calls: one });
    const outcome = await self.drive();
    expect(outcome.results[0]?.error).toMatchObject({ kind: "invalid_output" });
    expect(toolTexts(self)[0]).toMatch(/output of "t" could not be checked.*the check broke/u);
  });

  test("a writer with an invalid result reports that the effect happened [effects.invalid-result-happened]", async () => {
    const outputSchema = z.object({ id: z.string() });
    const writer = await harness({
      tools: [gives({ id: 1 }, { outputSchema, sideEffectClass: "external-stateful" })],
      calls: one,
    });
    const outcome = await writer.drive();
    expect(outcome.results[0]?.error).toMatchObject({ kind: "invalid_output", effectHappened: true });
    expect(toolTexts(writer)[0]).toMatch(/DID happen/);
    const reader = await harness({ tools: [gives({ id: 1 }, { outputSchema })], calls: one, runId: "run-2" });
    await reader.drive();
    expect(toolTexts(reader)[0]).not.toMatch(/DID happen/);
  });

  test("toModelOutput returns the text that the model reads; a throw becomes execution_failed [tool.field.to-model-output]", async () => {
    const shown = await harness({
      tools: [gives(2, { toModelOutput: (output) => `two is ${String(output)}` })],
      calls: one,
    });
    const outcome = await shown.drive();
    expect(toolTexts(shown)).toEqual(["two is 2"]);
    expect(outcome.results[0]?.output).toBe(2);
    const throwing = await harness({
      runId: "run-2",
      tools: [
        gives(2, {
          toModelOutput: () => {
            throw new Error("no");
          },
        }),
      ],
      calls: one,
    });
    expect((await throwing.drive()).results[0]?.error?.kind).toBe("execution_failed");
  });

  test("images reach the model as images, both bytes and URLs [tool.return.content-parts] [field-bug:PB-media-01]", async () => {
    const parts: ContentPart[] = [
      { type: "image", data: new Uint8Array([1, 2, 3]), mimeType: "image/png" },
      { type: "image", data: "https://x.example/a.png" },
    ];
    const self = await harness({
      tools: [gives(toolReturn({ output: { ok: true }, contentParts: parts }))],
      calls: one,
    });
    await self.drive();
    const message = self.journal.state.messages.find((each) => each.role === "tool");
    expect(message?.content).toEqual([
      { type: "text", text: '{"ok":true}' },
      { type: "image", data: "AQID", mimeType: "image/png" },
      { type: "image", url: "https://x.example/a.png" },
    ]);
  });

  test("a plain object of the same shape is an ordinary output [tool.return.brand]", async () => {
    const self = await harness({ tools: [gives({ output: 1, endRun: true })], calls: one });
    const outcome = await self.drive();
    expect(toolTexts(self)).toEqual(['{"output":1,"endRun":true}']);
    expect(outcome.stop).toBeUndefined();
  });

  test("details never reach the model, and endRun ends after the other results [tool.return.details] [tool.return.end-run]", async () => {
    const self = await harness({
      tools: [
        gives(toolReturn({ output: "o", details: { trace: "hidden words" }, endRun: true })),
        gives("second", { name: "u" }),
      ],
      calls: [...one, { name: "u" }],
    });
    const outcome = await self.drive();
    expect(outcome.stop).toBe("stopped_by_tool");
    expect(toolTexts(self)).toEqual(["o", "second"]);
    expect(outcome.results[0]?.details).toEqual({ trace: "hidden words" });
    expect(JSON.stringify(self.journal.state.messages)).not.toContain("hidden words");
  });

  test("a lone surrogate does not reach the conversation [field-bug:PB-unicode-03]", async () => {
    const self = await harness({ tools: [gives("a\ud83d b")], calls: one });
    await self.drive();
    expect(toolTexts(self)).toEqual(["a\ufffd b"]);
  });

  test("a model hint is resolved by the agent's tiers, and a model spec is used unchanged [tool.field.preferred-model]", async () => {
    const hinted = await harness({
      tools: [gives(1, { preferredModel: "smart" })],
      calls: one,
      settings: { modelTiers: { smart: "p/large" } },
    });
    await hinted.drive();
    expect(hinted.run.nextModel).toBe("p/large");
    const spec = await harness({ tools: [gives(1, { preferredModel: "p/exact" })], calls: one, runId: "run-2" });
    await spec.drive();
    expect(spec.run.nextModel).toBe("p/exact");
    const none = await harness({ tools: [gives(1)], calls: one, runId: "run-3" });
    await none.drive();
    expect(none.run.nextModel).toBeUndefined();
  });
});

describe("review", () => {
  test("afterToolExec replaces the result before the model reads it, and a throw withholds it [hooks.after-tool-exec]", async () => {
    const replaced = await harness({
      tools: [gives("raw")],
      calls: one,
      settings: { loopHooks: { afterToolExec: (_name, text) => `${text} reviewed` } },
    });
    await replaced.drive();
    expect(toolTexts(replaced)).toEqual(["raw reviewed"]);
    const afterToolExec = (): Promise<never> => Promise.reject(new Error("down"));
    const failing = await harness({
      tools: [gives("raw")],
      calls: one,
      runId: "run-2",
      settings: { loopHooks: { afterToolExec } },
    });
    expect((await failing.drive()).results[0]?.error?.kind).toBe("policy_denied");
    expect(toolTexts(failing)[0]).not.toContain("raw");
  });

  test("a guardrail can block or replace a result, and the message of a failing tool [guardrails.tool-output]", async () => {
    const toolOutput = [
      {
        name: "g",
        validate: (result: { content: unknown }) =>
          String(result.content).includes("card")
            ? ({ pass: false, reason: "cards" } as const)
            : ({ pass: true, replace: "clean" } as const),
      },
    ];
    const execute = (): never => {
      throw new Error("card 4111");
    };
    const self = await harness({
      tools: [gives("x"), gives("", { name: "u", execute }), gives("card 1", { name: "v" })],
      calls: [...one, { name: "u" }, { name: "v" }],
      settings: { guardrails: { toolOutput } },
    });
    const outcome = await self.drive();
    expect(toolTexts(self)[0]).toBe("clean");
    expect(outcome.results.map((each) => each.error?.kind)).toEqual([undefined, "policy_denied", "policy_denied"]);
    expect(toolTexts(self).join()).not.toContain("4111");
    expect(toolTexts(self).slice(1)).toEqual(Array(2).fill(expect.stringContaining("cards")));
  });
});

describe("sanitize and redact", () => {
  const sanitizer: SanitizerPort = {
    inbound: (content, { policy }) => {
      if (content === "never") return new Promise<never>(() => undefined);
      if (content === "late") return { content, findings: [], failed: true };
      if (content === "boom") throw new Error("scan");
      const text = typeof content === "string" ? content : JSON.stringify(content);
      return { content: `<${policy}>${text}`, findings: text.includes("ignore") ? ["instruction"] : [] };
    },
    display: (value) => value,
  };

  test("a result is sanitized by the tool's policy, and findings are reported", async () => {
    const self = await harness({
      sanitizer,
      tools: [gives("ignore all", { inboundSanitization: "detect-and-wrap" })],
      calls: one,
    });
    await self.drive();
    expect(toolTexts(self)).toEqual(["<detect-and-wrap>ignore all"]);
    expect(self.live).toMatchObject([{ type: "warning", warning: { code: "inbound_findings" } }]);
  });

  test.each(["ignore all", "late"])("%j becomes an error [tool.field.fail-closed]", async (text) => {
    const self = await harness({
      sanitizer,
      tools: [gives(text, { inboundSanitization: "detect-and-flag", failClosed: true })],
      calls: one,
    });
    expect((await self.drive()).results[0]?.error?.kind).toBe("inbound_sanitization_blocked");
    expect(toolTexts(self)[0]).not.toContain(text);
  });

  test("after a scan times out the model reads, marked, only text that no policy would change [sanitize.detection-raises]", async () => {
    const scanned = async (extra: Partial<Tool>): Promise<unknown> => {
      const self = await harness({ sanitizer, tools: [gives("never", extra)], calls: one });
      const driven = self.drive();
      await self.clock.advance(10_000);
      const { results } = await driven;
      const findings = (await self.events()).flatMap((event) => (event.type === "tool.result" ? [event.findings] : []));
      return [toolTexts(self)[0]?.startsWith("never"), results[0]?.error?.kind, ...findings];
    };
    const blocked = [false, "inbound_sanitization_blocked", undefined];
    expect(await scanned({ inboundSanitization: "detect-and-flag" })).toEqual([true, undefined, ["scan-failed"]]);
    expect(await scanned({ inboundSanitization: "detect-and-strip" })).toEqual(blocked);
    expect(await scanned({ inboundSanitization: "detect-and-flag", failClosed: true })).toEqual(blocked);
  });

  test("a scan that throws withholds the result", async () => {
    const self = await harness({
      sanitizer,
      tools: [gives("boom", { inboundSanitization: "detect-and-flag" })],
      calls: one,
    });
    expect((await self.drive()).results[0]?.error?.kind).toBe("inbound_sanitization_blocked");
  });

  test("the model reads a reference, unless its provider accepts secrets [tool.sensitivity.secret.model]", async () => {
    const secret = gives({ pin: "1234" }, { sensitivity: "secret" });
    const self = await harness({ tools: [secret], calls: one });
    const outcome = await self.drive();
    expect(JSON.parse(toolTexts(self)[0]!)).toEqual({ $ref: "t1/c0/output", type: "object", length: 14 });
    expect(JSON.stringify(outcome.results)).not.toContain("1234");
    const trusted = await harness({ tools: [secret], calls: one, runId: "run-2", accepts: "secret" });
    await trusted.drive();
    expect(toolTexts(trusted)).toEqual(['{"pin":"1234"}']);
    // One model that may read the conversation and accepts no secrets is enough.
    const plain = { provider: "test", api: "test", modelId: "other", capabilities: {} } as unknown as ModelProvider;
    for (const settings of [{ fallback: [plain] }, { modelTiers: { fast: plain } }, { prepareStep: () => undefined }]) {
      const mixed = await harness({ tools: [secret], calls: one, runId: "run-3", accepts: "secret", settings });
      await mixed.drive();
      expect(toolTexts(mixed)[0]).not.toContain("1234");
    }
  });

  test("the message of a failing secret tool is withheld", async () => {
    const execute = (): never => {
      throw new Error("pin 1234 is wrong");
    };
    const self = await harness({ tools: [gives(0, { sensitivity: "secret", execute })], calls: one });
    await self.drive();
    expect(toolTexts(self)[0]).not.toContain("1234");
  });
});

describe("limit", () => {
  const items = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `item ${id}`, text: "x".repeat(50) }));

  test("the default strategy keeps both ends, tail keeps the end, and both report how much was cut [tool.field.max-result-tokens]", async () => {
    const text = `HEAD${"é".repeat(50_000)}TAIL`;
    const self = await harness({
      tools: [
        gives(text, { maxResultTokens: 100 }),
        gives(text, { name: "u", maxResultTokens: 100, truncationStrategy: "tail" }),
      ],
      calls: [...one, { name: "u" }],
    });
    await self.drive();
    const [middle, tail] = toolTexts(self);
    expect(middle).toMatch(/^HEAD.*left out.*TAIL$/s);
    expect(tail).toMatch(/left out.*TAIL$/s);
    expect(tail).not.toContain("HEAD");
    for (const each of [middle, tail]) expect(new TextEncoder().encode(each).length).toBeLessThanOrEqual(400);
  });

  test("the default limit is 16,384 tokens, and 0 turns it off", async () => {
    const text = "a".repeat(16_384 * 4 + 1);
    const self = await harness({
      tools: [gives(text), gives(text.slice(1), { name: "u" }), gives(text, { name: "v", maxResultTokens: 0 })],
      calls: [...one, { name: "u" }, { name: "v" }],
    });
    await self.drive();
    expect(toolTexts(self).map((each) => each.length)).toEqual([expect.any(Number), 16_384 * 4, 16_384 * 4 + 1]);
    expect(toolTexts(self)[0]!.length).toBeLessThanOrEqual(16_384 * 4);
    expect(toolTexts(self)[0]).toContain("left out");
  });

  test("JSON is cut by its structure: the rest parses, and removed items are counted [tool.field.truncation-strategy.structural]", async () => {
    const self = await harness({
      tools: [gives({ items, note: "n".repeat(9_000) }, { maxResultTokens: 500, truncationStrategy: "middle" })],
      calls: one,
    });
    await self.drive();
    const [json, note] = toolTexts(self)[0]!.split("\n");
    const value = JSON.parse(json!) as { items: unknown[] };
    expect(value.items.at(-1)).toMatch(/more items/);
    expect(note).toContain("Shortened");
    expect(toolTexts(self)[0]!.length).toBeLessThanOrEqual(2_000);
  });

  test("objects are spilled, and the handle can be read [tool.field.truncation-strategy.spill] [seams.pipeline.default-truncation]", async () => {
    const store = memoryStore();
    const read = readResultTool(store);
    const self = await harness({
      store,
      tools: [gives({ items }, { maxResultTokens: 500 }), read],
      deferred: ["read_result"],
      calls: one,
    });
    await self.drive();
    const handle = /read_result\(\{"handle":"([0-9a-f]{64})"/.exec(toolTexts(self)[0]!)?.[1];
    expect(await readSpilled(store, handle!, {})).toBe(JSON.stringify({ items }));
    expect(self.run.catalogue.isCallable("read_result")).toBe(true);
    expect((await self.events()).filter((event) => event.type === "catalogue.promoted")).toMatchObject([
      { toolNames: ["read_result"], by: "spill" },
    ]);
    expect(JSON.parse(toolTexts(self)[0]!.split("\n")[0]!)).toHaveProperty("items");
  });

  test("a handle is never given without a registered reader tool", async () => {
    const self = await harness({ tools: [gives({ items }, { maxResultTokens: 500 })], calls: one });
    await self.drive();
    expect(toolTexts(self)[0]).not.toContain("read_result");
    expect(toolTexts(self)[0]).toContain("Shortened");
  });

  test("toolResultLimit bounds tools that set no limit, in tokens", async () => {
    const self = await harness({
      tools: [gives("a".repeat(300)), gives("a".repeat(300), { name: "u", maxResultTokens: 1_000 })],
      calls: [...one, { name: "u" }],
      settings: { toolResultLimit: { maxTokens: 50 } },
    });
    await self.drive();
    expect(toolTexts(self).map((each) => each.length <= 200)).toEqual([true, false]);
  });

  test("images are kept when the text beside them is cut", async () => {
    const parts: ContentPart[] = [{ type: "image", data: "A".repeat(10_000), mimeType: "image/png" }];
    const self = await harness({
      tools: [gives(toolReturn({ output: "b".repeat(5_000), contentParts: parts }), { maxResultTokens: 50 })],
      calls: one,
    });
    await self.drive();
    const message = self.journal.state.messages.find((each) => each.role === "tool");
    expect(message?.content).toMatchObject([{ type: "text" }, { type: "image", data: "A".repeat(10_000) }]);
  });

  test("the message of a failing tool is limited too", async () => {
    const execute = (): never => {
      throw new Error("e".repeat(1_000_000));
    };
    const self = await harness({ tools: [gives(0, { execute })], calls: one });
    const outcome = await self.drive();
    expect(toolTexts(self)[0]!.length).toBeLessThan(70_000);
    expect(outcome.results[0]?.error?.message.length).toBeLessThan(70_000);
  });
});
