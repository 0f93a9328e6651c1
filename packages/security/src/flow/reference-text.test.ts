import type { Message } from "@bailiwick/core";
import { expect, test } from "vitest";

import { referenceMark } from "./fold-record.ts";
import { callOfReference, expandReferences, referenceIn, valueOf } from "./reference-text.ts";

const outputs: Readonly<Record<string, unknown>> = {
  "t1/c0": { "a.b": [{ c: "x" }, null], none: null, text: "words" },
  "r2.t1/c0": "marked",
};
const outputOf = (call: string): unknown => outputs[call];

test("a reference resolves to the value in its place, and never to inherited properties [quarantine.boundary]", () => {
  const at = (reference: string): unknown => valueOf(reference, outputOf)?.value;
  expect(at('$ref:t1/c0:["a.b"][0].c')).toBe("x");
  expect(at('$ref:t1/c0:["a.b"][1]')).toBeNull();
  expect(at("$ref:t1/c0:text")).toBe("words");
  expect(at("$ref:r2.t1/c0")).toBe("marked");
  for (const place of ["constructor", "text.length", "none.x", '["a.b"][7]', '["a.b"][1].c'])
    expect(valueOf(`$ref:t1/c0:${place}`, outputOf), place).toBeUndefined();
  expect(valueOf("$ref:t9/c9", outputOf)).toBeUndefined();
  for (const nothing of ["$ref:t1", "$ref:t1/c0x", "t1/c0"])
    expect(
      valueOf(nothing, () => "anything"),
      nothing,
    ).toBeUndefined();
});

test("references are found as texts and as objects, anywhere in the arguments [quarantine.boundary]", () => {
  const text = "$ref:t1/c0:text";
  expect(
    expandReferences({ list: [text, null, 7], inner: { $ref: text, type: "string" }, none: null }, outputOf),
  ).toEqual({
    args: { list: ["words", null, 7], inner: "words", none: null },
    found: [text, text],
  });
  const plain = { list: ["a", null], price: "$ref:erence", none: undefined };
  expect(expandReferences(plain, outputOf)).toEqual({ args: plain, found: [] });
  expect(expandReferences(plain, outputOf).args).toBe(plain);
  expect(expandReferences([null, text], outputOf).args).toEqual([null, "words"]);
  expect(() => expandReferences({ a: "$ref:t9/c9" }, outputOf)).toThrow("stands for no value of this run");
  expect([null, 7, [text], { $ref: 7 }, {}, { $ref: "#/a" }].map(referenceIn)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(["$ref:r2.t1/c0:a", "$ref:t1/c0", "$ref:t1/c0x"].map(callOfReference)).toEqual([
    "r2.t1/c0",
    "t1/c0",
    undefined,
  ]);
});

test("a run distinguishes its own references from all others in its history [quarantine.boundary]", () => {
  const tool = (content: Extract<Message, { role: "tool" }>["content"]): Message => ({
    role: "tool",
    id: "m",
    toolCallId: "c",
    toolName: "t",
    content,
  });
  const said = (call: string, text: string): Message => ({
    role: "assistant",
    id: "m",
    content: [{ type: "text", text }],
    toolCalls: [{ id: "c", name: "t", arguments: call }],
    finishReason: "stop",
    provenance: { provider: "p", api: "a", model: "m" },
  });
  expect(referenceMark([])).toBe("");
  expect(referenceMark([tool("no reference"), said("{}", "hello")])).toBe("");
  expect(referenceMark([tool('{"$ref":"$ref:t1/c0"}')])).toBe("r2.");
  expect(referenceMark([tool([{ type: "text", text: "$ref:r4.t1/c0" }]), tool("$ref:r3.t1/c0 $ref:t1/c0")])).toBe(
    "r5.",
  );
  expect(referenceMark([said('{"a":"$ref:r2.t1/c0"}', "")])).toBe("r3.");
  expect(referenceMark([said("{}", "See $ref:t2/c1:body.")])).toBe("r2.");
  expect(referenceMark([tool([{ type: "image", mimeType: "image/png", data: "$ref:t1/c0" }])])).toBe("");
});
