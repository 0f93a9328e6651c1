// The resolved tool of Graphorin: a frozen record in which every default is filled in.
import { Agent, tool } from "@bailiwick/agent";
import { resolveTool, type ResolvedTool } from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { row, rows } from "./row.ts";

const ports = { hasher: defaultHasher() };
const looking = {
  name: "look_up",
  description: "Looks up an order.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "read-only",
} as const;
const least = tool({ ...looking, execute: ({ id }) => ({ id, total: 3 }) });
const full = tool({
  name: "refund",
  description: "Refunds an order.",
  inputSchema: z.object({ id: z.string(), amount: z.number() }),
  outputSchema: z.object({ refunded: z.number() }),
  sideEffectClass: "external-stateful",
  needsApproval: ({ amount }) => amount > 100,
  idempotencyKey: ({ id }) => `refund-${id}`,
  examples: [{ input: { id: "7", amount: 3 }, output: { refunded: 3 } }],
  executionMode: "sequential",
  tags: ["orders", "money"],
  preferredModel: "smart",
  streamingHint: true,
  truncationStrategy: "tail",
  execute: ({ amount }) => ({ refunded: amount }),
});
const defaults: ResolvedTool = resolveTool(least, undefined, { ports });
const given: ResolvedTool = resolveTool(full, undefined, { ports });

// Fields that the author sets.
row("ResolvedTool.name", given.name, "refund");
row("ResolvedTool.description", given.description, "Refunds an order.");
row("ResolvedTool.execute", given.execute);
row("ResolvedTool.inputSchema", given.__inputJsonSchema);
row("ResolvedTool.outputSchema", given.__outputJsonSchema);
row("ResolvedTool.sideEffectClass", given.sideEffectClass, "external-stateful");
row("ResolvedTool.idempotencyKey", given.idempotencyKey);
row("ResolvedTool.preferredModel", given.preferredModel, "smart");
row("ResolvedTool.streamingHint", given.streamingHint, true);
row("ResolvedTool.truncationStrategy", given.truncationStrategy, "tail");
row("ResolvedTool.examples", given.examples?.length, 1);
row("ResolvedTool.tags", given.tags, ["orders", "money"]);

// Defaults of a tool that says nothing.
row("ResolvedTool.defer_loading", defaults.defer_loading, false);
row("ResolvedTool.examplesEagerlyRendered", defaults.examplesEagerlyRendered, true);
row("ResolvedTool.executionMode", defaults.executionMode, "parallel");
row("ResolvedTool.failClosed", defaults.failClosed, false);
row("ResolvedTool.inboundSanitization", defaults.inboundSanitization);
row("ResolvedTool.maxResultTokens", defaults.maxResultTokens, 16_384);
row("ResolvedTool.memoryGuardTier", defaults.memoryGuardTier);
row("ResolvedTool.needsApproval", defaults.needsApproval, false);
row("ResolvedTool.sandboxPolicy", defaults.sandboxPolicy, "none");
row("ResolvedTool.secretsAllowed", defaults.secretsAllowed, []);
row("ResolvedTool.sensitivity", defaults.sensitivity, "internal");

// Fields that follow from the author's and the defaults.
rows("ResolvedTool", {
  __effectiveDeferLoading: given.__effectiveDeferLoading,
  __exampleCount: given.__exampleCount,
  __hasIdempotencyKey: given.__hasIdempotencyKey,
  __preferredModel: given.__preferredModel,
  __sideEffectClass: given.__sideEffectClass,
  __source: given.__source,
  __streamingHint: given.__streamingHint,
  __trustClass: given.__trustClass,
});
row("the record is frozen", Object.isFrozen(given), true);
row("the model reads tags", given.__advertisedDescription.includes("Tags: orders, money"), true);
row("the model reads examples", given.__advertisedDescription.includes('input: {"id":"7","amount":3}'), true);

// `defer_loading`: `tool_search` finds the tool, and the model may call it then.
const model = scriptedModel([
  { toolCalls: [{ name: "tool_search", arguments: { query: "look up an order" } }] },
  { toolCalls: [{ name: "look_up", arguments: { id: "7" } }] },
  "The total is 3.",
]);
const searching = new Agent({
  name: "desk",
  model,
  tools: [tool({ ...looking, defer_loading: true, execute: ({ id }) => ({ id, total: 3 }) })],
});
const { toolCalls } = await searching.run("What is the total of order 7?");
row(
  "tool_search finds a deferred tool",
  toolCalls.map(({ toolName }) => toolName as string),
  ["tool_search", "look_up"],
);
