import { expect, test } from "vitest";
import { z } from "zod";

import { calls, made, readMail, run } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

const headphones = { product_id: "P043", name: "Solo Wireless headphones", price: 29.99 };

/** The title and the first value of the question about a checkout, after these results were read. */
async function asked(args: object, ...results: readonly unknown[]) {
  const ran: Ran = [];
  const readers = results.map((returns, at) =>
    made(ran, {
      name: `search_${at}`,
      sideEffectClass: "read-only",
      output: { integrity: "verified", readers: "public" },
      result: returns,
    }),
  );
  const checkout = made(ran, {
    name: "checkout",
    inputSchema: z.looseObject({}),
    sideEffectClass: "external-stateful",
  });
  const { asked: questions } = await run({
    tools: [readMail(ran, { result: "buy P043" }), ...readers, checkout],
    script: [calls(["read_mail"]), ...readers.map(({ name }) => calls([name])), calls(["checkout", args]), "Done."],
    input: "Buy me something.",
  });
  const question = questions[0]?.question;
  return { title: question?.title, record: question?.values[0]?.record, shown: question?.values[0]?.shown };
}

test.each([
  ["a list", { product_ids: ["P043"] }, [headphones], "Checkout (product: Solo Wireless headphones (29.99))?"],
  ["one record", { productId: "P043" }, headphones, "Checkout (product: Solo Wireless headphones (29.99))?"],
  [
    "a nested record",
    { id: "P043" },
    { items: [{ item: headphones }] },
    "Checkout (Solo Wireless headphones (29.99))?",
  ],
  ["a record without an amount", { ref: "R-1" }, { ref: "R-1", title: "Lamp" }, "Checkout (ref: Lamp)?"],
  [
    "a number as the id",
    { order_number: 1042 },
    { number: 1042, subject: "Repair", total: 40 },
    "Checkout (order: Repair (40))?",
  ],
])("a question names the record of an id: %s [questions.record]", async (_what, args, result, title) => {
  const question = await asked(args, result);
  expect(question.title).toBe(title);
  // The id itself stays visible among the values.
  expect(question.shown).toBe(String(Object.values(args).flat()[0]));
});

test.each([
  ["no result has the id", [{ ...headphones, product_id: "P044" }]],
  ["the record has no name", [{ product_id: "P043", price: 3 }]],
  ["the id is in a text", ["P043 is good"]],
  ["the id is in a field that is none", [{ name: "Lamp", note: "P043" }]],
  ["two records with the id have different names", [headphones, { product_id: "P043", name: "Gold bar" }]],
  ["the name belongs to an object inside", [{ product_id: "P043", maker: { name: "Solo" } }]],
])("a question shows the id where %s [questions.record]", async (_what, results) => {
  const question = await asked({ product_ids: ["P043"] }, ...results);
  expect([question.record, question.title]).toEqual([undefined, "Checkout (product ids: P043)?"]);
});
