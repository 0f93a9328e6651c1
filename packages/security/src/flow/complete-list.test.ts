import { expect, test } from "vitest";

import { isComplete } from "./complete-list.ts";
import { items } from "./paths.ts";

const rows = (length: number): readonly number[] => Array.from({ length }, () => 1);

test("a list without a sign is whole if it is shorter than any page [grants.whole-list]", () => {
  expect(isComplete(rows(3), {})).toBe(true);
  for (const length of [4, 5, 7, 10, 50, 101]) expect(isComplete(rows(length), {}), String(length)).toBe(false);
  expect(isComplete([], {})).toBe(true);
  expect(isComplete("text", {})).toBe(true);
  expect(isComplete(null, {})).toBe(true);
});

test("a list that has as many rows as a number in the arguments may have been cut [grants.whole-list]", () => {
  expect(isComplete(rows(3), { limit: 3 })).toBe(false);
  expect(isComplete(rows(3), { limit: "2" })).toBe(false);
  expect(isComplete(rows(2), { limit: 3 })).toBe(true);
  expect(isComplete(rows(3), { limit: 0, offset: -1, name: "", note: "x", flag: true })).toBe(true);
  expect(isComplete(rows(3), undefined)).toBe(true);
});

test("a longer list is whole if the output says that no page follows, or a total that is its length [grants.whole-list]", () => {
  for (const sign of [{ has_more: false }, { meta: { next_cursor: null } }, { pageInfo: { hasNextPage: false } }])
    expect(isComplete({ items: rows(40), ...sign }, { limit: 40 }), JSON.stringify(sign)).toBe(true);
  for (const name of ["total", "totalCount", "total_results"]) {
    expect(isComplete({ items: rows(40), [name]: 40 }, {}), name).toBe(true);
    expect(isComplete({ items: rows(2), [name]: 40 }, {}), name).toBe(false);
  }
  expect(isComplete({ items: rows(40), total: 40, has_more: true }, {})).toBe(false);
  // The number of rows on a page does not tell if another page follows.
  expect(isComplete({ items: rows(40), count: 40 }, {})).toBe(false);
  // Members of a row are data of the row's authors.
  expect(isComplete([...rows(40), { has_more: false, total: 41 }], {})).toBe(false);
});

test.each([
  "next",
  "more",
  "hasMore",
  "has_more",
  "truncated",
  "cursor",
  "nextCursor",
  "page_token",
  "nextPageToken",
  "nextPage",
  "next_page",
])("a list beside %s is cut if it has a value, and whole if it has none [grants.whole-list]", (name) => {
  for (const value of [true, "abc", 2]) expect(isComplete({ items: rows(2), [name]: value }, {})).toBe(false);
  for (const value of [false, null, ""]) expect(isComplete({ items: rows(40), [name]: value }, {})).toBe(true);
});

test("each list inside an output has to be whole, or each list on a path [grants.whole-list]", () => {
  const output = { pages: [{ rows: rows(10), tags: [1] }] };
  expect(isComplete(output, {})).toBe(false);
  expect(isComplete([[1], rows(10)], {})).toBe(false);
  expect(isComplete({ a: { next: "x" }, b: [1] }, {})).toBe(false);
  expect(isComplete(output, {}, { steps: ["pages", items, "rows", items] })).toBe(false);
  expect(isComplete(output, {}, { steps: ["pages", items, "tags", items] })).toBe(true);
  expect(isComplete(output, {}, { steps: ["pages", items, "none", items] })).toBe(true);
  expect(isComplete(output, {}, { steps: [items] })).toBe(true);
});

test("a member that announces further pages counts if it has a value [grants.whole-list]", () => {
  for (const value of [null, undefined, false, ""])
    expect(isComplete({ items: [1], cursor: value }, {}), JSON.stringify(value)).toBe(true);
  for (const value of ["x", true, 0, 7, {}])
    expect(isComplete({ items: [1], cursor: value }, {}), JSON.stringify(value)).toBe(false);
  expect(isComplete({ next: [10, 20] }, {})).toBe(false);
});
