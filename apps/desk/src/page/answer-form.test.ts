import { expect, test } from "vitest";
import { z } from "zod";
import { readAnswerForm } from "./answer-form.ts";

const formOf = (schema: z.ZodType) => readAnswerForm(z.toJSONSchema(schema));

test("each property of an object has the field that fits it", () => {
  const { fields } = formOf(
    z.object({
      choice: z.enum(["yes", "no"]),
      note: z.string().optional().describe("A note"),
      amount: z.number(),
      urgent: z.boolean(),
      rows: z.array(z.string()),
    }),
  );
  expect(fields.map(({ name, kind, label, required }) => [name, kind, label, required])).toEqual([
    ["choice", "choice", "choice", true],
    ["note", "text", "A note", false],
    ["amount", "number", "amount", true],
    ["urgent", "yes-no", "urgent", true],
    ["rows", "json", "rows", true],
  ]);
});

test("values become the answer, and what is missing is said", () => {
  const form = formOf(z.object({ amount: z.number(), note: z.string().optional(), rows: z.array(z.string()) }));
  expect(form.answerOf({})).toEqual({ ok: false, missing: "amount is missing" });
  expect(form.answerOf({ amount: "two" })).toEqual({ ok: false, missing: "two is no number" });
  expect(form.answerOf({ amount: "2", rows: "[" })).toEqual({ ok: false, missing: "rows is no JSON yet" });
  expect(form.answerOf({ amount: " 2.5 ", note: " ", rows: '["a"]' })).toEqual({
    ok: true,
    value: { amount: 2.5, rows: ["a"] },
  });
});

test("an answer that is one value has one field, whatever the schema", () => {
  const choice = formOf(z.enum(["red", "blue"]));
  expect(choice.fields).toMatchObject([{ name: "", kind: "choice", choices: ["red", "blue"] }]);
  expect(choice.answerOf({})).toEqual({ ok: false, missing: "choose an answer" });
  expect(choice.answerOf({ "": "red" })).toEqual({ ok: true, value: "red" });
  expect(formOf(z.boolean()).answerOf({})).toEqual({ ok: true, value: false });
  expect(formOf(z.string()).answerOf({ "": "Hello." })).toEqual({ ok: true, value: "Hello." });
  const any = readAnswerForm();
  expect(any.answerOf({ "": '{"a":1}' })).toEqual({ ok: true, value: { a: 1 } });
});
