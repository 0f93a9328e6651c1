import { expect, test } from "vitest";
import { boundedAnswer } from "./bounded-answer.ts";

const mebibyte = 1024 * 1024;

/** An answer of a server in these pieces, read to its end: its size in bytes. */
async function sizeOf(type: string, pieces: readonly string[]): Promise<number> {
  const encoder = new TextEncoder();
  const body = ReadableStream.from(pieces.map((piece) => encoder.encode(piece)));
  const answer = boundedAnswer(new Response(body, { headers: { "content-type": type } }), "https://tracker.example");
  return (await answer.arrayBuffer()).byteLength;
}

test.each([
  ["line feeds", ["data: ", "x", "\n\n"]],
  ["carriage returns before them", ["data: x\r", "\n\r", "\n"]],
  ["the end of an event and the beginning of the next in one piece", ["\n\ndata: ", "x"]],
])(
  "a stream of more bytes than a message may have is read to its end, with %s [mcp.answer-size]",
  async (_, [first = "", ...rest]) => {
    const event = [first, "x".repeat(mebibyte), ...rest];
    const pieces = Array.from({ length: 12 }, () => event).flat();
    expect(await sizeOf("text/event-stream", pieces)).toBe(pieces.join("").length);
  },
);

test("one event of a stream, and a whole body, of more than 10 MiB fail where they are read [mcp.answer-size]", async () => {
  const lines = Array.from({ length: 11 }, () => `data: ${"x".repeat(mebibyte)}\n`);
  const tooLong = "https://tracker.example sent a message of more than 10 MiB";
  await expect(sizeOf("text/event-stream", lines)).rejects.toThrow(tooLong);
  await expect(sizeOf("application/json", lines)).rejects.toThrow(tooLong);
  const body = lines.slice(0, 9);
  expect(await sizeOf("application/json", body)).toBe(body.join("").length);
});
