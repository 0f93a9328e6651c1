import { expect, test } from "vitest";
import { readAnswerForm } from "./answer-form.ts";

const text = { type: "string" };
const rows = { type: "array", items: text };

test("the form shows a fitting field for each property of an object", () => {
  const { fields } = readAnswerForm({
    type: "object",
    properties: {
      choice: { type: "string", enum: ["yes", "no"] },
      note: { ...text, description: "A note" },
      amount: { type: "number" },
      urgent: { type: "boolean" },
      rows,
    },
    required: ["choice", "amount", "urgent", "rows"],
  });
  expect(fields.map(({ name, kind, label, required }) => [name, kind, label, required])).toEqual([
    ["choice", "choice", "choice", true],
    ["note", "text", "A note", false],
    ["amount", "number", "amount", true],
    ["urgent", "yes-no", "urgent", true],
    ["rows", "json", "rows", true],
  ]);
});

test("the form's values become the answer, and a missing value is named", () => {
  const form = readAnswerForm({
    type: "object",
    properties: { amount: { type: "number" }, note: text, rows },
    required: ["amount", "rows"],
  });
  expect(form.answerOf({})).toEqual({ ok: false, missing: "amount is missing" });
  expect(form.answerOf({ amount: "two" })).toEqual({ ok: false, missing: "two is not a number" });
  expect(form.answerOf({ amount: "2", rows: "[" })).toEqual({ ok: false, missing: "rows is not JSON yet" });
  expect(form.answerOf({ amount: " 2.5 ", note: " ", rows: '["a"]' })).toEqual({
    ok: true,
    value: { amount: 2.5, rows: ["a"] },
  });
});

test("an answer with a single value has one field, for any schema", () => {
  const choice = readAnswerForm({ type: "string", enum: ["red", "blue"] });
  expect(choice.fields).toMatchObject([{ name: "", kind: "choice", choices: ["red", "blue"] }]);
  expect(choice.answerOf({})).toEqual({ ok: false, missing: "choose an answer" });
  expect(choice.answerOf({ "": "red" })).toEqual({ ok: true, value: "red" });
  expect(readAnswerForm({ type: "boolean" }).answerOf({})).toEqual({ ok: true, value: false });
  expect(readAnswerForm(text).answerOf({ "": "Hello." })).toEqual({ ok: true, value: "Hello." });
  expect(readAnswerForm().answerOf({ "": '{"a":1}' })).toEqual({ ok: true, value: { a: 1 } });
});
