import { expect, test } from "vitest";
import { phrasesOf } from "./phrases-of.ts";

test.each([
  ["", []],
  ["a|b c|", ["a", "b c"]],
  ["do not (follow|obey)", ["do not follow", "do not obey"]],
  ["(do|will) not (follow|obey)|x$", ["do not follow", "do not obey", "will not follow", "will not obey", "x$"]],
  ["ne ((tiens|tenez) compte|suis (pas|plus))", ["ne tiens compte", "ne tenez compte", "ne suis pas", "ne suis plus"]],
])("the phrases of %j are %j", (notation, phrases) => {
  expect(phrasesOf(notation)).toEqual(phrases);
});
