import { streamChunks } from "@bailiwick/core/provider";
import type { ChunkSource } from "@bailiwick/core/provider";
import type { StreamChunk } from "@bailiwick/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";

type Item = string | Error;

/** A body in pieces; each line is a chunk of text, and an error item interrupts the body. */
function source(items: readonly Item[], seen: { cancelled?: boolean } = {}): ChunkSource {
  const encoder = new TextEncoder();
  return {
    async open(controller) {
      controller.signal.addEventListener("abort", () => (seen.cancelled = true));
      return (async function* () {
        for (const item of items) {
          if (item instanceof Error) throw item;
          yield encoder.encode(item);
        }
      })();
    },
    mapper: () => ({
      event(data, emit) {
        emit({ type: "text", text: data });
        return false;
      },
      end: () => undefined,
      failure: (error) => error as Error,
    }),
  };
}

const eventsOf = (texts: readonly string[]): string => texts.map((text) => `data: ${text}\n\n`).join("");
const chunkOf = (text: string): StreamChunk => ({ type: "text", text });

async function collected<T>(items: AsyncIterable<T>): Promise<{ readonly got: T[]; readonly failed: unknown }> {
  const got: T[] = [];
  try {
    for await (const item of items) got.push(item);
  } catch (error) {
    return { got, failed: error };
  }
  return { got, failed: undefined };
}

test("batches keep the stream's order, none is empty, and chunks before a failure come first [providers.contract.batches]", async () => {
  const pieces = fc.array(fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 4 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), async (groups, breaks) => {
      const broken = new Error("the line broke");
      const items = [...groups.map(eventsOf), ...(breaks ? [broken] : [])];
      const stream = streamChunks(source(items));
      const failed = breaks ? broken : undefined;
      expect(await collected(stream)).toEqual({ got: groups.flat().map(chunkOf), failed });
      const together = groups.filter((group) => group.length > 0).map((group) => group.map(chunkOf));
      expect(await collected(stream.batches())).toEqual({ got: together, failed });
    }),
  );
});

test("leaving early cancels the request, for batches and single chunks [providers.contract.batches]", async () => {
  const [first, second] = [{ cancelled: false }, { cancelled: false }];
  for await (const chunk of streamChunks(source([eventsOf(["a", "b"]), eventsOf(["c"])], first))) {
    expect(chunk).toEqual(chunkOf("a"));
    break;
  }
  for await (const chunks of streamChunks(source([eventsOf(["a", "b"]), eventsOf(["c"])], second)).batches()) {
    expect(chunks).toEqual([chunkOf("a"), chunkOf("b")]);
    break;
  }
  expect([first, second]).toEqual([{ cancelled: true }, { cancelled: true }]);
});

test("chunks requested concurrently arrive in order, each once [providers.contract.batches]", async () => {
  const iterator = streamChunks(source([eventsOf(["a", "b"]), eventsOf(["c"])]))[Symbol.asyncIterator]();
  const results = await Promise.all([iterator.next(), iterator.next(), iterator.next(), iterator.next()]);
  expect(results.map(({ value }) => value as unknown)).toEqual([...["a", "b", "c"].map(chunkOf), undefined]);
});
