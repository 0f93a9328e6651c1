import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mapInSlices } from "./large-values.ts";

test("processing in slices returns the same as at once, in order, and fails where the work fails", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer()), async (items) => {
      expect(await mapInSlices(items, (item) => item * 2)).toEqual(items.map((item) => item * 2));
    }),
  );
  const refused = mapInSlices([1, 2], (item) => {
    if (item === 2) throw new Error("no");
    return item;
  });
  await expect(refused).rejects.toThrow("no");
});

test("long work yields to other tasks", async () => {
  const order: string[] = [];
  setTimeout(() => order.push("other"), 0);
  await mapInSlices([1, 2, 3], () => {
    const until = Date.now() + 5;
    while (Date.now() < until);
  });
  order.push("done");
  expect(order).toEqual(["other", "done"]);
});
