import type { JsonSchema } from "../contracts/json.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { Tool } from "../contracts/tool.ts";
import type { ToolSource } from "../contracts/vocabularies.ts";
import { defaultHasher } from "../journal/default-ports.ts";
import { factsOf, type ResolveOptions, type ToolFacts } from "./tool-facts.ts";
import { registrationOf } from "./tool-registration.ts";
import { isGated, isWriter } from "./validate-rules.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Checks one tool and fills in every default, outside a registry.
 *
 * @param tool - The tool.
 * @param source - Source of the tool; default: as marked by `withSource()`, else first-party.
 * @param options - The ports that the tool may need, and the operator's classification. Default ports: the portable
 *   hasher alone, so a tool that needs secrets or a sandbox is refused.
 * @returns The frozen record. The registry awaits asynchronous checks of schemas and sandboxes.
 * @throws InvalidToolError if a field is wrong, contradicts another, or needs something that is missing.
 * @throws InvalidExampleError if an example does not match the schemas.
 * @throws SchemaNotConvertibleError if the input schema has no JSON Schema.
 * @example
 * ```ts
 * import { resolveTool, tool } from "@bailiwick/core";
 * import { z } from "zod";
 *
 * const add = tool({
 *   name: "add",
 *   description: "Adds two numbers.",
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   sideEffectClass: "pure",
 *   execute: ({ a, b }) => a + b,
 * });
 *
 * console.log(resolveTool(add).__isWriter); // false
 * ```
 */
export function resolveTool(tool: Tool, source?: ToolSource, options: Partial<ResolveOptions> = {}): ResolvedTool {
  const marked = registrationOf(tool);
  const operator = options.operator ?? marked.operator;
  const facts = factsOf(tool, source ?? marked.source, { ports: { hasher: defaultHasher() }, ...options, operator });
  return recordOf(facts, tool.name);
}

/**
 * The record of a tool under the name that it has in a registry.
 *
 * @param execute - Replaces `execute`, for built-in tools that are bound to a run.
 */
export function recordOf(facts: ToolFacts, name: string, execute: Tool["execute"] = facts.tool.execute): ResolvedTool {
  const { tool, defaults } = facts;
  const deferred = tool.defer_loading ?? false;
  const eager = tool.examplesEagerlyRendered ?? !deferred;
  const description = describe(tool, eager ? facts.examples : undefined);
  const changes = isWriter(facts.sideEffectClass);
  const writer = isGated(facts.sideEffectClass, facts.contained);
  const { examples: _all, "~tool": _types, ...given } = tool;
  return Object.freeze({
    ...given,
    name,
    execute,
    sandboxPolicy: facts.sandbox.tier,
    sandboxConfig: facts.sandbox,
    executionMode: tool.executionMode ?? "parallel",
    timeoutMs: tool.timeoutMs ?? (tool.composition === undefined ? undefined : 0),
    // Memory refuses such a tool unless a person has approved this call.
    needsApproval: tool.needsApproval ?? tool.memoryGuardTier === "approve",
    isEnabled: tool.isEnabled ?? true,
    secretsAllowed: tool.secretsAllowed ?? [],
    tags: tool.tags ?? [],
    sensitivity: tool.sensitivity ?? "internal",
    output: facts.outputTrust,
    memoryGuardTier: tool.memoryGuardTier ?? defaults.memoryGuardTier,
    inboundSanitization: facts.inboundSanitization,
    __sanitizationDeclared: facts.sanitizationDeclared,
    failClosed: tool.failClosed ?? false,
    defer_loading: deferred,
    examplesEagerlyRendered: eager,
    maxResultTokens: tool.maxResultTokens ?? 16_384,
    truncationStrategy: tool.truncationStrategy,
    sideEffectClass: facts.sideEffectClass,
    ...repetitionOf(tool),
    ...(facts.examples === undefined ? undefined : { examples: facts.examples }),
    get __resultLimitDeclared() {
      return tool.maxResultTokens !== undefined;
    },
    get __advertisedDescription() {
      return description;
    },
    get __source() {
      return facts.source;
    },
    get __trustClass() {
      return defaults.trustClass;
    },
    get __effectiveDeferLoading() {
      return deferred;
    },
    get __sideEffectClass() {
      return facts.sideEffectClass;
    },
    get __effectDeclared() {
      return facts.effectDeclared;
    },
    get __effectHinted() {
      return facts.effectHinted;
    },
    get __outputDeclared() {
      return facts.outputDeclared;
    },
    get __textIsContent() {
      return facts.textIsContent;
    },
    get __isWriter() {
      return writer;
    },
    get __isJournaledFirst() {
      return changes;
    },
    get __isContained() {
      return facts.contained;
    },
    get __hasIdempotencyKey() {
      return tool.idempotencyKey !== undefined;
    },
    get __streamingHint() {
      return tool.streamingHint === true;
    },
    get __exampleCount() {
      return facts.examples?.length ?? 0;
    },
    get __preferredModel() {
      return tool.preferredModel;
    },
    get __inputJsonSchema(): JsonSchema {
      return facts.input.jsonSchema;
    },
    get __outputJsonSchema(): JsonSchema | undefined {
      return facts.output?.jsonSchema;
    },
    get __definitionHash() {
      return facts.definitionHash();
    },
    get __sandbox() {
      return facts.sandboxed();
    },
    get __validateInput() {
      return facts.input.validate;
    },
    get __validateOutput() {
      return facts.output?.validate;
    },
  });
}

/** The fields that decide when a repeated call gets the earlier result. */
function repetitionOf(tool: Tool): Pick<ResolvedTool, "idempotencyScope" | "idempotencyTtlMs" | "cache"> {
  return {
    idempotencyScope: tool.idempotencyScope ?? (tool.idempotencyKey === "call" ? "run" : "tenant"),
    idempotencyTtlMs: tool.idempotencyTtlMs ?? DAY_MS,
    ...(tool.cache === undefined ? undefined : { cache: { ...tool.cache, scope: tool.cache.scope ?? "user" } }),
  };
}

/** The description, with tags and worked examples below it. */
function describe({ description, tags = [] }: Tool, examples: ToolFacts["examples"] = []): string {
  const parts = examples.map(({ input, output, comment }) => {
    const head = comment === undefined ? "" : `${comment}\n`;
    const tail = output === undefined ? "" : `\noutput: ${JSON.stringify(output)}`;
    return `${head}input: ${JSON.stringify(input)}${tail}`;
  });
  if (parts.length > 0) parts.unshift("Examples:");
  if (tags.length > 0) parts.unshift(`Tags: ${tags.join(", ")}`);
  return [description, ...parts].join("\n\n");
}
