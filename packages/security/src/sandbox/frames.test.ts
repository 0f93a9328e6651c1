import * as fc from "fast-check";
import { expect, test } from "vitest";

import { encodeFrame, frameNonce, frameReader } from "./frames.ts";
import type { SandboxFrame } from "./frames.ts";

const nonce = frameNonce();

/** Results of a frame reader whose bytes arrive in pieces. */
function readAll(
  bytes: Uint8Array,
  cuts: readonly number[] = [],
  maxBytes = 1_000_000,
): { readonly frames: readonly SandboxFrame[]; readonly forged: number; readonly floods: number } {
  const frames: SandboxFrame[] = [];
  let floods = 0;
  const reader = frameReader({
    nonce,
    maxBytes,
    onFrame: (frame) => frames.push(frame),
    onFlood: () => {
      floods += 1;
    },
  });
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (let index = 1; index < at.length; index += 1) reader.push(bytes.slice(at[index - 1], at[index]));
  return { frames, forged: reader.forged, floods };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const anyCall: fc.Arbitrary<SandboxFrame> = fc.record({
  kind: fc.constant("call" as const),
  id: fc.nat(),
  name: fc.string({ unit: "binary" }),
  args: fc.array(fc.jsonValue()),
});

test("frames are read unchanged, for any split of their bytes, with noise between them [sandbox.framed-results]", () => {
  fc.assert(
    fc.property(
      fc.array(anyCall, { maxLength: 5 }),
      fc.jsonValue(),
      fc.array(fc.constantFrom("noise", "{}", "[1]", "null", '{"nonce":1}', "ü→\u{1f600}"), { maxLength: 3 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      (calls, value, noise, cuts) => {
        const sent: SandboxFrame[] = [...calls, { kind: "result", value }];
        const lines = [...noise.map((line) => `${line}\n`), ...sent.map((frame) => encodeFrame(nonce, frame))];
        const { frames, forged } = readAll(bytesOf(lines.join("")), cuts);
        expect(frames).toEqual(JSON.parse(JSON.stringify(sent)));
        expect(forged).toBe(noise.length);
      },
    ),
  );
});

test("a line without the call's nonce is not a message of the runner [sandbox.framed-results]", () => {
  const forged = { kind: "result", value: "forged" } as const;
  const text = [
    encodeFrame(frameNonce(), forged),
    `${JSON.stringify({ frame: forged })}\n`,
    `${JSON.stringify({ nonce: [nonce], frame: forged })}\n`,
    `${JSON.stringify(forged)}\n`,
    `${JSON.stringify({ nonce, frame: { kind: "verdict", value: 1 } })}\n`,
    encodeFrame(nonce, { kind: "result", value: "said" }),
  ];
  expect(readAll(bytesOf(text.join("")))).toMatchObject({ frames: [{ value: "said" }], forged: 5 });
});

test("the first settlement wins, and later output is not read [sandbox.framed-results]", () => {
  const text = [
    encodeFrame(nonce, { kind: "error", error: { message: "first" } }),
    encodeFrame(nonce, { kind: "result", value: "second" }),
    encodeFrame(nonce, { kind: "call", id: 1, name: "log", args: [] }),
  ];
  expect(readAll(bytesOf(text.join(""))).frames).toEqual([{ kind: "error", error: { message: "first" } }]);
});

test("exceeding the size limit is reported once, and later output is not read [sandbox.framed-results] [sandbox.every-exit-settles]", () => {
  const text = `${"x".repeat(200)}\n${encodeFrame(nonce, { kind: "result", value: 1 })}`;
  expect(readAll(bytesOf(text), [50, 120], 150)).toEqual({ frames: [], forged: 0, floods: 1 });
});

test("each call has its own nonce [sandbox.framed-results]", () => {
  const all = Array.from({ length: 100 }, frameNonce);
  expect(new Set(all).size).toBe(100);
  expect(all.every((one) => /^[0-9a-f]{32}$/u.test(one))).toBe(true);
});
