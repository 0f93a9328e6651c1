import { checkVector } from "@bailiwick/core/store";
import type { Clock, Embedder, Logger, MemoryEntry, MemoryScope, MemoryStore, MemoryVector } from "@bailiwick/core";
import { withinTime } from "./within-time.ts";

/** Settings of an embedding call. */
export interface EmbeddingHost {
  readonly store: MemoryStore;
  readonly logger: Pick<Logger, "warn">;
  readonly clock: Clock;
}

/** Vectors of queries and memories. A failing embedder does not stop the operation that needs it. */
export interface Embeddings {
  /** Vectors of a query, one for each model with vectors in a scope; none without an embedder, or if it fails. */
  ofQuestion(
    text: string,
    scope: MemoryScope,
    host: EmbeddingHost,
    signal?: AbortSignal,
  ): Promise<readonly MemoryVector[] | undefined>;
  /** The vector of a memory that will be written; none without an embedder, or if it fails. */
  ofMemory(text: string, host: EmbeddingHost, signal?: AbortSignal): Promise<MemoryVector | undefined>;
  /** Resolves when the background work is done. */
  idle(): Promise<void>;
}

/** Number of memories that are embedded at once. */
const batch = 32;
/** Time for which a scope with complete vectors is not checked again: another process may add memories. */
const lookAgainMs = 60_000;
/** Maximum number of such scopes. */
const mostKnown = 10_000;

type Model = Pick<Embedder, "model" | "dims">;

/**
 * Makes the vectors of one memory.
 *
 * @param embedder - The current model.
 * @param former - Earlier models: they answer for vectors that are not computed again yet.
 * @param timeoutMs - How long an embedder may take.
 */
export function createEmbeddings(
  embedder: Embedder | undefined,
  former: readonly Embedder[],
  timeoutMs: number,
): Embeddings {
  const running = new Map<string, Promise<void>>();
  const told = new Set<string>();
  const wholeAt = new Map<string, number>();

  async function embed(
    by: Embedder,
    texts: readonly string[],
    { clock }: EmbeddingHost,
    signal: AbortSignal | undefined,
  ): Promise<readonly MemoryVector[]> {
    const vectors = await withinTime(clock, timeoutMs, signal, (given) => by.embed(texts, { signal: given }));
    if (vectors.length !== texts.length) throw new Error(`it gave ${vectors.length} vectors for ${texts.length} texts`);
    return vectors.map((values) => {
      const vector = { model: by.model, values };
      checkVector(vector, by.dims);
      return vector;
    });
  }

  async function attempt<T>(by: Embedder, { logger }: EmbeddingHost, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      logger.warn(`The embedder "${by.model}" failed (${why}). Memories are found only by their words.`, { error });
      return undefined;
    }
  }

  /**
   * Vectors of another model are recomputed in the background; until then that model answers, if its embedder is known.
   */
  async function renew(current: Embedder, scope: MemoryScope, host: EmbeddingHost): Promise<void> {
    const { model, dims } = current;
    let before = "";
    for (;;) {
      const entries = await host.store.withoutVector(scope, { model, dims }, batch);
      const ids = JSON.stringify(entries.map(({ id }) => id));
      // A store that returns the same entries again was not changed by the call.
      if (entries.length === 0 || ids === before) return;
      before = ids;
      const vectors = await embed(current, entries.map(textOf), host, undefined);
      for (const [index, entry] of entries.entries()) await host.store.setVector(entry.id, scope, vectors[index]);
    }
  }

  function renewInBackground(current: Embedder, scope: MemoryScope, host: EmbeddingHost): void {
    const key = keyOf(scope);
    if (running.has(key)) return;
    const work = attempt(current, host, () => renew(current, scope, host)).finally(() => running.delete(key));
    running.set(key, work);
  }

  /** Models whose vectors have to be recomputed. A complete scope is not checked again for a while. */
  async function modelsBefore(current: Embedder, scope: MemoryScope, host: EmbeddingHost): Promise<readonly Model[]> {
    const key = keyOf(scope);
    const now = host.clock.now();
    if ((wholeAt.get(key) ?? Number.NEGATIVE_INFINITY) > now - lookAgainMs) return [];
    const [missing] = await host.store.withoutVector(scope, current, 1);
    if (missing === undefined) {
      if (wholeAt.size >= mostKnown) wholeAt.clear();
      wholeAt.set(key, now);
      return [];
    }
    const models = await host.store.models(scope);
    const others = models.filter(({ model, dims }) => model !== current.model || dims !== current.dims);
    for (const { model, dims } of others) noticed(host, current, model, dims);
    renewInBackground(current, scope, host);
    return others;
  }

  return {
    async ofQuestion(text, scope, host, signal) {
      if (embedder === undefined) return undefined;
      const others = await modelsBefore(embedder, scope, host);
      const asked = [
        embedder,
        ...former.filter((one) => others.some(({ model, dims }) => one.model === model && one.dims === dims)),
      ];
      const vectors = await Promise.all(
        asked.map((by) => attempt(by, host, async () => (await embed(by, [text], host, signal))[0])),
      );
      const made = vectors.filter((vector) => vector !== undefined);
      return made.length === 0 ? undefined : made;
    },
    async ofMemory(text, host, signal) {
      if (embedder === undefined) return undefined;
      return attempt(embedder, host, async () => (await embed(embedder, [text], host, signal))[0]);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };

  function noticed({ logger }: EmbeddingHost, current: Embedder, model: string, dims: number): void {
    const key = `${model} ${dims}`;
    if (told.has(key)) return;
    told.add(key);
    const answers = former.some((one) => one.model === model && one.dims === dims);
    logger.warn(
      `The embedder was "${model}" (${dims}) and is "${current.model}" (${current.dims}). Vectors are recomputed in the background; ${
        answers
          ? "until then, the earlier vectors are used."
          : `until then, those memories are found only by their words. To use their vectors in the meantime, pass the earlier embedder in memory({ formerEmbedders }).`
      }`,
    );
  }
}

function keyOf({ tenantId, userId, agentId, namespace }: MemoryScope): string {
  return JSON.stringify([tenantId ?? null, userId ?? null, agentId ?? null, namespace ?? null]);
}

/** The text from which a memory is embedded. */
export function textOf({ name, text }: Pick<MemoryEntry, "name" | "text">): string {
  return name === undefined ? text : `${name}: ${text}`;
}
