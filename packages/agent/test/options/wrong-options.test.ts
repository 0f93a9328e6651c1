import { memoryStore, tool, type RunOptions } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** An agent with options as a program without types may pass them. */
const agentWith = (options: object): Agent =>
  new Agent({ name: "a", model: scriptedModel(["Hello."]), logger: quiet, ...options });

const values: readonly (readonly [object, RegExp])[] = [
  [{ outputGuardrails: "hol" }, /outputGuardrails must be one of "hold", "after" \(it is "hol"\)/u],
  [{ concurrentRuns: "wait" }, /concurrentRuns must be one of "queue", "refuse"/u],
  [{ onUnknownOutcome: "tell" }, /onUnknownOutcome must be one of "suspend", "tell-model"/u],
  [{ collisions: "rename" }, /collisions must be one of/u],
  [{ toolUseBehavior: "stop" }, /toolUseBehavior must be "run_llm_again"/u],
  [{ temperature: "1" }, /temperature must be a number/u],
  [{ temperature: Number.NaN }, /temperature must be a number of at least 0 \(it is NaN\)/u],
  [{ topP: 1.1 }, /topP must be a number from 0 to 1 \(it is 1\.1\)/u],
  [{ maxTokens: -1 }, /maxTokens must be a whole number of tokens, 1 or more \(it is -1\)/u],
  [{ stopSequences: "END" }, /stopSequences must be an array/u],
  [{ deadlineAt: "tomorrow" }, /deadlineAt must be a number of milliseconds since the epoch/u],
  [{ detached: "yes" }, /detached must be true or false/u],
  [{ stopWhen: 3 }, /stopWhen must be a condition such as stepCountIs\(5\)/u],
  [{ instructions: 3 }, /instructions must be a text or a function/u],
  [{ description: 3 }, /description must be a text/u],
  [{ reasoning: { enabled: true, effort: "huge" } }, /: reasoning\.effort must be one of/u],
  [{ prices: { "a/b": { inputs: 1 } } }, /: prices\["a\/b"\] has no "inputs" \(did you mean "input"\?\)/u],
  [{ prices: { "a/b": { input: 1 } } }, /: prices\["a\/b"\] needs input and output/u],
  [{ store: {} }, /store must be a store, such as memoryStore\(\)/u],
  [{ session: memoryStore() }, /session must be a session store, such as store\.sessions/u],
  [{ eventBus: {} }, /eventBus must be an event bus, made by eventBus\(\)/u],
  [{ logger: {} }, /logger must be a logger; what was given has no debug\(\)/u],
  [{ secrets: {} }, /secrets must be a source of secrets/u],
  [{ clock: {} }, /clock must be a clock/u],
  [{ model: "a/b", models: {} }, /models must be a registry, made by modelRegistry\(\)/u],
  [{ tools: "x" }, /tools must be an array, such as \[tool\(\{ name, … \}\)\], or a function/u],
  [{ fallback: "a/b" }, /fallback must be an array/u],
  [{ keys: { sign: 3 } }, /: keys\.sign must be bytes or a text/u],
];

test("options of other libraries are refused with the right name", async () => {
  const nameless = { description: "Looks.", inputSchema: z.object({}), execute: () => "x" };
  expect(() => tool(nameless as never)).toThrow("name must be 1 to 128");
  expect(() => agentWith({ tools: { look: nameless } })).toThrow("such as [tool({ name, … })]");
  const agent = new Agent({ name: "a", model: scriptedModel(["Hi."]) });
  expect(() => tool({ ...nameless, name: "look", description: undefined } as never)).toThrow(
    "description must be a text for the model",
  );
  const fields = { ...nameless, name: "look", inputSchema: { city: z.string() } };
  expect(() => agentWith({ tools: [tool(fields as never)] })).toThrow("Standard Schema, such as z.object({ … })");
  expect(() => agentWith({ output: { city: z.string() } })).toThrow("Standard Schema, such as z.object({ … })");
  expect(() => agentWith({ model: { doGenerate: () => "x" } })).toThrow("aiSdk() of @bailiwick/providers-ai-sdk");
  const prompt = { prompt: "Hi" } as unknown as string;
  await expect(agent.run(prompt)).rejects.toThrow('not an object with prompt. Write run("text", options).');
  const onFinish = { onFinish: () => undefined } as object;
  await expect(agent.run("Hi", onFinish)).rejects.toThrow('Did you mean "onComplete"?');
});

test.each(values)("an agent option of the wrong type, %j, is refused at construction", (options, message) => {
  expect(() => agentWith(options)).toThrow(message);
  expect(() => agentWith(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }) as Error);
});

const names: readonly (readonly [object, RegExp])[] = [
  [{ flow: { mod: "enforce" } }, /"flow\.mod" of an agent is not known; .*Did you mean "mode"/u],
  [{ sandbox: { teir: "os" } }, /"sandbox\.teir" of an agent is not known; .*Did you mean "tier"/u],
  [{ modelTiers: { quick: "a/b" } }, /"modelTiers\.quick" of an agent is not known; modelTiers has fast/u],
  [{ schema: {} }, /"schema" is not an option of an agent\. Did you mean "output"/u],
  [{ onStepFinish: () => 1 }, /"onStepFinish" is not an option of an agent\. Did you mean "loopHooks"/u],
  [{ id: "a" }, /"id" is not an option of an agent\. Did you mean "name"/u],
  [{ deps: {} }, /"deps" is not an option of an agent\. Did you mean "dependencies"/u],
];

test.each(names)("an unknown name inside an option, %j, is refused", (options, message) => {
  expect(() => agentWith(options)).toThrow(message);
});

test("settings for a misspelt vendor are refused; settings for another model's vendor are not", () => {
  const anthropic = scriptedModel([], { provider: "anthropic" });
  const openai = scriptedModel([], { provider: "openai" });
  expect(() => agentWith({ model: openai, providerOptions: { openia: { store: true } } })).toThrow(
    `"providerOptions.openia" matches no vendor of the agent's models. Did you mean "openai"?`,
  );
  const providerOptions = { openai: {}, anthropic: {}, google: {} };
  expect(() => agentWith({ model: openai, fallback: [anthropic], providerOptions })).not.toThrow();
  expect(() => agentWith({ model: openai, modelTiers: { fast: anthropic }, providerOptions })).not.toThrow();
});

test.each([
  // An empty id counts as a missing one: otherwise, runs of strangers would share it.
  [{ sessionId: "" }, /sessionId must be a text, not empty/u],
  [{ tenantId: "" }, /tenantId must be a text, not empty/u],
  [{ userId: "" }, /userId must be a text, not empty/u],
  [{ idempotencyKey: "" }, /idempotencyKey must be a text, not empty/u],
  [{ apiKey: "" }, /apiKey must be a text, not empty/u],
  [{ metadata: "x" }, /metadata must be an object/u],
  [{ signal: {} }, /signal must be an AbortSignal/u],
  [{ onComplete: 3 }, /onComplete must be a function/u],
  [{ verbose: "yes" }, /verbose must be true or false/u],
  [{ grants: [{}] }, /: grants\[0\] needs tool and args/u],
  [{ grants: [{ tool: "pay", args: { sum: { maxx: 5 } } }] }, /: grants\[0\]\.args\.sum has one of eq, oneOf/u],
  ["fast", /Write run\(input, \{ sessionId \}\)/u],
] as const)("a run's option of another kind, %j, is refused before anything is asked", async (options, message) => {
  const model = scriptedModel(["Hello."]);
  const error = await failureOf(
    new Agent({ name: "a", model, logger: quiet }).run("go", options as unknown as RunOptions),
  );
  expect(error).toMatchObject({ code: "INVALID_OPTION" });
  expect((error as Error).message).toMatch(message);
  expect(model.requests).toEqual([]);
});

test("every entry point refuses a null in place of options, and a run refuses a source of ids that has no next()", async () => {
  const agent = agentWith({});
  const wrong = null as never;
  const calls: readonly (() => unknown)[] = [
    () => new Agent(wrong),
    () => agent.run("go", wrong),
    () => agent.stream("go", wrong).result,
    () => agent.resume("run", [], wrong),
    () => agent.resumeStream("run", [], wrong).result,
    () => agent.fork("run", wrong),
    () => agent.enqueue("go", wrong),
    () => agent.run("go", { ids: {} as never }),
    () => agent.run("go", { ids: null as never }),
    () => agent.stream("go", { ids: {} as never }).result,
  ];
  for (const call of calls)
    expect(await failureOf(Promise.resolve().then(call)), String(call)).toMatchObject({ code: "INVALID_OPTION" });
});

test("topP, stopSequences and parallelToolCalls reach the model; the run's values win [options.sampling]", async () => {
  const model = scriptedModel(["Hello.", "Hello."]);
  const agent = agentWith({ model, topP: 0.5, stopSequences: ["END"], parallelToolCalls: false });
  await agent.run("go");
  await agent.run("go", { topP: 0.9 });
  expect(model.requests).toMatchObject([
    { topP: 0.5, stopSequences: ["END"], parallelToolCalls: false },
    { topP: 0.9, stopSequences: ["END"], parallelToolCalls: false },
  ]);
});

test("a tool field in another framework's form is refused with the right form, before missing fields are reported", () => {
  const fields = { name: "t", description: "A tool.", execute: () => 1, inputSchema: z.object({}) };
  const made = (more: object): unknown => agentWith({ tools: [tool({ ...fields, ...more })] });
  expect(() => made({ inputSchema: undefined, parameters: z.object({}) })).toThrow(
    `there is no field "parameters" (did you mean "inputSchema"?).`,
  );
  expect(() => made({ requiresApproval: true })).toThrow(
    `there is no field "requiresApproval" (did you mean "needsApproval"?).`,
  );
  const server = { name: "files", source: "mcp:files", listTools: () => [] };
  expect(() => agentWith({ tools: [server] })).toThrow(
    'Tool "files": this is a server of tools, not a tool. Pass it to the agent in `mcp`.',
  );
});
