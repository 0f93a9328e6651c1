/*
 * pnpm bench:planner --model openai/gpt-5.5: asks a model's planner about 60 requests in five languages, each with the
 * tool that it asks for and two that it does not. Prints how often the planner finds the right tool and its values, and
 * how often it gives a mandate for a tool of an attacker. Without --model a scripted planner answers, and the output
 * says so.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * @typedef {{ readonly name: string, readonly description: string, readonly properties: Readonly<Record<string, object>> }}
 *   BenchTool
 *
 * @typedef {{ readonly text: string, readonly tool: string, readonly args: Readonly<Record<string, unknown>> }} BenchPrompt
 *
 * @typedef {{ readonly tool: string, readonly asked: boolean, readonly args?: Readonly<Record<string, { readonly eq?: unknown }>> }}
 *   BenchMandate
 *
 * @typedef {{ readonly requests: number, readonly planned: number, readonly values: number, readonly valuesRight: number,
 *   readonly others: number, readonly falseMandates: number, readonly wrong: readonly string[] }} BenchResult
 */

/** @type {Readonly<Record<string, readonly [module: string, key: string]>>} */
const providers = {
  openai: ["@bailiwick/providers-openai", "OPENAI_API_KEY"],
  anthropic: ["@bailiwick/providers-anthropic", "ANTHROPIC_API_KEY"],
  google: ["@bailiwick/providers-google", "GEMINI_API_KEY"],
};

/** Tools that a request does not ask for, for each request. */
const otherTools = 2;

/**
 * The model that `--model` names.
 *
 * @param {string} name
 * @returns {Promise<unknown>}
 */
async function modelOf(name) {
  const [provider = "", ...rest] = name.split("/");
  const found = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (found === undefined || rest.length === 0)
    throw new Error(`--model is "${name}". Write provider/model, with ${Object.keys(providers).join(", ")}.`);
  const [module, key] = found;
  if (!process.env[key]) throw new Error(`Set ${key} to the key of a model of ${provider}.`);
  const loaded = await import(new URL(`../packages/${module.split("/")[1]}/src/index.ts`, import.meta.url).href);
  return loaded[provider](rest.join("/"));
}

/**
 * Plays the requests and counts.
 *
 * @param {{ readonly model?: unknown, readonly tools: readonly BenchTool[], readonly prompts: readonly BenchPrompt[] }} suite
 * @returns {Promise<BenchResult>}
 */
export async function benchPlanner({ model, tools, prompts }) {
  const [{ Agent, tool }, { plannerAnswer, scriptedModel }] = await Promise.all([
    import(new URL("../packages/agent/src/index.ts", import.meta.url).href),
    import(new URL("../packages/testing/src/index.ts", import.meta.url).href),
  ]);
  const made = tools.map(({ name, description, properties }) =>
    tool({
      name,
      description,
      inputSchema: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
      changes: "outside",
      idempotencyKey: "call",
      execute: () => "done",
    }),
  );
  const counts = { requests: 0, planned: 0, values: 0, valuesRight: 0, others: 0, falseMandates: 0, dropped: 0 };
  /** @type {string[]} */
  const wrong = [];
  for (const [at, { text, tool: name, args }] of prompts.entries()) {
    const own = tools.findIndex((one) => one.name === name);
    // The others are different ones for each request.
    const offered = Array.from({ length: otherTools + 1 }, (_, k) => made[(own + k * ((at % 5) + 1)) % made.length]);
    const asked = Object.entries(args).map(([path, value]) => [path, { eq: value }]);
    const planner = model ?? scriptedModel(plannerAnswer([{ tool: name, args: Object.fromEntries(asked) }]));
    const agent = new Agent({
      name: "bench",
      model: scriptedModel([]),
      tools: offered,
      flow: { planner },
      logger: quiet,
    });
    /** @type {{ readonly mandates: readonly BenchMandate[] }} */
    const { mandates } = await agent.preflight(text);
    const mine = mandates.find((mandate) => mandate.tool === name && mandate.asked);
    counts.requests += 1;
    if (mine === undefined) wrong.push(`not planned: ${name} for ${JSON.stringify(text)}`);
    else counts.planned += 1;
    for (const [path, value] of Object.entries(args)) {
      counts.values += 1;
      if (String(mine?.args?.[path]?.eq) === String(value)) counts.valuesRight += 1;
    }
    for (const other of offered.filter((one) => one.name !== name)) {
      counts.others += 1;
      if (!mandates.some((mandate) => mandate.tool === other.name && mandate.asked)) continue;
      counts.falseMandates += 1;
      wrong.push(`false mandate: ${other.name} for ${JSON.stringify(text)}`);
    }
  }
  return { ...counts, wrong };
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * The result as lines.
 *
 * @param {string} how
 * @param {BenchResult} result
 */
export function report(how, { requests, planned, values, valuesRight, others, falseMandates, wrong }) {
  return [
    `planner: ${how}`,
    `tools that the words ask for: ${planned} of ${requests} planned`,
    `values that the words fix: ${valuesRight} of ${values} right`,
    `other tools: ${falseMandates} of ${others} with a false mandate`,
    ...wrong,
  ].join("\n");
}

if (import.meta.main) {
  const { values: given } = parseArgs({ options: { model: { type: "string" } } });
  const suite = JSON.parse(readFileSync(new URL("../bench/planner/prompts.json", import.meta.url), "utf8"));
  const model = given.model === undefined ? undefined : await modelOf(given.model);
  const how = given.model ?? "a scripted model, which knows the answers: give --model provider/model and a key";
  console.log(report(how, await benchPlanner({ model, ...suite })));
}
