import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { memory, sealedMemories } from "@bailiwick/memory";
import { sealer } from "@bailiwick/security";
import { memoryConformance } from "@bailiwick/testing/conformance";
import { inMemoryMemories } from "@bailiwick/memory";
import { describe, expect, test } from "vitest";
import { calling, memoryFile, remembering } from "./memory-world.test.helper.ts";

const seal = "0123456789abcdef0123456789abcdef";
const ana = { tenantId: undefined, userId: "ana" };
const embedder = { model: "m", dims: 2, embed: async (texts: readonly string[]) => texts.map(() => [0.5, 0.25]) };

describe("sealed memories", () => {
  const key = sealer(seal);
  for (const one of memoryConformance(() => ({ memories: sealedMemories(inMemoryMemories(), key) }), { runs: 10 }))
    test(`${one.name} (sealed)`, one.run);
});

/** Everything on disk. */
function bytesOf(path: string): string {
  const folder = dirname(path);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("");
}

test("with keys.seal no word of a memory is in the file or its log, and recall still finds it [memory.context] [secrets.sealing]", async () => {
  await using file = memoryFile();
  const given = { store: file.store, embedder };
  const agent = { keys: { seal } };
  await remembering(given, [calling(["remember", { text: "Ana grows canarytulips.", name: "garden" }]), "Noted."], {
    agent,
  });
  await remembering(given, [calling(["remember", { text: "Ana grows canaryroses.", name: "garden" }]), "Noted."], {
    agent,
  });
  const { told } = await remembering(given, ["Roses."], { input: "What canaryroses do I grow?", agent });
  expect(told).toContain("Ana grows canaryroses.");
  expect(told).not.toContain("tulips");
  expect(bytesOf(file.path)).not.toContain("canary");
  // An application that has the key reads the same memories.
  const own = memory({ store: file.store, embedder, sealer: sealer(seal) });
  expect(await own.application.recall(ana, "garden")).toMatchObject([{ entry: { text: "Ana grows canaryroses." } }]);
  await using plain = memoryFile();
  await remembering({ store: plain.store }, [calling(["remember", { text: "Ana grows canarytulips." }]), "Noted."]);
  expect(bytesOf(plain.path)).toContain("canarytulips");
});

test("without the key, reading a sealed memory throws a typed error and changes nothing; a different key cannot open it [secrets.sealing]", async () => {
  await using file = memoryFile();
  const agent = { keys: { seal } };
  const { output } = await remembering({ store: file.store }, [calling(["remember", { text: "tulips" }]), "Noted."], {
    agent,
  });
  expect(output.status).toBe("completed");
  const sealed = sealedMemories(file.store.memories, undefined);
  await expect(sealed.query({ scope: ana })).rejects.toMatchObject({ code: "SEAL_KEY_MISSING" });
  const other = memory({ store: file.store, sealer: sealer("another key, another key, another") });
  await expect(other.application.recall(ana, "tulips")).rejects.toMatchObject({ code: expect.any(String) });
  const own = memory({ store: file.store, sealer: sealer(seal) });
  expect(await own.application.recall(ana, "tulips")).toHaveLength(1);
});

test("write access to the file is not enough to move a sealed memory to another user [secrets.sealing]", async () => {
  const store = inMemoryMemories();
  const own = sealedMemories(store, sealer(seal));
  const label = { integrity: "user", readers: "public" } as const;
  await memory({ store: own }).application.remember(ana, "tulips", { label, id: "m1" });
  const kept = await store.get("m1", ana);
  const ben = { tenantId: undefined, userId: "ben" };
  if (kept !== undefined) await store.put({ ...kept, scope: ben });
  await expect(own.get("m1", ben)).rejects.toMatchObject({ code: expect.any(String) });
});
