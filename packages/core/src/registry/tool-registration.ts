import { InvalidToolError } from "../errors/configuration-errors.ts";
import type { Tool } from "../contracts/tool.ts";
import type { ToolFlow, ToolOutputTrust } from "../contracts/tool-flow.ts";
import type {
  InboundSanitizationPolicy,
  MemoryGuardTier,
  SandboxPolicy,
  Sensitivity,
  SideEffectClass,
  ToolSource,
} from "../contracts/vocabularies.ts";
import type { SandboxConfig, TierlessSandboxConfig } from "../contracts/sandbox-config.ts";

/**
 * The operator's classification of a tool: it overrides the tool's own, and for untrusted sources it is the only one
 * for effect and trust.
 */
export interface OperatorTerms {
  /** The people who write what the tool returns, as for `tool()`; short for `output`. */
  readonly returns?: Tool["returns"];
  /** The state that a call changes, as for `tool()`; short for `sideEffectClass`. */
  readonly changes?: Tool["changes"];
  /** Arguments that decide what happens to whom, short for `flow.authority`. */
  readonly decides?: readonly string[] | undefined;
  /** Tools whose pending step a call completes, short for `flow.confirms`. */
  readonly confirms?: readonly string[] | undefined;
  /** The effect of the tool. Default: `external-stateful` for an untrusted source, else the tool's own. */
  readonly sideEffectClass?: SideEffectClass | undefined;
  /** Sensitivity of the tool's arguments and results. Default: the tool's own. */
  readonly sensitivity?: Sensitivity | undefined;
  /**
   * Arguments that decide, arguments that are content, and the people who see what the call sends. Default: the tool's
   * own, if its source is trusted.
   */
  readonly flow?: ToolFlow | undefined;
  /** Integrity of the result, and the people who may see it. Default: untrusted for an untrusted source, else the tool's own. */
  readonly output?: ToolOutputTrust | undefined;
  /** Asks a person before the call: always, or if the function returns `true`. Default: the tool's own. */
  readonly needsApproval?: Tool["needsApproval"];
  /** `true` hides the definition from the model until a tool search finds it. Default: the tool's own. */
  readonly defer_loading?: boolean | undefined;
  /** Sandbox in which the tool's code runs. Default: the tool's own, then the agent's. */
  readonly sandboxPolicy?: SandboxPolicy | SandboxConfig | TierlessSandboxConfig | undefined;
  /** Memory operations that the tool may use. Default: the tool's own. */
  readonly memoryGuardTier?: MemoryGuardTier | undefined;
  /** Cleaning of the results before the model reads them. Default: that of the tool's source. */
  readonly inboundSanitization?: InboundSanitizationPolicy | undefined;
  /** Allows `inboundSanitization` to be weaker than the default of an untrusted source. */
  readonly allowWeakerSanitization?: boolean | undefined;
  /** Allows a trusted skill to run in this process. */
  readonly allowUnsandboxed?: boolean | undefined;
}

/** Marks terms whose effect is the word of a server. */
const hinted: unique symbol = Symbol("bailiwick.hinted");

/** The terms of a tool whose server declares that it only reads, for an operator who trusts it. */
export function hintedTerms(terms: OperatorTerms | undefined): OperatorTerms {
  if (terms?.sideEffectClass !== undefined || terms?.changes !== undefined) return terms;
  const made = { ...terms, sideEffectClass: "read-only" as const, [hinted]: true };
  return made;
}

/** True if the effect is the word of the tool's server, and no entry of the operator. */
export function isHinted(terms: OperatorTerms | undefined): boolean {
  return (terms as { readonly [hinted]?: boolean } | undefined)?.[hinted] === true;
}

/** The source of a tool, and the operator's declarations about it. */
export interface ToolRegistration {
  /** Origin of the definition: your code, a skill, or a server. */
  readonly source: ToolSource;
  /** Your declarations about the tool. Without them, the defaults of the source apply. */
  readonly operator?: OperatorTerms | undefined;
  /** Set by `containedTool()`. */
  readonly contained?: true | undefined;
}

const registrationKey: unique symbol = Symbol.for("bailiwick.tool-registration");

type Registered = Tool & { readonly [registrationKey]?: ToolRegistration };

/**
 * Marks a tool with its source, so that it can be in a list with other tools. For loaders of MCP servers, skills and
 * search providers; a tool without the mark is first-party.
 *
 * @param tool - The tool as loaded; an earlier mark is replaced.
 * @param source - Source of the tool.
 * @param operator - The operator's classification.
 * @returns A frozen copy with the mark.
 * @example
 * ```ts
 * import { tool } from "@bailiwick/core";
 * import { withSource } from "@bailiwick/core/extension";
 *
 * const createIssue = tool({
 *   name: "create_issue",
 *   description: "Creates an issue.",
 *   inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
 *   execute: async () => ({ created: true }),
 * });
 *
 * export const remote = withSource(
 *   createIssue,
 *   { kind: "mcp", serverIdentity: "tracker" },
 *   { sideEffectClass: "external-stateful" },
 * );
 * ```
 */
export function withSource<T extends Tool>(tool: T, source: ToolSource, operator?: OperatorTerms): T {
  return Object.freeze({ ...tool, [registrationKey]: Object.freeze({ source, operator }) });
}

/**
 * Marks a tool as contained: its calls only change a copy that the subsystem restores before it repeats a call. They run
 * without a question, they are journaled before they run like those of a writer, and after a crash they are repeated
 * under their key. For packages that own such a copy; another `withSource()` removes the mark.
 *
 * @param tool - A `side-effecting`, sequential tool with `idempotencyKey: "call"`, without `cache` and `preview`.
 * @param subsystem - The package that owns the copy.
 * @returns A frozen copy with the mark.
 * @example
 * ```ts
 * import { tool } from "@bailiwick/core";
 * import { containedTool } from "@bailiwick/core/extension";
 *
 * declare const copy: { restore(key: string): Promise<void>; write(text: string): Promise<void> };
 *
 * export const write = containedTool(
 *   tool({
 *     name: "write_note",
 *     description: "Writes the note in the copy.",
 *     inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
 *     sideEffectClass: "side-effecting",
 *     executionMode: "sequential",
 *     idempotencyKey: "call",
 *     execute: async (input, ctx) => {
 *       await copy.restore(String(ctx.idempotencyKey));
 *       await copy.write(String((input as { readonly text?: unknown }).text));
 *     },
 *   }),
 *   "notes",
 * );
 * ```
 */
export function containedTool<T extends Tool>(tool: T, subsystem: string): T {
  const registration: ToolRegistration = { source: { kind: "built-in", subsystem }, contained: true };
  return Object.freeze({ ...tool, [registrationKey]: Object.freeze(registration) });
}

/**
 * The source of a tool as marked by `withSource()`; first-party without a mark.
 *
 * @param tool - A tool, with or without a mark.
 */
export function registrationOf(tool: Tool): ToolRegistration {
  return (tool as Registered)[registrationKey] ?? { source: { kind: "first-party" } };
}

/** The rights that only an operator grants; a tool that claims them itself is refused. */
const OPERATOR_FIELDS = ["allowWeakerSanitization", "allowUnsandboxed"] as const;

/**
 * The tool with the operator's declarations applied.
 *
 * @throws InvalidToolError if a tool claims a right that only the operator can grant.
 */
export function applyOperatorTerms(tool: Tool, operator: OperatorTerms | undefined): Tool {
  for (const field of OPERATOR_FIELDS) {
    if (tool[field] !== undefined) {
      throw new InvalidToolError(
        tool.name,
        `${field} is the operator's to give: pass it where the tool is registered (\`withSource(tool, source, { ${field}: true })\`), not in the tool.`,
      );
    }
  }
  if (operator === undefined) return tool;
  const given = Object.entries(operator).filter(([, value]) => value !== undefined);
  return { ...tool, ...Object.fromEntries(given) };
}
