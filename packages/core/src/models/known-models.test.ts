import { expect, test } from "vitest";
import { listPrices } from "../index.ts";
import { knownModels } from "../provider.ts";

test("each listed model has a price with its page and month, and each price has a model [providers.models.table]", () => {
  expect(Object.keys(listPrices).toSorted()).toEqual(Object.keys(knownModels).toSorted());
  for (const [id, { price, source, checked }] of Object.entries(knownModels)) {
    expect({ id, price }).toEqual({ id, price: listPrices[id as `${string}/${string}`] });
    expect(source).toMatch(/^https:/);
    expect(checked).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
  }
});
