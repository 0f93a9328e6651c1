import { createEventDecoder } from "@bailiwick/core/provider";
import { array, assert, constantFrom, nat, property, string } from "fast-check";
import { expect, test } from "vitest";

function decode(bytes: Uint8Array, splits: readonly number[]): { events: string[]; stray: string } {
  const decoder = createEventDecoder();
  const events: string[] = [];
  let from = 0;
  for (const to of [...splits, bytes.length]) {
    events.push(...decoder.push(bytes.subarray(from, to)));
    from = to;
  }
  const end = decoder.end();
  return { events: [...events, ...end.events], stray: end.stray };
}

test("events are complete for any split of the bytes and any line endings [providers.rule.strings.multi-byte]", () => {
  assert(
    property(
      array(
        string({ unit: "binary", maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, "·")),
        { maxLength: 6 },
      ),
      constantFrom("\n", "\r\n", "\r"),
      array(nat(300), { maxLength: 8 }),
      (texts, line, offsets) => {
        const whole = texts.map((text) => `: ping${line}event: e${line}data: ${text}${line}${line}`).join("");
        const bytes = new TextEncoder().encode(whole);
        const splits = offsets.map((offset) => Math.min(offset, bytes.length)).toSorted((a, b) => a - b);
        const expected = texts.map((text) => new TextDecoder().decode(new TextEncoder().encode(text)));
        expect(decode(bytes, splits)).toEqual({ events: expected, stray: "" });
      },
    ),
  );
});

test("multi-line data is joined, the last event needs no blank line, and other text is returned separately", () => {
  const bytes = new TextEncoder().encode('data: a\ndata:b\n\ndata\n{"error":"x"}\ndata: c');
  expect(decode(bytes, [])).toEqual({ events: ["a\nb", "c"], stray: 'data\n{"error":"x"}' });
});
