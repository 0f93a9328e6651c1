import type { Clock, Embedder, MemoryHost, MemoryPort, RunContext, Message } from "@bailiwick/core";
import { eventBus } from "@bailiwick/core";
import { defaultHasher, systemClock } from "@bailiwick/core/extension";
import { expect, test } from "vitest";
import { inMemoryMemories, memory } from "./index.ts";

const scope = { tenantId: "t1", userId: "ana" };
const label = { integrity: "user", readers: "public" } as const;

/** Returns the subject of a text, one number per subject. */
function topics(
  model: string,
  things: readonly string[],
  dims: number = things.length,
): Embedder & { asked: string[] } {
  const asked: string[] = [];
  return {
    model,
    dims,
    asked,
    embed: async (texts) => {
      asked.push(...texts);
      return texts.map((text) => things.map((thing) => (new RegExp(thing, "iu").test(text) ? 1 : 0)));
    },
  };
}

const animals = (): ReturnType<typeof topics> => topics("topics-1", ["dog|puppy|hound", "cat|kitten", "boat|ship"]);

/** The parts of a run that a memory uses. */
function run(port: MemoryPort, question: string, clock: Clock = systemClock, signal = new AbortController().signal) {
  const warnings: string[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (text: string) => void warnings.push(text),
    error: () => undefined,
  };
  const host: MemoryHost = { agentName: "desk", logger, clock, hasher: defaultHasher(), seq: () => 1 };
  const context: RunContext = {
    runId: "r1",
    agentName: "desk",
    sessionId: "s1",
    root: { runId: "r", sessionId: "s1" },
    ...scope,
    metadata: {},
    eventBus: eventBus(),
    sessionState: {},
    signal,
    dependencies: {},
    extraVars: {},
    getState: () => undefined,
    setState: () => undefined,
    updateState: () => Promise.reject(new Error("No session.")),
  };
  const messages: readonly Message[] = [{ id: "u1", role: "user", content: question }];
  return { told: port.contextFor(context, messages, host), warnings };
}

test("a memory is found by meaning without a common word, and each hit names how it was found [memory.embedder] [feature:X068]", async () => {
  const embedder = animals();
  const own = memory({ store: inMemoryMemories(), embedder });
  await own.application.remember(scope, "Ana has a hound.", { label });
  await own.application.remember(scope, "Ben sails a ship.", { label });
  const { told } = run(own, "Any puppy?");
  expect(await told).toMatchObject([
    {
      text: "Ana has a hound.",
      integrity: "user",
      why: expect.stringMatching(/^meaning #1 \(1\.00\), less than a day old, score 0\.01/u),
    },
  ]);
  // Each text once, as it was written and queried.
  expect(embedder.asked).toEqual(["Ana has a hound.", "Ben sails a ship.", "Any puppy?"]);
});

test("an embedder gets a signal, which aborts when the run is stopped [memory.embedder]", async () => {
  const aborted: (boolean | undefined)[] = [];
  const stop = new AbortController();
  const embedder: Embedder = {
    ...animals(),
    embed: async (texts, options) => {
      const before = options?.signal?.aborted;
      stop.abort(new Error("The run was cancelled."));
      aborted.push(before, options?.signal?.aborted);
      return texts.map(() => [1, 0, 0]);
    },
  };
  const own = memory({ store: inMemoryMemories(), embedder });
  await run(own, "Any puppy?", systemClock, stop.signal).told.catch(() => undefined);
  expect(aborted).toEqual([false, true]);
});

test("a changed model is detected once; the configured earlier embedder answers while new vectors are computed in the background [memory.embedder.changed]", async () => {
  const store = inMemoryMemories();
  const earlier = animals();
  await memory({ store, embedder: earlier }).application.remember(scope, "Ana has a hound.", { label });
  const later = topics("topics-2", ["boat|ship", "dog|puppy|hound"]);
  const own = memory({ store, embedder: later, formerEmbedders: [earlier] });
  // The first query is answered by the former vector, because there was no other yet.
  const first = run(own, "Any puppy?");
  expect(await first.told).toMatchObject([{ text: "Ana has a hound." }]);
  expect(first.warnings).toEqual([expect.stringContaining(`The embedder was "topics-1" (3) and is "topics-2" (2).`)]);
  expect(first.warnings[0]).toContain("until then, the earlier vectors are used");
  await own.idle();
  expect(await store.models(scope)).toEqual([{ model: "topics-2", dims: 2 }]);
  const second = run(own, "Any puppy?");
  expect(await second.told).toMatchObject([{ text: "Ana has a hound." }]);
  expect(second.warnings).toEqual([]);
  expect(earlier.asked).toEqual(["Ana has a hound.", "Any puppy?"]);
});

test("without the earlier embedder, memories are found by their words until they have new vectors, with a warning [memory.embedder.changed]", async () => {
  const store = inMemoryMemories();
  await memory({ store, embedder: animals() }).application.remember(scope, "Ana has a hound.", { label });
  // Vectors arrive when the test releases them.
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const later = topics("topics-2", ["boat", "dog|puppy|hound"]);
  const slow: Embedder = {
    ...later,
    embed: async (texts, options) => {
      if (texts[0] !== "Any puppy?" && texts[0] !== "hound?") await opened;
      return later.embed(texts, options);
    },
  };
  const own = memory({ store, embedder: slow });
  const first = run(own, "Any puppy?");
  expect(await first.told).toEqual([]);
  expect(first.warnings[0]).toContain("memory({ formerEmbedders })");
  expect(await run(own, "hound?").told).toMatchObject([{ why: expect.stringContaining("words #1") }]);
  open();
  await own.idle();
  expect(await run(own, "Any puppy?").told).toMatchObject([{ text: "Ana has a hound." }]);
});

const broken: Readonly<Record<string, Pick<Embedder, "embed">>> = {
  "throws at once": {
    embed: () => {
      throw new Error("no quota");
    },
  },
  rejects: { embed: () => Promise.reject(new Error("no quota")) },
  "gives vectors of another size": { embed: async (texts) => texts.map(() => [1, 2, 3, 4, 5]) },
  "gives fewer vectors than texts": { embed: async () => [] },
  "returns a value that is not a number": { embed: async (texts) => texts.map(() => [1, Number.NaN, 0]) },
};

test.each(Object.entries(broken))(
  "an embedder that %s does not fail a run or a write: word search still works, and a warning gives the reason [memory.embedder] [memory.errors]",
  async (_what, embed) => {
    const heard: string[] = [];
    const logger = { warn: (text: string) => void heard.push(text) };
    const own = memory({ store: inMemoryMemories(), embedder: { model: "m", dims: 3, ...embed }, logger });
    await own.application.remember(scope, "Ana has a hound.", { label });
    const { told, warnings } = run(own, "hound?");
    expect(await told).toMatchObject([{ text: "Ana has a hound.", why: expect.stringContaining("words #1") }]);
    await own.idle();
    expect(heard).toHaveLength(1);
    expect(warnings[0]).toMatch(/^The embedder "m" failed \(.+\)\. Memories are found only by their words\.$/u);
  },
);

test("an embedder that never answers delays a query no longer than its timeout [memory.embedder]", async () => {
  const own = memory({
    store: inMemoryMemories(),
    embedder: { model: "m", dims: 3, embed: () => new Promise(() => undefined) },
    modelTimeoutMs: 20,
  });
  const { told, warnings } = run(own, "hound?");
  expect(await told).toEqual([]);
  expect(warnings[0]).toContain("it took longer than 20 ms");
});
