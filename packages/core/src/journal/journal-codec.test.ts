import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JournalEvent } from "../contracts/journal-event.ts";
import type { RunStore } from "../contracts/ports/run-store.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import { exportJournal, verifyJournal } from "./export-journal.ts";
import { foldJournal } from "./fold.ts";
import { defaultHasher, portableHasher, systemClock } from "./default-ports.ts";
import { anyInput, answered, leased, outcome, started } from "./journal.fixture.ts";
import { memoryStore } from "./memory-store.ts";
import { openJournal, readJournal, restoreState } from "./open-journal.ts";
import type { JournalProtection } from "./open-journal.ts";

const hasher = defaultHasher();
/** Stores text only, as a durable store would. */
function durableStore(): RunStore & { readonly texts: () => Promise<string> } {
  const inner = memoryStore();
  const copy = (events: readonly JournalEvent[]): JournalEvent[] =>
    JSON.parse(JSON.stringify(events)) as JournalEvent[];
  return {
    ...inner,
    durable: true,
    append: (lease, events, attachments) => inner.append(lease, copy(events), attachments),
    texts: async () => JSON.stringify(await inner.load("r1")),
  };
}

async function written(
  store: RunStore,
  protection: JournalProtection,
  inputs: readonly Parameters<typeof recordAll>[1][number][],
): Promise<Awaited<ReturnType<typeof openJournal>>["journal"]> {
  const lease = await leased(store);
  const { journal } = await openJournal({ ...protection, store, lease, clock: systemClock });
  await recordAll(journal, inputs);
  return journal;
}

async function recordAll(
  journal: {
    record: (input: Parameters<Awaited<ReturnType<typeof openJournal>>["journal"]["record"]>[0]) => unknown;
    commit: () => Promise<void>;
  },
  inputs: readonly Parameters<Awaited<ReturnType<typeof openJournal>>["journal"]["record"]>[0][],
): Promise<void> {
  for (const input of inputs) {
    journal.record(input);
    await journal.commit();
  }
}

/** The text is not secret, but a search of the file does not find it. */
const sealer: Sealer = {
  seal: async (value) => ({
    $sealed: [...JSON.stringify(value)].map((char) => char.codePointAt(0)?.toString(36)).join("."),
  }),
  open: async ({ $sealed }) =>
    JSON.parse(
      $sealed
        .split(".")
        .map((code) => String.fromCodePoint(Number.parseInt(code, 36)))
        .join(""),
    ) as unknown,
};

test("stored records equal the live ones: bytes, big integers, large values, sealed or signed [journal.fold]", async () => {
  for (const protection of [
    { hasher },
    { hasher, sealer },
    { hasher, signKey: "k" },
    { hasher, sealer, signKey: "k", spillAbove: 20 },
    { hasher, spillAbove: 4 },
  ]) {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyInput, {
          maxLength: 8,
          selector: (input) =>
            JSON.stringify([
              input.type,
              "turn" in input ? input.turn : 0,
              "index" in input ? input.index : 0,
              "attempt" in input ? input.attempt : 0,
            ]),
        }),
        async (inputs) => {
          const store = durableStore();
          const journal = await written(store, protection, [started, ...inputs]);
          expect(restoreState("r1", await readJournal(store, "r1", protection))).toEqual(journal.state);
        },
      ),
      { numRuns: 30 },
    );
  }
});

test("a result of 5 MB is a reference in the journal, and complete when read [store.blobs]", async () => {
  const store = durableStore();
  const output = { body: "x".repeat(5_000_000), picture: new Uint8Array(100_000).fill(7), small: "y", lone: "\ud800" };
  const journal = await written(store, { hasher }, [started, answered(1, ["c1"]), outcome(1, 0, 1, output)]);
  expect((await store.texts()).length).toBeLessThan(3_000);
  const events = await readJournal(store, "r1", { hasher });
  expect(foldJournal(events).calls.get("t1/c0")?.outcome?.output).toEqual(output);
  expect(journal.state.calls.get("t1/c0")?.outcome?.output).toBe(output);
});

test("an object that looks like a reference or a seal is an ordinary value", async () => {
  const store = durableStore();
  const output = [
    { $blob: "0".repeat(64), kind: "text" },
    { $bytes: "AAAA" },
    { $sealed: "x" },
    { $escaped: { $bigint: "1" } },
    { $bigint: "no number" },
    { $number: "-0" },
  ];
  await written(store, { hasher, spillAbove: 10 }, [started, answered(1, ["c1"]), outcome(1, 0, 1, output)]);
  expect(foldJournal(await readJournal(store, "r1", { hasher })).calls.get("t1/c0")?.outcome?.output).toEqual(output);
});

test("numbers without a JSON form are preserved", async () => {
  for (const protection of [{ hasher }, { hasher, sealer }, { hasher, spillAbove: 4 }]) {
    const store = durableStore();
    const output = [-0, Number.NaN, Number.POSITIVE_INFINITY, { low: Number.NEGATIVE_INFINITY, zero: 0 }];
    await written(store, protection, [started, answered(1, ["c1"]), outcome(1, 0, 1, output)]);
    const state = foldJournal(await readJournal(store, "r1", protection));
    expect(state.calls.get("t1/c0")?.outcome?.output).toEqual(output);
  }
});

test("with a sealing key the store reveals no content of a record", async () => {
  const store = durableStore();
  await written(store, { hasher, sealer }, [started, answered(1, ["c1"]), outcome(1, 0, 1, "a password: tulip")]);
  expect(await store.texts()).not.toMatch(/tulip|hello/);
  expect(await store.texts()).toContain('"t1/c0/outcome"');
});

test("with a key every change, addition, removal and swap is refused, and an intact journal continues [journal.signed]", async () => {
  const protection = { hasher, signKey: "key" };
  const original = durableStore();
  await written(original, protection, [started, answered(1, ["c1"]), outcome(1, 0)]);
  const events = await original.load("r1");
  const tampered: (readonly [string, readonly unknown[]])[] = [
    ["changed", events.map((event, n) => (n === 1 ? { ...event, at: 1 } : event))],
    [
      "added",
      [
        ...events,
        {
          type: "run.resumed",
          seq: 4,
          at: 1,
          key: "run.resumed#1",
          label: "system",
          runId: "r1",
          owner: "x",
          epoch: 9,
        },
      ],
    ],
    ["signature removed", events.map((event, n) => (n === 2 ? { ...event, mac: undefined } : event))],
    ["swapped", [events[1], events[0], events[2]]],
    ["first one removed", events.slice(1)],
    ["signature of another", events.map((event, n) => (n === 2 ? { ...event, mac: events[1]?.mac } : event))],
  ];
  for (const [what, changed] of tampered) {
    const store = { ...original, load: async () => changed as JournalEvent[] };
    await expect(readJournal(store, "r1", protection), what).rejects.toMatchObject({ code: "JOURNAL_TAMPERED" });
  }
  await expect(readJournal(original, "r1", { hasher, signKey: "another" })).rejects.toMatchObject({
    code: "JOURNAL_TAMPERED",
    seq: 1,
  });
  expect(await readJournal(original, "r1", protection)).toHaveLength(3);
  expect((await readJournal(original, "r1", protection))[0]).not.toHaveProperty("mac");
});

test("a record signed with a key other than the run's derived key is refused with both keys in the error [journal.replay-divergence]", async () => {
  const { events } = await recorded();
  const renamed = events.map((event, n) => (n === 1 ? { ...event, key: "t2/model" } : event));
  expect(() => restoreState("r1", renamed)).toThrow(
    expect.objectContaining({ code: "REPLAY_DIVERGENCE", expected: "t1/model", found: "t2/model" }),
  );
  expect(() => restoreState("r1", events.slice(1))).toThrow(
    expect.objectContaining({ code: "JOURNAL_TAMPERED", seq: 1 }),
  );
});

test("a journal of a newer format is refused with its version [journal.versioned]", async () => {
  const { events } = await recorded();
  const later = events.map((event) => ({ ...event, version: 9 }) as JournalEvent);
  expect(() => restoreState("r1", later)).toThrow(expect.objectContaining({ code: "JOURNAL_VERSION", version: 9 }));
});

async function recorded(): Promise<{ readonly events: readonly JournalEvent[] }> {
  const store = durableStore();
  await written(store, { hasher }, [started, answered(1, ["c1"]), outcome(1, 0, 1, new Uint8Array([1, 2]))]);
  return { events: await readJournal(store, "r1", { hasher }) };
}

test("no byte of an export can change unnoticed, signed or not [journal.hash-chain]", async () => {
  const { events } = await recorded();
  for (const options of [{ hasher }, { hasher, signKey: "key" }]) {
    const text = exportJournal("r1", events, options);
    expect(verifyJournal(text, options).events).toEqual(events);
    for (let place = 0; place < text.length; place += 1) {
      const changed = `${text.slice(0, place)}${text[place] === "0" ? "1" : "0"}${text.slice(place + 1)}`;
      expect(() => verifyJournal(changed, options), `byte ${place}`).toThrow(
        expect.objectContaining({ code: "JOURNAL_TAMPERED" }),
      );
    }
    for (let length = 0; length < text.length; length += 7) {
      expect(() => verifyJournal(text.slice(0, length), options)).toThrow(
        expect.objectContaining({ code: "JOURNAL_TAMPERED" }),
      );
    }
  }
});

test("the platform's signature and the JavaScript signature are equal for keys of any length [journal.hasher]", () => {
  for (let length = 1; length <= 200; length += 1) {
    const key = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
    const text = `${"é".repeat(length)}\ud800`;
    expect(portableHasher().hmacSha256(key, text)).toBe(hasher.hmacSha256(key, text));
    expect(portableHasher().hmacSha256(text, text)).toBe(hasher.hmacSha256(text, text));
  }
});

test("without a key an export is marked as unsigned; with one an unsigned export is refused [journal.unsigned]", async () => {
  const { events } = await recorded();
  const signed = exportJournal("r1", events, { hasher, signKey: "key" });
  const unsigned = exportJournal("r1", events, { hasher });
  expect(verifyJournal(signed, { hasher, signKey: "key" }).trust).toBe("signed");
  expect(verifyJournal(signed, { hasher }).trust).toBe("unsigned");
  expect(verifyJournal(unsigned, { hasher }).trust).toBe("unsigned");
  expect(() => verifyJournal(unsigned, { hasher, signKey: "key" })).toThrow(
    expect.objectContaining({ code: "JOURNAL_TAMPERED" }),
  );
  expect(() => verifyJournal(signed, { hasher, signKey: "other" })).toThrow(
    expect.objectContaining({ code: "JOURNAL_TAMPERED" }),
  );
});

test("the platform's hash and the JavaScript hash are equal [journal.hasher]", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.uint8Array(), (text, bytes) => {
      expect(portableHasher().sha256(text)).toBe(hasher.sha256(text));
      expect(portableHasher().sha256(bytes)).toBe(hasher.sha256(bytes));
      expect(portableHasher().hmacSha256(bytes, text)).toBe(hasher.hmacSha256(bytes, text));
    }),
  );
});
