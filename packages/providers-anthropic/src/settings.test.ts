import type { ModelRequest } from "@bailiwick/core";
import { describe, expect, test } from "vitest";
import { asked, look, warned } from "./ask.fixture.ts";
import { anthropic, anthropicOptions } from "./index.ts";

const on: ModelRequest["reasoning"] = { enabled: true };

describe("thinking is requested in the model's form", () => {
  const rows: readonly [string, string, Partial<ModelRequest>, unknown, unknown, readonly unknown[]][] = [
    [
      "a budget, from an effort",
      "claude-sonnet-4-5",
      { reasoning: { enabled: true, effort: "low" } },
      { type: "enabled", budget_tokens: 4096 },
      undefined,
      [],
    ],
    [
      "a budget, as given",
      "claude-haiku-4-5",
      { reasoning: { enabled: true, budgetTokens: 3000 } },
      { type: "enabled", budget_tokens: 3000 },
      undefined,
      [],
    ],
    [
      "a budget with effort beside",
      "claude-opus-4-5",
      { reasoning: { enabled: true, effort: "high" } },
      { type: "enabled", budget_tokens: 24_000 },
      "high",
      [],
    ],
    [
      "a budget below max_tokens",
      "claude-sonnet-4-5",
      { reasoning: { enabled: true, budgetTokens: 9000 }, maxTokens: 4000 },
      { type: "enabled", budget_tokens: 3999 },
      undefined,
      [["adjusted_setting", "reasoning.budgetTokens"]],
    ],
    [
      "a budget that is too low",
      "claude-sonnet-4-5",
      { reasoning: { enabled: true, budgetTokens: 10 } },
      { type: "enabled", budget_tokens: 1024 },
      undefined,
      [["adjusted_setting", "reasoning.budgetTokens"]],
    ],
    [
      "too few tokens for a budget",
      "claude-sonnet-4-5",
      { reasoning: on, maxTokens: 1000 },
      undefined,
      undefined,
      [["unsupported_setting", "reasoning"]],
    ],
    [
      "effort, from a budget",
      "claude-opus-4-6",
      { reasoning: { enabled: true, budgetTokens: 10_000 } },
      { type: "adaptive", display: "summarized" },
      "medium",
      [],
    ],
    [
      "effort that the model does not have",
      "claude-opus-4-6",
      { reasoning: { enabled: true, effort: "xhigh" } },
      { type: "adaptive", display: "summarized" },
      "high",
      [["adjusted_setting", "reasoning.effort"]],
    ],
    [
      "effort as it is",
      "claude-opus-4-7",
      { reasoning: { enabled: true, effort: "xhigh", summary: "none" } },
      { type: "adaptive", display: "omitted" },
      "xhigh",
      [],
    ],
    [
      "the vendor's own setting",
      "claude-opus-5",
      { providerOptions: anthropicOptions({ effort: "max" }) },
      undefined,
      "max",
      [],
    ],
    [
      "none for a model without",
      "claude-3-5-haiku-latest",
      { reasoning: on },
      undefined,
      undefined,
      [["unsupported_setting", "reasoning"]],
    ],
    [
      "no effort for a model without",
      "claude-haiku-4-5",
      { providerOptions: anthropicOptions({ effort: "low" }) },
      undefined,
      undefined,
      [["unsupported_setting", "effort"]],
    ],
    ["off where it is off", "claude-opus-4-8", { reasoning: { enabled: false } }, undefined, undefined, []],
    ["off where it is on", "claude-sonnet-5", { reasoning: { enabled: false } }, { type: "disabled" }, undefined, []],
    [
      "off by effort none",
      "claude-opus-5",
      { reasoning: { enabled: true, effort: "none" } },
      { type: "disabled" },
      undefined,
      [],
    ],
    [
      "off but between tools",
      "claude-sonnet-5-5",
      { reasoning: { enabled: false } },
      { type: "between_tools" },
      undefined,
      [],
    ],
    [
      "off with too high an effort",
      "claude-opus-5",
      { reasoning: { enabled: false }, providerOptions: anthropicOptions({ effort: "max" }) },
      { type: "disabled" },
      "high",
      [["adjusted_setting", "effort"]],
    ],
    [
      "never off",
      "claude-opus-5-5",
      { reasoning: { enabled: false } },
      undefined,
      "low",
      [["adjusted_setting", "reasoning"]],
    ],
  ];
  for (const [name, model, request, thinking, effort, warnings] of rows) {
    test(`${name} (${model}) [providers.anthropic.thinking-settings] [messages.reasoning-config]`, async () => {
      const { bodies, answers } = await asked([request], model);
      expect(bodies[0]?.["thinking"]).toEqual(thinking);
      expect((bodies[0]?.["output_config"] as { effort?: string } | undefined)?.effort).toBe(effort);
      expect(warned(answers[0])).toEqual(warnings);
    });
  }
});

test("with thinking, sampling settings and forced tools are dropped with a warning [providers.anthropic.thinking-settings] [providers.rule.warnings]", async () => {
  const request: Partial<ModelRequest> = {
    temperature: 0.2,
    topP: 0.5,
    tools: [look],
    toolChoice: "required",
    providerOptions: anthropicOptions({ topK: 5 }),
  };
  const dropped = ["toolChoice", "temperature", "topP", "topK"].map((subject) => ["unsupported_setting", subject]);
  for (const [model, reasoning] of [
    ["claude-sonnet-4-5", on],
    ["claude-sonnet-4-6", on],
    ["claude-opus-5", on],
    ["claude-opus-5-5", undefined],
    ["claude-sonnet-5-5", { enabled: false }],
  ] as const) {
    const { bodies, answers } = await asked([{ ...request, reasoning }], model);
    for (const name of ["temperature", "top_p", "top_k"]) expect(bodies[0]).not.toHaveProperty(name);
    expect(bodies[0]?.["tool_choice"]).toEqual({ type: "auto" });
    expect(warned(answers[0])).toEqual(dropped);
  }
});

test("Opus 4.6 is forced to call a tool while it thinks [providers.anthropic.thinking-settings]", async () => {
  // The vendor accepted this four times: recording anthropic-0089 and its neighbours.
  for (const toolChoice of ["required", { toolName: "look" }] as const) {
    const { bodies, answers } = await asked([{ tools: [look], toolChoice, reasoning: on }], "claude-opus-4-6");
    const choice = toolChoice === "required" ? { type: "any" } : { type: "tool", name: "look" };
    expect(bodies[0]).toMatchObject({ thinking: { type: "adaptive" }, tool_choice: choice });
    expect(warned(answers[0])).toEqual([]);
  }
});

test("without thinking, sampling settings and forced tools are sent [providers.anthropic.thinking-settings]", async () => {
  const { bodies, answers } = await asked([
    { temperature: 0.2, tools: [look], toolChoice: { toolName: "look" }, parallelToolCalls: false },
    { temperature: 1.4, topP: 0.5, tools: [look], toolChoice: "none" },
    { tools: [look], parallelToolCalls: false },
  ]);
  expect(bodies).toMatchObject([
    { temperature: 0.2, tool_choice: { type: "tool", name: "look", disable_parallel_tool_use: true } },
    { temperature: 1, tool_choice: { type: "none" } },
    { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
  ]);
  expect(bodies[1]).not.toHaveProperty("top_p");
  expect(answers.map(warned)).toEqual([
    [],
    [
      ["adjusted_setting", "temperature"],
      ["unsupported_setting", "topP"],
    ],
    [],
  ]);
  const { bodies: old } = await asked([{ temperature: 0.2, topP: 0.5 }], "claude-sonnet-4");
  expect(old[0]).toMatchObject({ temperature: 0.2, top_p: 0.5 });
  // A model that thinks by default is kept from it, so that the call can be forced.
  const { bodies: newer } = await asked([{ tools: [look], toolChoice: "required" }], "claude-opus-5");
  expect(newer[0]).toMatchObject({ thinking: { type: "disabled" }, tool_choice: { type: "any" } });
});

test("max_tokens is the model's maximum unless a lower value is requested [providers.anthropic.max-tokens]", async () => {
  const most = async (model: string, maxTokens?: number) => {
    const { bodies, answers } = await asked([{ maxTokens }], model);
    return [bodies[0]?.["max_tokens"], warned(answers[0])];
  };
  expect(await most("claude-3-haiku-20240307")).toEqual([4096, []]);
  expect(await most("claude-3-5-sonnet-20241022")).toEqual([8192, []]);
  expect(await most("claude-opus-4-1-20250805")).toEqual([32_000, []]);
  expect(await most("claude-sonnet-4-20250514")).toEqual([64_000, []]);
  expect(await most("us.anthropic.claude-haiku-4-5-20251001-v1:0")).toEqual([64_000, []]);
  expect(await most("claude-opus-4-6")).toEqual([128_000, []]);
  expect(await most("claude-opus-9")).toEqual([128_000, []]);
  expect(await most("claude-opus-4-6", 100)).toEqual([100, []]);
  expect(await most("claude-haiku-4-5", 100_000)).toEqual([64_000, [["adjusted_setting", "maxTokens"]]]);
  expect(await most("somebody-elses-model")).toEqual([8192, []]);
});

test("stop sequences, the vendor's settings and unknown ones [providers.rule.warnings]", async () => {
  const providerOptions = {
    anthropic: {
      ...anthropicOptions({ userId: "u1", serviceTier: "auto", speed: "standard" })["anthropic"],
      colour: "red",
      extraBody: { top_k: 3 },
    },
  };
  const { bodies, answers } = await asked([{ stopSequences: ["END", " "], providerOptions }]);
  expect(bodies[0]).toMatchObject({
    stop_sequences: ["END"],
    metadata: { user_id: "u1" },
    service_tier: "auto",
    speed: "standard",
    top_k: 3,
  });
  expect(warned(answers[0])).toEqual([
    ["unsupported_setting", "stopSequences"],
    ["unsupported_setting", "colour"],
  ]);
});

test("a custom name is mapped to a published model [providers.contract]", () => {
  const model = anthropic("our-deployment", {
    apiKey: "k",
    knownAs: "claude-haiku-4-5",
    capabilities: { accepts: "secret" },
  });
  expect(model.capabilities).toMatchObject({ contextWindow: 200_000, maxOutputTokens: 64_000, accepts: "secret" });
  const large = anthropic("claude-sonnet-4-5", { apiKey: "k", betas: ["context-1m-2025-08-07"] });
  expect(large.capabilities.contextWindow).toBe(1_000_000);
  expect([model.provider, model.api, model.modelId]).toEqual(["anthropic", "messages", "our-deployment"]);
});
