import * as fc from "fast-check";
import { expect, test } from "vitest";

import { BlobNotFoundError } from "../index.ts";
import { Catalogue } from "../registry/catalogue.ts";
import { defaultHasher } from "../journal/default-ports.ts";
import { mentionsSpilledResult, writeSpilled } from "./read-result.ts";
import type { BlobStore, Tool, ToolExecutionContext } from "../index.ts";
import { aRegistry, aTool } from "../registry/registry.fixture.ts";

function blobs(): BlobStore {
  const kept = new Map<string, Uint8Array>();
  return {
    putBlob: async (bytes) => {
      const hash = defaultHasher().sha256(bytes);
      kept.set(hash, bytes);
      return hash;
    },
    getBlob: async (hash) => {
      const bytes = kept.get(hash);
      if (bytes === undefined) throw new BlobNotFoundError(hash);
      return bytes;
    },
  };
}

interface Page {
  readonly content: unknown;
  readonly unit: string;
  readonly total: number;
  readonly nextOffset?: number;
}

async function reader(
  text: string,
): Promise<{ read: (options?: object) => Promise<Page>; tool: Tool; handle: string }> {
  const store = blobs();
  const handle = await writeSpilled(store, text, {});
  const registry = aRegistry({}, { blobs: store });
  const tool = registry.get("read_result") as Tool;
  const execute = tool.execute as (input: unknown, ctx: ToolExecutionContext) => Promise<Page>;
  return { tool, handle, read: (options) => execute({ handle, ...options }, {} as ToolExecutionContext) };
}

test("read_result is available wherever results can be spilled, and is called once promoted [tool.field.truncation-strategy.spill]", async () => {
  const registry = aRegistry({}, { blobs: blobs() });
  registry.register(aTool());
  const catalogue = new Catalogue({ registry, hasher: defaultHasher() });
  expect(catalogue.advertised().map((tool) => tool.name)).toEqual(["look_up"]);
  expect(catalogue.isCallable("read_result")).toBe(false);
  expect(catalogue.promote(["read_result"])).toEqual(["read_result"]);
  expect(catalogue.isCallable("read_result")).toBe(true);
  expect(registry.get("tool_search")).toBeUndefined();
});

test("joined pages equal the text, and no character is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      async (text, limit) => {
        const { read } = await reader(text);
        let whole = "";
        let offset: number | undefined = 0;
        for (let pages = 0; offset !== undefined && pages < 1_000; pages += 1) {
          const page: Page = await read({ offset, limit });
          expect((page.content as string).isWellFormed()).toBe(true);
          whole += page.content as string;
          offset = page.nextOffset;
        }
        expect(whole).toBe(text);
      },
    ),
    { numRuns: 50 },
  );
});

test("parts of a JSON value are read by path; a part too large for a page says how to read it", async () => {
  const value = {
    orders: Array.from({ length: 100 }, (_, id) => ({ id, note: "n".repeat(50) })),
    text: "t".repeat(20_000),
  };
  const { read } = await reader(JSON.stringify(value));
  const first = await read({ path: "orders", limit: 300 });
  expect(first).toMatchObject({ unit: "items", total: 100, nextOffset: 4 });
  expect(first.content).toEqual(value.orders.slice(0, 4));
  expect((await read({ path: "orders", offset: 99 })).content).toEqual([value.orders[99]]);
  expect((await read({ path: "orders[7].id" })).content).toBe(7);
  expect((await read({ path: "text", offset: 19_990 })).content).toBe("t".repeat(10));
  expect((await read({ path: "", offset: 1 })).content).toEqual({
    text: { $tooLong: "text", characters: 20_000, path: "text" },
  });
});

test("an unknown handle, an invalid path, and a path into text are errors for the model to correct", async () => {
  const { read, tool } = await reader('{"a":{"b":1}}');
  await expect(read({ handle: "0".repeat(64) })).rejects.toMatchObject({
    kind: "invalid_input",
    message: expect.stringContaining("No result has the handle"),
  });
  await expect(read({ path: "a.c" })).rejects.toThrow(/nothing is at a\.c; there are b/u);
  await expect((await reader("plain")).read({ path: "a" })).rejects.toThrow(/plain text/u);
  const registry = aRegistry({}, { blobs: blobs() });
  expect(tool.name).toBe("read_result");
  expect(await registry.get("read_result")?.__validateInput({ handle: "../../etc/passwd" })).toMatchObject({
    ok: false,
    issues: [{ path: "handle" }],
  });
});

test("a conversation that contains a handle is recognised", () => {
  const notice = `[Shortened. Read it with read_result({"handle":"${"a".repeat(64)}","offset":0}).]`;
  const message = (role: "tool" | "user", content: string): never =>
    ({ role, id: "1", toolCallId: "c", toolName: "t", content }) as never;
  expect(mentionsSpilledResult([message("user", notice)])).toBe(false);
  expect(mentionsSpilledResult([message("tool", "short"), message("tool", notice)])).toBe(true);
});
