import { defaultHasher, systemClock } from "@bailiwick/core/extension";
import { InvalidMemoryError } from "@bailiwick/core";
import { messageText } from "@bailiwick/core/store";
import type {
  MemoryHit,
  MemoryHost,
  MemoryLabel,
  MemoryPort,
  MemoryScope,
  MemoryStore,
  RecallOptions,
  RecalledMemory,
  RememberOptions,
  RunContext,
  Sealer,
  Tool,
} from "@bailiwick/core";
import { createEmbeddings } from "./embeddings.ts";
import type { EmbeddingHost } from "./embeddings.ts";
import { guardedAccess } from "./guarded-access.ts";
import { memoryGraph } from "./memory-graph.ts";
import type { MemoryGraph, MemoryGraphOptions } from "./memory-graph.ts";
import { checkOptions, storeOf, toolNames } from "./memory-options.ts";
import type { MemoryOptions } from "./memory-options.ts";
import { memoryTools } from "./memory-tools.ts";
import { mayRead, recallMemories, toRecalled, toRemembered } from "./recall-memories.ts";
import { createReranking } from "./reranking.ts";
import { sealedMemories } from "./sealed-memories.ts";
import { writeMemory } from "./write-memory.ts";
import type { Writing } from "./write-memory.ts";

/** Memory for the application: no tool's tier limits it, so the application sets owner and label. */
export interface ApplicationMemory {
  /**
   * Stores a text, such as a person's correction; returns its id.
   *
   * @param scope - The tenant and the user; agent and namespace if the memory is for one agent.
   * @param text - The fact to store.
   * @param options - Label, kind and name of the entry, when the fact is true, and an `id` that makes a repeated call
   *   harmless.
   * @throws InvalidMemoryError, MemoryNotFoundError
   */
  remember(
    scope: MemoryScope,
    text: string,
    options: RememberOptions & {
      readonly label: MemoryLabel;
      /** Repeating an id repeats the same write; default a new id. */
      readonly id?: string | undefined;
    },
  ): Promise<string>;
  /**
   * Searches the memories of a scope; the best matches come first.
   *
   * @param scope - The tenant and the user; agent and namespace if you search for one agent.
   * @param query - Text to search for.
   * @param options - Largest number of memories (default 8), and which kinds and times count.
   */
  recall(scope: MemoryScope, query: string, options?: RecallOptions): Promise<readonly MemoryHit[]>;
  /**
   * The people and things that the memories of a scope name in their `relations`, and how they are related. It is made of
   * the newest 10,000 memories; what was superseded is left out.
   *
   * @param scope - The tenant and the user; agent and namespace if you search for one agent.
   * @param options - The time at which relations are true, and one entity to begin from.
   */
  graph(scope: MemoryScope, options?: MemoryGraphOptions): Promise<MemoryGraph>;
  /**
   * Deletes a memory, those that it superseded and those derived from it; returns the deleted ids.
   *
   * @param scope - The tenant and the user.
   * @param id - Id of the memory.
   */
  forget(scope: MemoryScope, id: string): Promise<readonly string[]>;
  /**
   * Deletes everything of a user, or everything without a user. Returns the number of memories.
   *
   * @param scope - The tenant and the user.
   */
  forgetAll(scope: MemoryScope): Promise<number>;
}

/** A memory for agents. */
export interface Memory extends MemoryPort {
  readonly tools: readonly Tool[];
  /** Access for your own code, outside of runs. */
  readonly application: ApplicationMemory;
  /** Resolves when no vector is being made in the background. */
  idle(): Promise<void>;
}

/**
 * Gives agents a memory: memories of one run are recalled in later runs of the same tenant and user, with the label
 * with which they were written.
 *
 * @param options - The store, and the kinds of recall.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @example
 * ```ts
 * import type { ModelProvider } from "@bailiwick/agent";
 * import { Agent } from "@bailiwick/agent";
 * import { memory } from "@bailiwick/memory";
 * import { sqliteStore } from "@bailiwick/store-sqlite";
 *
 * export const desk = (model: ModelProvider) =>
 *   new Agent({ name: "desk", model, memory: memory({ store: sqliteStore({ path: "./desk.db" }) }) });
 * ```
 */
export function memory(options: MemoryOptions): Memory {
  checkOptions(options);
  const base = storeOf(options.store) as MemoryStore;
  const blocks = options.blocks ?? {};
  const { embedder, reranker, modelTimeoutMs = 5_000 } = options;
  const embeddings = createEmbeddings(embedder, options.formerEmbedders ?? [], modelTimeoutMs);
  const reranking = reranker === undefined ? undefined : createReranking(reranker, modelTimeoutMs);
  const models = { embeddings, reranking };
  const writer = { embeddings, blocks };
  const settings = options.recall === false ? {} : (options.recall ?? {});
  const inSystemPrompt = new Set(options.inSystemPrompt);
  const hashes = defaultHasher();

  /** Seals stored memories if there is a key. */
  const storeFor = (sealer: Sealer | undefined): MemoryStore => sealedMemories(base, sealer ?? options.sealer);
  const hostFor = ({ sealer, logger, clock }: MemoryHost): EmbeddingHost => ({
    store: storeFor(sealer),
    logger,
    clock,
  });
  const applicationHost: EmbeddingHost = {
    store: storeFor(undefined),
    logger: options.logger ?? console,
    clock: systemClock,
  };

  async function blocksOf(scope: MemoryScope, store: MemoryStore): Promise<readonly RecalledMemory[]> {
    const names = Object.keys(blocks);
    if (names.length === 0) return [];
    const hits = await store.query({
      scope,
      kinds: ["working"],
      limit: names.length * 4,
      budgetTokens: Number.MAX_SAFE_INTEGER,
    });
    return names
      .flatMap((name) => hits.find(({ entry }) => entry.name === name) ?? [])
      .map(({ entry }) => toRemembered(entry));
  }

  const placed = (one: RecalledMemory): RecalledMemory =>
    one.kind !== undefined && inSystemPrompt.has(one.kind) ? { ...one, placement: "system" } : one;

  return {
    tools: memoryTools(options.tools ?? toolNames, blocks, options.relations === true),
    async contextFor(ctx, messages, host) {
      const own = hostFor(host);
      const scope = scopeOf(ctx, host);
      const last = messages.findLast(({ role }) => role === "user");
      const question = last === undefined ? "" : messageText(last);
      const hits =
        options.recall === false
          ? []
          : await recallMemories(question, scope, { signal: ctx.signal }, settings, models, own);
      return [...(await blocksOf(scope, own.store)), ...hits.map(toRecalled)].map(placed);
    },
    accessFor(ctx, call, host) {
      const own = hostFor(host);
      const seen = scopeOf(ctx, host);
      const scope = call.tier === "isolated" ? { ...seen, namespace: call.toolName } : seen;
      let written = 0;
      return guardedAccess(call, {
        scope,
        async write(text, given, label, refuseWorse) {
          written += 1;
          const source = { runId: ctx.runId, seq: host.seq(), callId: call.toolCallId };
          // The same call writes the same id: repeated after a crash, it is one write.
          const id = `m${hashes.sha256(JSON.stringify([ctx.runId, call.toolCallId, written])).slice(0, 16)}`;
          const kept = writtenIn(scope, given, options.scope, call.tier === "isolated");
          const writing: Writing = { ...given, id, text, label, scope: kept, source, refuseWorse, signal: ctx.signal };
          return writeMemory(writing, writer, own);
        },
        async recall(query, given = {}) {
          const asked = { ...given, signal: ctx.signal };
          return (await recallMemories(query, scope, asked, settings, models, own)).map(toRecalled);
        },
        get: (id) => own.store.get(id, scope).then((entry) => (entry && mayRead(entry, scope) ? entry : undefined)),
        async remove(id) {
          await own.store.forget(id, scope);
        },
      });
    },
    application: {
      async remember(scope, text, options) {
        const { label, id, ...given } = withLabel(options);
        const source = { runId: "", seq: 0 };
        const writing = { ...given, id: id ?? `m${crypto.randomUUID()}`, text, label, scope, source };
        return writeMemory(writing, writer, applicationHost);
      },
      recall: (scope, query, given = {}) => recallMemories(query, scope, given, settings, models, applicationHost),
      graph: (scope, given = {}) => memoryGraph(applicationHost.store, scope, given),
      forget: (scope, id) => applicationHost.store.forget(id, scope),
      forgetAll: (scope) => applicationHost.store.forgetAll(scope),
    },
    idle: embeddings.idle,
  };
}

/** The application sets the label, because there is no call to derive it from. */
function withLabel<Options extends { readonly label: MemoryLabel }>(options: Options): Options {
  const given: Partial<Options> | undefined = options;
  if (typeof given?.label === "object") return options;
  throw new InvalidMemoryError(
    'application.remember() needs a label. Pass { label: { integrity: "user", readers: "public" } }, or those who may read it',
  );
}

function scopeOf({ tenantId, userId }: RunContext, { agentName }: MemoryHost): MemoryScope {
  return { tenantId, userId, agentId: agentName };
}

/** Blocks and isolated memories belong to one agent; for others, an option decides. */
function writtenIn(
  scope: MemoryScope,
  { kind }: RememberOptions,
  shared: MemoryOptions["scope"],
  isolated: boolean,
): MemoryScope {
  if (isolated || kind === "working" || shared === "agent") return scope;
  const { agentId: _everyAgent, ...user } = scope;
  return user;
}
