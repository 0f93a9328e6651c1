import type { Tool, ToolExample } from "../contracts/tool.ts";
import type { InboundSanitizationPolicy, SideEffectClass, ToolSource } from "../contracts/vocabularies.ts";
import { InvalidToolError, SealKeyMissingError, InvalidExampleError } from "../errors/configuration-errors.ts";
import type { OperatorTerms } from "./tool-registration.ts";
import type { RegistryPorts } from "./registry-ports.ts";
import { describeSource, type SourceDefaults } from "./source-defaults.ts";
import type { Validation } from "../contracts/resolved-tool.ts";
import type { Validate } from "../tools/compiled-schema.ts";
import type { JsonSchema } from "../contracts/json.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import { parsePath } from "../tools/paths.ts";
import { schemaHasPath } from "../tools/schema-paths.ts";

/** Facts that the rules check. */
export interface RuleContext {
  readonly source: ToolSource;
  readonly defaults: SourceDefaults;
  readonly operator: OperatorTerms | undefined;
  readonly ports: RegistryPorts;
  /** Declared, by source or assumed. */
  readonly sideEffectClass: SideEffectClass;
  readonly effectDeclared: boolean;
  /** Marked by `containedTool()`. */
  readonly contained: boolean;
}

/** Strength of a policy; stripping and wrapping are each stronger than flagging. */
const SANITIZATION: Readonly<Record<InboundSanitizationPolicy, readonly string[]>> = {
  "pass-through": [],
  "detect-and-flag": ["flag"],
  "detect-and-strip": ["flag", "strip"],
  "detect-and-wrap": ["flag", "wrap"],
  "detect-and-strip-and-wrap": ["flag", "strip", "wrap"],
};

/** True if a class changes something. */
export function isWriter(sideEffectClass: SideEffectClass): boolean {
  return sideEffectClass === "side-effecting" || sideEffectClass === "external-stateful";
}

/** True for a tool whose calls are gated as those of a writer. */
export function isGated(sideEffectClass: SideEffectClass, contained: boolean): boolean {
  return isWriter(sideEffectClass) && !contained;
}

/** True if `policy` does at least what `least` does. */
function sanitizesAsMuch(policy: InboundSanitizationPolicy, least: InboundSanitizationPolicy): boolean {
  return SANITIZATION[least].every((step) => SANITIZATION[policy].includes(step));
}

/**
 * Checks the fields of a tool against each other, and that everything they need is available.
 *
 * @throws InvalidToolError that names the contradictory fields, or the missing part and how to supply it.
 * @throws UnknownSecretError if no source declares a name in `secretsAllowed`.
 */
export function validateRules(tool: Tool, context: RuleContext): void {
  const fail = (message: string): never => {
    throw new InvalidToolError(tool.name, message);
  };
  if (context.operator?.allowUnsandboxed === true && context.defaults.trustClass !== "skill-trusted") {
    fail(`allowUnsandboxed is for trusted skills, and it comes from ${describeSource(context.source)}.`);
  }
  checkContained(tool, context, fail);
  checkWriterRules(tool, context, fail);
  checkIdempotency(tool, context, fail);
  checkCodeOfOthers(tool, context, fail);
  checkSanitization(tool, context, fail);
  if (tool.flow?.undeclared !== undefined && context.effectDeclared) {
    fail("flow.undeclared is for tools that do not say what they change; this one does. Leave it out.");
  }
  if (tool.memoryGuardTier !== undefined && tool.memoryGuardTier !== "frozen" && context.ports.hasMemory !== true) {
    fail(`memoryGuardTier "${tool.memoryGuardTier}" needs a memory, and this agent has none. Give Agent({ memory }).`);
  }
  if ((context.operator?.sensitivity ?? tool.sensitivity) === "secret" && context.ports.canSeal === false)
    throw new SealKeyMissingError(
      `Tool "${tool.name}" has sensitivity "secret", and its results could be read in the journal: there is no key to seal them with. Give Agent({ keys: { seal } }).`,
      { toolName: tool.name },
    );
  const { secretsAllowed } = tool;
  if (secretsAllowed !== undefined && secretsAllowed.length > 0) {
    if (context.ports.secrets === undefined) {
      fail("secretsAllowed names secrets, and this agent has no source of secrets. Give Agent({ secrets: env() }).");
    }
    context.ports.secrets?.check(tool.name, secretsAllowed);
  }
}

type Fail = (message: string) => never;

function checkWriterRules(tool: Tool, { sideEffectClass, effectDeclared, source }: RuleContext, fail: Fail): void {
  if (!isWriter(sideEffectClass)) {
    if (tool.preview !== undefined)
      fail(`preview shows what a call would change, and this tool changes nothing. Leave it out.`);
    return;
  }
  const why = effectDeclared
    ? `it is "${sideEffectClass}"${tool.sideEffectClass === undefined ? ` as a tool of ${describeSource(source)}` : ""}`
    : `without sideEffectClass it counts as "${sideEffectClass}"; declare "pure" or "read-only" if it changes nothing`;
  if (tool.cache !== undefined) fail(`cache is only for tools that change nothing, and ${why}.`);
  if (tool.retry !== undefined && tool.idempotencyKey === undefined) {
    fail(`retry could repeat its effect: ${why}. Give idempotencyKey, or leave retry out.`);
  }
}

/** The rules under which a call may be repeated from its snapshot without a question. */
function checkContained(tool: Tool, { contained, sideEffectClass }: RuleContext, fail: Fail): void {
  if (!contained) return;
  const wrong =
    (sideEffectClass !== "side-effecting" && `sideEffectClass "side-effecting"`) ||
    (tool.executionMode !== "sequential" && `executionMode "sequential"`) ||
    (tool.idempotencyKey !== "call" && `idempotencyKey "call"`) ||
    (typeof tool.execute !== "function" && "execute as a function");
  if (wrong !== false) fail(`a contained tool needs ${wrong}.`);
  for (const field of ["cache", "preview", "lookup"] as const)
    if (tool[field] !== undefined) fail(`${field} is not for a contained tool, which only changes a copy.`);
}

function checkIdempotency(tool: Tool, { ports }: RuleContext, fail: Fail): void {
  if (tool.idempotencyKey === undefined) {
    for (const field of ["lookup", "idempotencyScope", "idempotencyTtlMs"] as const) {
      if (tool[field] !== undefined) fail(`${field} needs idempotencyKey.`);
    }
  }
  if (ports.hasLedger === false && (tool.idempotencyKey !== undefined || tool.cache !== undefined)) {
    fail(
      `${tool.cache === undefined ? "idempotencyKey" : "cache"} needs a ledger to keep results in. Give Agent({ ledger }), or a store that keeps one.`,
    );
  }
  const { cache } = tool;
  if (cache?.scope === "tenant" && cache.shared !== true && tool.sensitivity !== "public") {
    fail(`cache.scope "tenant" shows one user's result to others: set sensitivity: "public", or cache.shared: true.`);
  }
  if (cache?.shared !== undefined && cache.scope !== "tenant") {
    fail(`cache.shared says that users may see each other's results; it is for cache.scope "tenant" only.`);
  }
}

const CALLBACKS = [
  "needsApproval",
  "describeCall",
  "preview",
  "isEnabled",
  "toModelOutput",
  "idempotencyKey",
  "lookup",
] as const;

/** Foreign code does not run in this process: neither as `execute` (see `sandbox-of.ts`) nor in any other field. */
function checkCodeOfOthers(tool: Tool, { source, defaults, operator }: RuleContext, fail: Fail): void {
  if (defaults.minimumSandbox === "none" || operator?.allowUnsandboxed === true) return;
  for (const field of CALLBACKS) {
    const value = tool[field];
    if (typeof value !== "function" || value === operator?.[field as keyof OperatorTerms]) continue;
    fail(
      `${field} is a function of ${describeSource(source)}, which would run in this process. Leave it out, or set it where the tool is registered.`,
    );
  }
}

function checkSanitization(tool: Tool, { source, defaults, operator, ports }: RuleContext, fail: Fail): void {
  const policy = tool.inboundSanitization ?? defaults.inboundSanitization;
  const untrusted = defaults.operatorOnly;
  if (
    untrusted &&
    !sanitizesAsMuch(policy, defaults.inboundSanitization) &&
    operator?.allowWeakerSanitization !== true
  ) {
    fail(
      `inboundSanitization "${policy}" is weaker than "${defaults.inboundSanitization}", the least for tools of ${describeSource(source)}. The operator can allow it where the tool is registered: allowWeakerSanitization: true.`,
    );
  }
  const needed = policy !== "pass-through" && (untrusted || tool.inboundSanitization !== undefined);
  if ((needed || tool.failClosed === true) && ports.sanitizer === undefined) {
    fail(
      `${needed ? `inboundSanitization "${policy}"` : "failClosed"} needs a sanitizer, and this agent has none. Use Agent of @bailiwick/agent, or give the sanitizer of @bailiwick/security.`,
    );
  }
}

/**
 * Checks each example against the schemas. An output is checked against the return value of the tool's `execute`.
 *
 * @returns A promise for each asynchronous check.
 * @throws InvalidExampleError at once, or by a promise.
 */
export function validateExamples(
  tool: Tool,
  examples: readonly ToolExample[],
  validateInput: Validate,
  validateOutput: Validate | undefined,
): readonly Promise<void>[] {
  const pending: Promise<void>[] = [];
  for (const [index, example] of examples.entries()) {
    const check = (part: "input" | "output", validate: Validate): void => {
      const judge = (validation: Validation): void => {
        if (validation.ok) return;
        const [issue] = validation.issues;
        const path =
          issue === undefined || issue.path === ""
            ? part
            : `${part}${issue.path.startsWith("[") ? "" : "."}${issue.path}`;
        throw new InvalidExampleError(tool.name, index, path, issue?.message ?? "It does not match the schema.");
      };
      const validation = validate(example[part]);
      if (validation instanceof Promise) pending.push(validation.then(judge));
      else judge(validation);
    };
    check("input", validateInput);
    if (validateOutput !== undefined && example.output !== undefined) check("output", validateOutput);
  }
  return pending;
}

/**
 * Checks that every declared path exists: `flow` in the arguments, `output.fields` in the output. Without an
 * `outputSchema` that can be read, only the form of a field's path is checked.
 *
 * @throws InvalidToolError that names the path and the schema it is not in.
 */
export function validatePaths(tool: Tool, input: JsonSchema, output: JsonSchema | undefined): void {
  for (const field of ["authority", "payload", "egress"] as const) {
    for (const path of tool.flow?.[field] ?? []) check(tool.name, `flow.${field}`, path, input, "inputSchema");
  }
  for (const path of Object.keys(tool.output?.fields ?? {})) {
    check(tool.name, "output.fields", path, output, "outputSchema");
  }
  const { payload = [], authority = [], egress = [] } = tool.flow ?? {};
  const twice = payload.find((path) => authority.includes(path) || egress.includes(path));
  if (twice !== undefined) {
    throw new InvalidToolError(
      tool.name,
      `flow names "${twice}" as payload and as ${authority.includes(twice) ? "authority" : "egress"}; an argument is free content or it is not.`,
    );
  }
}

function check(
  toolName: string,
  field: string,
  path: string,
  schema: JsonSchema | undefined,
  schemaName: string,
): void {
  let steps;
  try {
    steps = parsePath(path);
  } catch (cause) {
    if (!BailiwickError.isInstance(cause)) throw cause;
    throw new InvalidToolError(toolName, `${field}: ${cause.message}`, { cause });
  }
  if (steps.length === 0) throw new InvalidToolError(toolName, `${field} has an empty path.`);
  if (schema !== undefined && !schemaHasPath(schema, steps)) {
    throw new InvalidToolError(toolName, `${field} names "${path}", which is not in ${schemaName}.`);
  }
}
