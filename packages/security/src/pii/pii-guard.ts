import { ConfigurationError, checkArgument } from "@bailiwick/core";
import type {
  ContentPart,
  GuardrailResult,
  Guardrails,
  InputGuardrail,
  OutputGuardrail,
  RunContext,
  ToolInputGuardrail,
  ToolOutputGuardrail,
} from "@bailiwick/core";

import { piiKinds, type PiiKind } from "./detectors.ts";
import { findPii, replacePii, type PiiFinding } from "./find-pii.ts";
import { restoreDeep, restoreTokens, tokenFor } from "./pii-tokens.ts";

/** Action of a guard on personal data. */
export type PiiAction = "block" | "redact" | "tokenize";

/** Kinds of data that a guard searches for, and its action. */
export interface PiiGuardOptions {
  /** Default: all kinds. */
  readonly kinds?: readonly PiiKind[] | undefined;
  /** Treatment of personal data that is found. */
  readonly action: PiiAction;
  /**
   * With `tokenize`: whether the answer is shown with its values. The session then holds them, and the next run sends
   * them to the model. Default `false`.
   */
  readonly restoreAnswer?: boolean | undefined;
}

/** Guardrails for an agent's `guardrails`, each list also usable alone. */
export interface PiiGuard extends Guardrails {
  readonly input: readonly [InputGuardrail];
  readonly output: readonly [OutputGuardrail];
  readonly toolInput: readonly ToolInputGuardrail[];
  readonly toolOutput: readonly [ToolOutputGuardrail];
  /**
   * With `tokenize`: a text with its tokens replaced by their values. Not enumerable.
   *
   * @param text - A text with tokens.
   * @param ctx - A run's context, whose session has the values.
   */
  restore(text: string, ctx: Pick<RunContext, "getState">): string;
}

type Content = string | readonly ContentPart[];

const names: Readonly<Record<PiiKind, string>> = {
  email: "an email address",
  phone: "a phone number",
  iban: "a bank account number",
  "credit-card": "a card number",
  "ip-address": "an IP address",
  "us-ssn": "a social security number",
};

/**
 * Keeps personal data that is found by its form from the model and from the answer.
 *
 * `block` refuses input, answers and tool results that contain personal data. `redact` replaces it for good.
 * `tokenize` gives the model a token instead; tools are called with the token's value. Tokens are stored in the
 * session's state, so they work in any process that continues the run. Text is scanned, files and images are not.
 *
 * @param options - Kinds of data, and the action.
 * @throws ConfigurationError `INVALID_OPTION` for an unknown kind or action, and for `restoreAnswer` without `tokenize`.
 * @example
 * ```ts
 * import { piiGuard } from "@bailiwick/security";
 *
 * export const guardrails = piiGuard({ kinds: ["email", "iban", "credit-card"], action: "tokenize" });
 * ```
 */
export function piiGuard(options: PiiGuardOptions): PiiGuard {
  checkArgument(options, "object", "piiGuard({ action, kinds })");
  const { action, restoreAnswer = false } = options;
  const kinds = checkedKinds(options);
  const name = `pii-${action}`;
  const treat = (text: string, ctx: RunContext): string =>
    replacePii(text, kinds, (finding) => replacement(action, finding, ctx));
  const judge = <Value extends Content>(content: Value, change: (text: string) => string): GuardrailResult<Content> => {
    if (action === "block") return blockedBy(textsOf(content).flatMap((text) => findPii(text, kinds)));
    const changed = mapContent(content, change);
    return changed === content ? { pass: true } : { pass: true, replace: changed };
  };
  const answer = (text: string, ctx: RunContext): GuardrailResult<string> =>
    judge(text, (given) => (restoreAnswer ? restoreTokens(given, ctx) : treat(given, ctx))) as GuardrailResult<string>;

  const lists: Omit<PiiGuard, "restore"> = {
    input: [{ name, validate: (input, ctx) => judge(input, (text) => treat(text, ctx)) }],
    output: [
      {
        name,
        validate: ({ text }, ctx) => answer(text, ctx),
        // With `block` the guard never changes text, so text may be released while it streams.
        ...(action === "block" && { validateChunk: answer }),
      },
    ],
    toolInput:
      action === "tokenize"
        ? [{ name, validate: ({ input }, ctx) => changedInput(input, restoreDeep(input, ctx)) }]
        : [],
    toolOutput: [{ name, validate: ({ content }, ctx) => judge(content, (text) => treat(text, ctx)) }],
  };
  // Not enumerable, so that an agent that spreads the guard gets only guardrails.
  return Object.defineProperty(lists, "restore", { value: restoreTokens }) as PiiGuard;
}

function checkedKinds({ kinds, action, restoreAnswer }: PiiGuardOptions): ReadonlySet<PiiKind> {
  const refuse = (message: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `piiGuard: ${message}`);
  };
  if (!["block", "redact", "tokenize"].includes(action))
    refuse(`action must be "block", "redact" or "tokenize", not ${JSON.stringify(action)}.`);
  if (restoreAnswer === true && action !== "tokenize")
    refuse(`restoreAnswer needs the action "tokenize": with "${action}" there is nothing to restore.`);
  const unknown = kinds?.find((kind) => !piiKinds.includes(kind));
  if (unknown !== undefined)
    refuse(`there is no kind ${JSON.stringify(unknown)}. The kinds are ${piiKinds.join(", ")}.`);
  if (kinds?.length === 0) refuse("kinds is empty, so nothing would be found. Leave it out for all kinds.");
  return new Set(kinds ?? piiKinds);
}

function replacement(action: PiiAction, finding: PiiFinding, ctx: RunContext): string {
  return action === "tokenize" ? tokenFor(finding, ctx) : `[${finding.kind} removed]`;
}

/** The reason names kinds, never values: it reaches logs and people. */
function blockedBy(findings: readonly PiiFinding[]): GuardrailResult<never> {
  const found = [...new Set(findings.map(({ kind }) => names[kind]))];
  return found.length === 0 ? { pass: true } : { pass: false, reason: `it holds ${found.join(", ")}` };
}

function changedInput(before: unknown, after: unknown): GuardrailResult {
  return before === after ? { pass: true } : { pass: true, replace: after };
}

function textsOf(content: Content): readonly string[] {
  return typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

function mapContent<Value extends Content>(content: Value, change: (text: string) => string): Content {
  if (typeof content === "string") return change(content);
  const parts = content.map((part) => {
    if (part.type !== "text") return part;
    const text = change(part.text);
    return text === part.text ? part : { ...part, text };
  });
  return parts.some((part, index) => part !== content[index]) ? parts : content;
}
