import type { Warning } from "../contracts/model-response.ts";
import type { Tool } from "../contracts/tool.ts";
import type { SideEffectClass } from "../contracts/vocabularies.ts";
import type { SourceDefaults } from "./source-defaults.ts";
import type { OperatorTerms } from "./tool-registration.ts";

/** Fields that an untrusted source may not declare for itself: its effects, its trust, its readers. */
const OPERATOR_WORDS = ["sideEffectClass", "flow", "output"] as const;

/**
 * Removes the claims of an untrusted tool that only its operator can make.
 *
 * @returns The tool without the claims, and the names of the ignored fields.
 */
export function ownWords(
  tool: Tool,
  defaults: SourceDefaults,
  operator: OperatorTerms | undefined,
): { readonly tool: Tool; readonly ignored: readonly string[] } {
  if (!defaults.operatorOnly) return { tool, ignored: [] };
  const ignored: string[] = OPERATOR_WORDS.filter(
    (field) => tool[field] !== undefined && operator?.[field] === undefined,
  );
  if (tool.sensitivity === "public" && operator?.sensitivity === undefined) ignored.push("sensitivity");
  if (tool.memoryGuardTier === "labelled" && operator?.memoryGuardTier === undefined) ignored.push("memoryGuardTier");
  if (ignored.length === 0) return { tool, ignored };
  return { tool: { ...tool, ...Object.fromEntries(ignored.map((field) => [field, undefined])) }, ignored };
}

/** Warnings about an accepted tool. */
export function warningsOf(
  tool: Tool,
  facts: {
    readonly sideEffectClass: SideEffectClass;
    readonly effectDeclared: boolean;
    /** True for a tool of a server, which only its operator can classify. */
    readonly served: boolean;
    readonly writer: boolean;
    readonly ignored: readonly string[];
    readonly notes: readonly string[];
    readonly maxExamples: number;
    readonly sanitised: boolean;
  },
): readonly Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string): void => {
    warnings.push({ code, message: `Tool "${tool.name}": ${message}`, subject: tool.name });
  };
  // The client runs its tools: our process cannot stop halfway through one. A tool of a server takes no key.
  const takesKey = tool.composition === undefined && tool.runsOn === undefined && !facts.served;
  if (facts.effectDeclared && facts.writer && tool.idempotencyKey === undefined && takesKey) {
    warn(
      "no_idempotency_key",
      `it is "${facts.sideEffectClass}" without an idempotencyKey: after a crash or a time-out a person has to say if a call happened. Add idempotencyKey: "call", or a function of the input, and give ctx.idempotencyKey to the service.`,
    );
  }
  if (tool.maxResultTokens === 0) {
    warn("no_result_limit", "maxResultTokens is 0, so one large result can fill the model's context.");
  }
  if (tool.examples !== undefined && tool.examples.length > facts.maxExamples) {
    warn("too_many_examples", `it has ${tool.examples.length} examples; the first ${facts.maxExamples} are kept.`);
  }
  for (const field of facts.ignored) {
    warn(
      "operator_only",
      `it cannot declare ${field} itself, so that is ignored. The operator can declare it where the tool is registered.`,
    );
  }
  if (facts.sanitised) {
    warn(
      "description_sanitised",
      "its description had invisible characters or chat-template tokens, which were removed. Check the source.",
    );
  }
  for (const note of facts.notes) warn("schema_not_checked", note);
  return warnings;
}
