/**
 * Cost and hits of a recall: memories of one user among those of others, in memory and in a SQLite file, by
 * words alone, by meaning, and by both.
 *
 * What it finds is measured on texts that are made by a rule, with questions whose answer is known: a third share a rare word
 * with their memory, a third share only what they mean (the embedder of this benchmark knows the rule), a third share common
 * words with hundreds of others and their meaning. Real texts and real embedders differ: the numbers compare ways of
 * recalling, they promise nothing about yours.
 *
 * Usage: node --conditions=@bailiwick/source bench/recall/recall.mjs [memories of the user, default 2000]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { inMemoryMemories } from "../../packages/memory/src/index.ts";
import { sqliteStore } from "../../packages/store-sqlite/src/index.ts";

const count = Number(process.argv[2] ?? 2_000);
const others = 10;
const dims = 384;
const questions = 150;

/** Numbers that look random and are the same in each run. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = seeded(7);
const syllables = ["ba", "ko", "li", "mu", "ne", "ro", "sa", "ti", "vu", "ze"];
const wordOf = (number) =>
  String(number)
    .padStart(4, "0")
    .split("")
    .map((digit) => syllables[Number(digit)])
    .join("");
const common = Array.from({ length: 60 }, (_, index) => wordOf(index + 9_000));
const pick = (list) => list[Math.floor(random() * list.length)];

/** A place in the space of meanings, and one near it. */
const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const meaning = () => Float32Array.from({ length: dims }, gaussian);
const near = (vector, noise) => vector.map((value) => value + noise * gaussian());

function memoryOf(index, scope) {
  const vector = meaning();
  const text = `${Array.from({ length: 12 }, () => pick(common)).join(" ")} ${wordOf(index)}`;
  const at = Date.now() - Math.floor(random() * 20) * 86_400_000;
  return {
    vector: { model: "made-up", values: vector },
    entry: {
      id: `${scope.userId}-${index}`,
      kind: "semantic",
      text,
      scope,
      label: { integrity: "user", readers: "public" },
      validFrom: at,
      recordedAt: at,
      source: { runId: "r", seq: 1 },
      embedding: { model: "made-up", dims },
    },
  };
}

const scope = { tenantId: "t", userId: "u0" };
const own = Array.from({ length: count }, (_, index) => memoryOf(index, scope));
const foreign = Array.from({ length: others }, (_, user) =>
  Array.from({ length: Math.ceil(count / 10) }, (_two, index) =>
    memoryOf(index, { tenantId: "t", userId: `u${user + 1}` }),
  ),
).flat();

const asked = Array.from({ length: questions }, (_, index) => {
  const { entry, vector } = own[Math.floor(random() * own.length)];
  const words = entry.text.split(" ");
  const values = near(vector.values, 1.2);
  const unlike = meaning();
  const kind = index % 3;
  if (kind === 0) return { id: entry.id, text: `${pick(common)} ${words.at(-1)}`, values: unlike };
  if (kind === 1) return { id: entry.id, text: `${pick(common)} ${wordOf(8_000 + index)}`, values };
  return { id: entry.id, text: words.slice(0, 6).join(" "), values: near(vector.values, 2.5) };
});

const ways = {
  words: ({ text }) => ({ text }),
  meaning: ({ values }) => ({ vectors: [{ model: "made-up", values }] }),
  both: ({ text, values }) => ({ text, vectors: [{ model: "made-up", values }] }),
};

const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

async function measure(name, store) {
  const begun = performance.now();
  for (const { entry, vector } of [...foreign, ...own]) await store.put(entry, vector);
  const perWrite = (performance.now() - begun) / (own.length + foreign.length);
  for (const [way, queryOf] of Object.entries(ways)) {
    const times = [];
    let inEight = 0;
    let first = 0;
    for (const one of asked) {
      const started = performance.now();
      const hits = await store.query({ scope, leastSimilarity: 0.1, ...queryOf(one) });
      times.push(performance.now() - started);
      if (hits.some(({ entry }) => entry.id === one.id)) inEight += 1;
      if (hits[0]?.entry.id === one.id) first += 1;
    }
    const sorted = times.toSorted((a, b) => a - b);
    const ms = (part) => quantile(sorted, part).toFixed(1);
    const percent = (some) => `${Math.round((100 * some) / questions)} %`;
    console.log(
      `| ${name}, ${way} | ${percent(inEight)} | ${percent(first)} | ${ms(0.5)} | ${ms(0.95)} | ${perWrite.toFixed(2)} |`,
    );
  }
}

console.log(
  `${count} memories of the user, ${foreign.length} of ${others} others, vectors of ${dims} numbers, ${questions} questions; Node ${process.version}, ${cpus().length} cores`,
);
console.log("| store, way | among 8 | first | median ms | 95 % ms | a write ms |");
console.log("|---|---|---|---|---|---|");
await measure("in memory", inMemoryMemories());
const folder = mkdtempSync(join(tmpdir(), "bailiwick-recall-"));
const store = sqliteStore({ path: join(folder, "store.db") });
await measure("SQLite", store.memories);
await store.close();
rmSync(folder, { recursive: true });
