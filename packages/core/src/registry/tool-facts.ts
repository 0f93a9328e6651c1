import { defaultSanitization } from "./default-sanitization.ts";
import type { JsonSchema } from "../contracts/json.ts";
import type { Warning } from "../contracts/model-response.ts";
import type { ResolvedTool, Validation } from "../contracts/resolved-tool.ts";
import type { SandboxConfig, TierlessSandboxConfig } from "../contracts/sandbox-config.ts";
import type { Tool, ToolExample } from "../contracts/tool.ts";
import type { ToolOutputTrust } from "../contracts/tool-flow.ts";
import type { InboundSanitizationPolicy, SideEffectClass, ToolSource } from "../contracts/vocabularies.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import { InvalidToolError } from "../errors/configuration-errors.ts";
import { compileSchema, toJsonSchema, isStandardSchema } from "../tools/standard-schema.ts";
import type { CompiledSchema } from "../tools/compiled-schema.ts";
import { foreignWords } from "./foreign-words.ts";
import { definitionHash } from "./definition-hash.ts";
import type { RegistryPorts } from "./registry-ports.ts";
import { isModuleEntry, sandboxOf } from "./sandbox-of.ts";
import { defaultsOf, describeSource, type SourceDefaults } from "./source-defaults.ts";
import { applyOperatorTerms, isHinted, registrationOf, type OperatorTerms } from "./tool-registration.ts";
import { ownWords, warningsOf } from "./tool-warnings.ts";
import { validateExamples, isGated, validateRules, validatePaths } from "./validate-rules.ts";
import { checkPlainWords, inLongForm } from "../tools/plain-words.ts";
import { validateFields } from "../tools/validate-fields.ts";

/** Longer ones are cut: they are sent with every request. */
const MAX_EXAMPLES = 5;

/** Facts of a tool that passed the checks; built once, independent of the tool's final name. */
export interface ToolFacts {
  /** The tool as given, with the operator's declarations applied. */
  readonly tool: Tool;
  readonly source: ToolSource;
  readonly defaults: SourceDefaults;
  readonly input: CompiledSchema;
  readonly output:
    | {
        readonly jsonSchema: JsonSchema | undefined;
        readonly validate: (value: unknown) => Validation | Promise<Validation>;
      }
    | undefined;
  readonly sandbox: SandboxConfig;
  /** The facts that a sandbox needs about a module entry. */
  sandboxed(): ResolvedTool["__sandbox"];
  readonly sideEffectClass: SideEffectClass;
  readonly effectDeclared: boolean;
  readonly effectHinted: boolean;
  readonly contained: boolean;
  readonly outputTrust: ToolOutputTrust;
  readonly outputDeclared: boolean;
  /** True if free text of the output is content, whatever its integrity: `returns: "own"`. */
  readonly textIsContent: boolean;
  readonly inboundSanitization: InboundSanitizationPolicy;
  readonly sanitizationDeclared: boolean;
  readonly examples: readonly ToolExample[] | undefined;
  readonly warnings: readonly Warning[];
  /** Asynchronous checks: the tool is not used before they have passed. */
  readonly pending: readonly Promise<void>[];
  definitionHash(): string;
}

/** Options of resolving a tool. */
export interface ResolveOptions {
  readonly ports: RegistryPorts;
  readonly operator?: OperatorTerms | undefined;
  /** `Agent({ sandbox })`: for tools that are module entries. */
  readonly sandbox?: SandboxConfig | TierlessSandboxConfig | undefined;
  /** Receives the parts of a sandbox's configuration that were not granted. */
  readonly onSandboxNotes?: ((toolName: string, notes: readonly string[]) => void) | undefined;
}

/**
 * Checks a tool and computes everything that follows from it and its source.
 *
 * @throws InvalidToolError, InvalidExampleError, SchemaNotConvertibleError, ConfigurationError, UnknownSecretError
 */
export function factsOf(given: Tool, source: ToolSource, options: ResolveOptions): ToolFacts {
  const { ports } = options;
  const defaults = defaultsOf(source);
  const { merged, operator, textIsContent } = inFullForm(given, options.operator);
  const { tool: said, ignored } = ownWords(merged, defaults, operator);
  const { tool, input, compiled } = readWords(said, defaults, ports);

  const effectDeclared = tool.sideEffectClass !== undefined || defaults.operatorOnly;
  const sideEffectClass = tool.sideEffectClass ?? defaults.sideEffectClass;
  const contained = isContained(given, source);
  validateRules(tool, { source, defaults, operator, ports, sideEffectClass, effectDeclared, contained });
  const { config: sandbox, saidBy } = sandboxOf(tool, {
    minimum: defaults.minimumSandbox,
    source: describeSource(source),
    agentDefault: options.sandbox,
    operatorSaid: operator?.sandboxPolicy !== undefined,
    allowUnsandboxed: operator?.allowUnsandboxed === true,
    hasSandbox: ports.sandbox !== undefined,
  });

  checkRoot(tool.name, input.jsonSchema);
  const output = compileOutput(tool);
  validatePaths(tool, input.jsonSchema, output?.jsonSchema);

  const examples = tool.examples?.slice(0, MAX_EXAMPLES);
  const pending = [...validateExamples(tool, examples ?? [], input.validate, output?.validate)];
  // Pinned as the source sent it, because a change of hidden text is a change.
  const hash = lazyHash(said, compiled, ports);
  const module = isModuleEntry(tool.execute)
    ? ports.sandbox?.resolve({
        name: tool.name,
        trustClass: defaults.trustClass,
        entry: tool.execute,
        policy: sandbox.tier,
        config: sandbox,
        saidBy,
      })
    : undefined;
  if (module !== undefined)
    pending.push(
      module.then(({ moduleHash, notes }) => {
        hash.addModule(moduleHash);
        options.onSandboxNotes?.(tool.name, notes ?? []);
      }),
    );

  // A default that no option requested does not make a registration fail: it is lowered, and the record states that.
  const wanted = tool.inboundSanitization ?? defaultSanitization(tool, defaults);
  const inboundSanitization = ports.sanitizer === undefined ? "pass-through" : wanted;
  return {
    tool,
    source,
    defaults,
    input,
    output,
    sandbox,
    sandboxed: () => (isModuleEntry(tool.execute) ? { saidBy, moduleHash: hash.module() } : undefined),
    sideEffectClass,
    effectDeclared,
    effectHinted: isHinted(operator),
    contained,
    outputTrust: Object.freeze({ ...tool.output, integrity: tool.output?.integrity ?? "untrusted" }),
    textIsContent,
    outputDeclared: tool.output?.integrity !== undefined || defaults.operatorOnly,
    inboundSanitization,
    sanitizationDeclared: tool.inboundSanitization !== undefined,
    examples: examples === undefined ? undefined : Object.freeze(examples),
    warnings: warningsOf(tool, {
      sideEffectClass,
      effectDeclared,
      served: source.kind === "mcp",
      ignored,
      notes: input.notes,
      sanitised: tool !== said,
      writer: isGated(sideEffectClass, contained),
      maxExamples: MAX_EXAMPLES,
    }),
    pending,
    definitionHash: hash.read,
  };
}

/** True for a tool with the mark of `containedTool()`. */
function isContained(tool: Tool, source: ToolSource): boolean {
  return source.kind === "built-in" && registrationOf(tool).contained === true;
}

/** The tool with its operator's declarations, both without plain words. */
function inFullForm(
  given: Tool,
  terms: OperatorTerms | undefined,
): {
  readonly merged: Tool;
  readonly operator: OperatorTerms | undefined;
  readonly textIsContent: boolean;
} {
  validateFields(given);
  checkPlainWords(terms ?? {}, `Tool "${given.name}"`);
  const operator = terms && inLongForm(terms);
  const merged = applyOperatorTerms(inLongForm(given), operator);
  if (merged !== given) validateFields(merged);
  const author = operator?.output === undefined ? given : terms;
  return { merged, operator, textIsContent: author?.returns === "own" };
}

/** The tool and its input schema as the model reads them, without hidden text of its source. */
function readWords(
  said: Tool,
  { operatorOnly }: SourceDefaults,
  { sanitizer }: RegistryPorts,
): { readonly tool: Tool; readonly input: CompiledSchema; readonly compiled: CompiledSchema } {
  const compiled = compileSchema(said.inputSchema, {
    what: `The inputSchema of tool "${said.name}"`,
    jsonSchema: said.inputJsonSchema,
  });
  const words =
    operatorOnly && sanitizer !== undefined ? foreignWords(said, compiled.jsonSchema, sanitizer) : undefined;
  if (words?.changed !== true) return { tool: said, input: compiled, compiled };
  return {
    tool: { ...said, description: words.description },
    input: { ...compiled, jsonSchema: words.jsonSchema },
    compiled,
  };
}

/** Hashed on first use: most tools of a large catalogue never are. */
function lazyHash(
  tool: Tool,
  input: CompiledSchema,
  ports: RegistryPorts,
): {
  readonly read: () => string;
  readonly module: () => string;
  readonly addModule: (moduleHash: string) => void;
} {
  let module = "";
  let known: string | undefined;
  return {
    read: () => {
      known ??= definitionHash(ports.hasher, {
        name: tool.name,
        description: tool.description,
        inputJsonSchema: input.jsonSchema,
        moduleHash: module,
        runsOn: tool.runsOn,
      });
      return known;
    },
    module: () => module,
    addModule: (moduleHash) => {
      module = moduleHash;
      known = undefined;
    },
  };
}

/** Every vendor requires an object of arguments. */
function checkRoot(toolName: string, schema: JsonSchema): void {
  const { type } = schema;
  const types = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  if (type === undefined || types.includes("object")) return;
  throw new InvalidToolError(
    toolName,
    `inputSchema describes ${types.map((each) => `"${String(each)}"`).join(" or ")}; arguments are always an object. Put the value under a name: { value: … }.`,
  );
}

/** The output schema always validates; its JSON Schema is only known if the library has one. */
function compileOutput(tool: Tool): ToolFacts["output"] {
  const { outputSchema } = tool;
  if (outputSchema === undefined || !isStandardSchema(outputSchema)) return undefined;
  let jsonSchema: JsonSchema | undefined;
  try {
    jsonSchema = toJsonSchema(outputSchema, "output", `The outputSchema of tool "${tool.name}"`);
  } catch (error) {
    if (!BailiwickError.isInstance(error)) throw error;
  }
  const { validate } = compileSchema(outputSchema, { what: "outputSchema", jsonSchema: jsonSchema ?? {} });
  return { jsonSchema, validate };
}
