import type { Warning } from "../contracts/model-response.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { SandboxConfig, TierlessSandboxConfig } from "../contracts/sandbox-config.ts";
import type { Tool } from "../contracts/tool.ts";
import type { CollisionStrategy, ToolSource } from "../contracts/vocabularies.ts";
import { ConfigurationError, DuplicateToolNameError, InvalidToolError } from "../errors/configuration-errors.ts";
import { EXTRACT, extractSource, extractTool } from "../tools/extract.ts";
import { READ_RESULT, readResultTool } from "../tools/read-result.ts";
import { TOOL_SEARCH, toolSearchTool } from "../tools/tool-search.ts";
import { settleNames } from "./collisions.ts";
import type { RegistryPorts } from "./registry-ports.ts";
import { recordOf } from "./resolve-tool.ts";
import { resolveToolName } from "./resolve-name.ts";
import { checkSandbox } from "./sandbox-of.ts";
import { describeSource } from "./source-defaults.ts";
import { factsOf, type ToolFacts } from "./tool-facts.ts";
import { registrationOf, type OperatorTerms } from "./tool-registration.ts";
import { createToolSet, type RegisteredTool, type ToolSet } from "./tool-set.ts";

/** Options of a registry. */
export interface RegistryOptions {
  /** Hashing, sandboxes, secrets and sanitizer that the checks of a tool use. */
  readonly ports: RegistryPorts;
  /** How tools of different sources that share a name are named. Default `auto-prefix`. */
  readonly collisions?: CollisionStrategy | undefined;
  /** `Agent({ sandbox })`: for tools that are module entries. */
  readonly sandbox?: SandboxConfig | TierlessSandboxConfig | undefined;
  /** Namespaces of servers whose tools are not known yet: names under them are accepted in policies. */
  readonly namespaces?: readonly string[] | undefined;
}

/** The tools of an agent: checked, named, with every default filled in. */
export interface Registry {
  /**
   * Registers a tool.
   *
   * @param tool - The tool.
   * @param source - Where it comes from; default: the tool's own mark, otherwise first-party.
   * @param operator - Classification by the person who configured the server.
   * @throws DuplicateToolNameError if two first-party tools share a name.
   * @throws ToolCollisionError if two sources share a name and `collisions` is `manual`.
   * @throws InvalidToolError, InvalidExampleError, SchemaNotConvertibleError, UnknownSecretError
   */
  register(tool: Tool, source?: ToolSource, operator?: OperatorTerms): void;
  /**
   * A tool by its final name.
   *
   * @param name - Name of the tool as the model sees it.
   */
  get(name: string): ResolvedTool | undefined;
  /** Every tool once, built-in ones included: the same frozen array until another is registered. */
  list(): readonly ResolvedTool[];
  /**
   * The list with everything that runs share: definitions and search index. The same object until another tool is
   * registered.
   */
  readonly toolSet: ToolSet;
  /** Resolves after the asynchronous checks of schemas and sandboxes; `undefined` if there are none. */
  ready(): Promise<void> | undefined;
  /**
   * The final name for a name used in a policy. Throws `UnknownToolNameError`.
   *
   * @param name - Name of a tool, with or without the namespace of its server.
   * @param option - The option that has the name, for the error.
   */
  resolveName(name: string, option?: string): string;
  /** Warnings for the user, each once. */
  readonly warnings: readonly Warning[];
  /**
   * Adds a warning, and logs it, unless the same one exists.
   *
   * @param warning - A code, and a text that says what to do.
   */
  warn(warning: Warning): void;
}

const RESERVED: ReadonlySet<string> = new Set([TOOL_SEARCH, READ_RESULT]);

/**
 * Creates an empty registry. It belongs to its caller: there is no global one.
 *
 * @param options - Ports that tools may need, and how collisions are resolved.
 * @example
 * ```ts
 * import { createRegistry, tool } from "@bailiwick/core";
 * import { defaultHasher } from "@bailiwick/core/extension";
 * import { z } from "zod";
 *
 * const registry = createRegistry({ ports: { hasher: defaultHasher() } });
 * registry.register(
 *   tool({
 *     name: "now",
 *     description: "Tells the time.",
 *     inputSchema: z.object({}),
 *     sideEffectClass: "read-only",
 *     execute: () => new Date().toISOString(),
 *   }),
 * );
 * console.log(registry.list().map((each) => each.name)); // ["now"]
 * ```
 */
export function createRegistry(options: RegistryOptions): Registry {
  const { ports, collisions = "auto-prefix" } = options;
  checkSandbox(options.sandbox, "an agent");
  const entries: RegisteredTool[] = [];
  const firstParty = new Set<string>();
  const warnings: Warning[] = [];
  const given = new Set<string>();
  const pending: Promise<void>[] = [];
  let toolSet: ToolSet | undefined;
  let builtIns: ReturnType<typeof makeBuiltIns> | undefined;

  const warn = (warning: Warning): void => {
    const key = `${warning.code}\n${warning.subject ?? warning.message}\n${warning.message}`;
    if (given.has(key)) return;
    given.add(key);
    warnings.push(warning);
    ports.logger?.warn(warning.message, { code: warning.code, subject: warning.subject });
  };

  const snapshot = (): ToolSet => {
    if (toolSet !== undefined) return toolSet;
    const named = settleNames(entries, collisions);
    const kept = new Set(named.values());
    for (const entry of entries) {
      if (kept.has(entry)) continue;
      const message = `Tool "${entry.name}" of ${describeSource(entry.source)} is left out: a tool of higher priority has its name.`;
      warn({ code: "tool_left_out", message, subject: entry.name });
    }
    builtIns ??= makeBuiltIns(ports);
    toolSet = createToolSet(named, builtIns);
    return toolSet;
  };

  return {
    register: (tool, source, operator) => {
      const marked = registrationOf(tool);
      const from = source ?? marked.source;
      const facts = factsOf(tool, from, {
        ports,
        sandbox: options.sandbox,
        operator: operator ?? marked.operator,
        onSandboxNotes: (subject, notes) => {
          for (const note of notes)
            warn({ code: "sandbox_rights_lowered", message: `Tool "${subject}": ${note}`, subject });
        },
      });
      const { name } = facts.tool;
      if (from.kind === "first-party") {
        if (RESERVED.has(name)) {
          throw new InvalidToolError(name, "this name is the framework's own. Give the tool another one.");
        }
        if (firstParty.has(name)) throw new DuplicateToolNameError(name);
      }
      const entry = { name, source: from, facts };
      if (collisions === "manual") settleNames([...entries, entry], collisions);
      if (from.kind === "first-party") firstParty.add(name);
      entries.push(entry);
      pending.push(...facts.pending);
      for (const each of facts.pending) each.catch(() => undefined);
      for (const warning of facts.warnings) warn(warning);
      toolSet = undefined;
    },
    get: (name) => snapshot().byName.get(name),
    list: () => snapshot().tools,
    get toolSet() {
      return snapshot();
    },
    ready: () => (pending.length === 0 ? undefined : Promise.all(pending).then(() => undefined)),
    resolveName: (name, option) => resolveToolName(name, snapshot(), options.namespaces ?? [], option),
    get warnings() {
      snapshot();
      return warnings;
    },
    warn,
  };
}

/** The framework's built-in tools, with the same checks. */
function makeBuiltIns(ports: RegistryPorts): {
  readonly search: ToolFacts;
  readonly readResult: ResolvedTool | undefined;
  readonly extract: () => ToolFacts;
} {
  const source: ToolSource = { kind: "built-in", subsystem: "tools" };
  const search = toolSearchTool(unbound(TOOL_SEARCH));
  let extract: ToolFacts | undefined;
  return {
    search: factsOf(search, source, { ports }),
    readResult:
      ports.blobs === undefined
        ? undefined
        : recordOf(factsOf(readResultTool(ports.blobs), source, { ports }), READ_RESULT),
    // Few agents need it: it is created when the first run needs it.
    extract: () => (extract ??= factsOf(extractTool(unbound(EXTRACT)), extractSource, { ports })),
  };
}

function unbound(name: string): () => never {
  return () => {
    throw new ConfigurationError("NO_CATALOGUE", `${name} is bound to a run by its catalogue; call it in a run.`);
  };
}
