import type { ReasoningConfig } from "@bailiwick/core";
import { jsonAt } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { ended } from "./answers.fixture.ts";
import { asked, look, user, warned } from "./ask.fixture.ts";
import { googleOptions } from "./index.ts";
import { replaying, whole, type Sent } from "./replay.fixture.ts";

describe("thinking", () => {
  const rows: readonly [string, ReasoningConfig, object | undefined, readonly string[]][] = [
    ["gemini-3-pro", { enabled: true, effort: "low" }, { thinkingLevel: "LOW", includeThoughts: true }, []],
    [
      "gemini-3-pro",
      { enabled: true, effort: "medium" },
      { thinkingLevel: "LOW", includeThoughts: true },
      ["adjusted_setting: reasoning.effort"],
    ],
    [
      "gemini-3.1-pro-preview",
      { enabled: true, effort: "medium" },
      { thinkingLevel: "MEDIUM", includeThoughts: true },
      [],
    ],
    [
      "gemini-3-flash-preview",
      { enabled: true, effort: "max", summary: "none" },
      { thinkingLevel: "HIGH" },
      ["adjusted_setting: reasoning.effort"],
    ],
    [
      "gemini-3-flash-preview",
      { enabled: false },
      { thinkingLevel: "MINIMAL" },
      ["adjusted_setting: reasoning.effort"],
    ],
    ["gemini-3-pro", { enabled: true, budgetTokens: 2000 }, { thinkingLevel: "LOW", includeThoughts: true }, []],
    ["gemini-3-pro", { enabled: true }, { includeThoughts: true }, []],
    [
      "gemini-3.8-flash",
      { enabled: true, effort: "minimal" },
      { thinkingLevel: "LOW", includeThoughts: true },
      ["adjusted_setting: reasoning.effort"],
    ],
    [
      "gemini-3.5-flash-lite",
      { enabled: true, effort: "minimal" },
      { thinkingLevel: "MINIMAL", includeThoughts: true },
      [],
    ],
    ["gemini-9-ultra", { enabled: true, effort: "medium" }, { thinkingLevel: "MEDIUM", includeThoughts: true }, []],
    ["gemini-2.5-flash", { enabled: true, budgetTokens: 2000 }, { thinkingBudget: 2000, includeThoughts: true }, []],
    ["gemini-2.5-flash", { enabled: true, effort: "low" }, { thinkingBudget: 2048, includeThoughts: true }, []],
    ["gemini-2.5-flash", { enabled: false }, { thinkingBudget: 0 }, []],
    [
      "gemini-2.5-flash",
      { enabled: true, budgetTokens: 99_999 },
      { thinkingBudget: 24_576, includeThoughts: true },
      ["adjusted_setting: reasoning.budgetTokens"],
    ],
    [
      "gemini-2.5-flash-lite",
      { enabled: true, budgetTokens: 100 },
      { thinkingBudget: 512, includeThoughts: true },
      ["adjusted_setting: reasoning.budgetTokens"],
    ],
    ["gemini-2.5-pro", { enabled: false }, { thinkingBudget: 128 }, ["adjusted_setting: reasoning"]],
    ["gemini-2.0-flash", { enabled: true, effort: "low" }, undefined, ["unsupported_setting: reasoning"]],
    ["gemini-2.0-flash", { enabled: false }, undefined, []],
  ];
  for (const [model, reasoning, config, warnings] of rows) {
    test(`${model} gets ${JSON.stringify(reasoning)} [providers.google.thinking] [providers.rule.warnings]`, async () => {
      const { bodies, answers } = await asked(model, [{ reasoning }]);
      expect(jsonAt(bodies[0], "generationConfig", "thinkingConfig")).toEqual(config);
      expect(warned(answers[0])).toEqual(warnings);
    });
  }
});

test("sampling and limits are sent; an unsupported setting gives a warning [providers.rule.warnings]", async () => {
  const { bodies, answers } = await asked("gemini-2.5-flash", [
    {
      temperature: 0.2,
      topP: 0.9,
      maxTokens: 500,
      stopSequences: ["a", "b", "c", "d", "e", "f"],
      parallelToolCalls: false,
      tools: [look],
      caching: false,
    },
  ]);
  expect(bodies[0]?.["generationConfig"]).toEqual({
    temperature: 0.2,
    topP: 0.9,
    maxOutputTokens: 500,
    stopSequences: ["a", "b", "c", "d", "e"],
  });
  expect(warned(answers[0]).toSorted()).toEqual([
    "unsupported_setting: caching",
    "unsupported_setting: parallelToolCalls",
    "unsupported_setting: stopSequences",
  ]);
});

test("models that refuse sampling settings get none, with a warning [providers.rule.warnings]", async () => {
  const request = { temperature: 0.2, topP: 0.9, providerOptions: googleOptions({ topK: 20, seed: 7 }) };
  for (const model of ["gemini-3.6-flash", "gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-9-ultra"]) {
    const { bodies, answers } = await asked(model, [request]);
    expect(bodies[0]?.["generationConfig"]).toEqual({ seed: 7 });
    expect(warned(answers[0]).toSorted()).toEqual(
      ["temperature", "topK", "topP"].map((name) => `unsupported_setting: ${name}`),
    );
  }
  for (const model of ["gemini-3-pro", "gemini-3.5-flash", "gemini-3.1-flash-lite", "gemini-2.5-pro"]) {
    const { bodies, answers } = await asked(model, [request]);
    expect(bodies[0]?.["generationConfig"]).toEqual({ temperature: 0.2, topP: 0.9, topK: 20, seed: 7 });
    expect(answers[0]?.warnings).toEqual([]);
  }
});

test("prefixes are cached automatically, with a warning only for models that cannot, and tools keep the caller's order [providers.rule.caching]", async () => {
  const tools = ["zeta", "alpha"].map((name) => ({ ...look, name }));
  const { bodies, answers } = await asked("gemini-2.5-flash", [
    { caching: "shared", tools },
    { caching: true, tools },
  ]);
  expect(bodies[0]).toEqual(bodies[1]);
  expect(JSON.stringify(bodies[0]?.["tools"])).toMatch(/zeta.*alpha/);
  expect(answers.flatMap(warned)).toEqual([]);
  const old = await asked("gemini-2.0-flash", [{ caching: "shared" }, { caching: false }]);
  expect(old.answers.map(warned)).toEqual([["unsupported_setting: caching"], []]);
});

test("with a given cache, settings that belong in the cache are not sent, with a warning [providers.rule.caching]", async () => {
  const sent: Sent[] = [];
  const model = replaying("gemini-2.5-flash", whole(ended("STOP", [{ text: "ok" }])), {}, sent);
  const { warnings } = await model.generate({
    messages: [{ id: "s", role: "system", content: "Help." }, user("Hi")],
    tools: [look],
    toolChoice: "required",
    providerOptions: googleOptions({ cachedContent: "cachedContents/abc" }),
  });
  expect(Object.keys(sent[0]?.body ?? {}).toSorted()).toEqual(["cachedContent", "contents"]);
  expect(warnings.map(({ subject }) => subject)).toEqual(["systemInstruction", "tools", "toolConfig"]);
});

test("vendor settings are sent in their documented place, unknown ones give a warning, and extraBody wins [providers.rule.warnings]", async () => {
  const safetySettings = [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" }] as const;
  const { bodies, answers } = await asked("gemini-2.5-flash", [
    {
      temperature: 0.5,
      providerOptions: googleOptions({
        safetySettings,
        topK: 20,
        seed: 7,
        responseModalities: ["TEXT"],
        labels: { team: "desk" },
        retrievalConfig: { languageCode: "no" },
        extraBody: { generationConfig: { temperature: 0.1, newSetting: 1 } },
      }),
    },
    { providerOptions: { google: { holograms: true }, openai: { serviceTier: "flex" } } },
  ]);
  expect(bodies[0]).toMatchObject({
    safetySettings,
    toolConfig: { retrievalConfig: { languageCode: "no" } },
    generationConfig: { topK: 20, seed: 7, responseModalities: ["TEXT"], temperature: 0.1, newSetting: 1 },
  });
  expect(answers.map(warned)).toEqual([["unsupported_setting: labels"], ["unsupported_setting: holograms"]]);
});
