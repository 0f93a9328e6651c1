import { expect, test } from "vitest";
import { growingViews } from "./sent-views.ts";

const message = (id: string) => ({ id, bytes: new Uint8Array([1]) });

test("the views of a list that grows are the same frozen ones, in a list of the model's own", () => {
  const views = growingViews<{ readonly id: string }>();
  const first = message("a");
  const before = views([first]);
  (before as { id: string }[]).length = 0;
  const [view] = views([first]);
  expect(view).toEqual(first);
  expect(view).not.toBe(first);
  expect(Object.isFrozen(view)).toBe(true);
  const now = views([first, message("b")]);
  expect(now[0]).toBe(view);
  expect(now.map(({ id }) => id)).toEqual(["a", "b"]);
});

test("a list that changes in the middle, or becomes shorter, has the views of its items", () => {
  const views = growingViews<{ readonly id: string }>();
  const last = message("z");
  views([message("a"), last]);
  const changed = views([message("b"), last]);
  expect(changed.map(({ id }) => id)).toEqual(["b", "z"]);
  const again = views([message("c"), last]);
  expect(again.map(({ id }) => id)).toEqual(["c", "z"]);
  expect(again[1]).toBe(changed[1]);
  expect(views([last])).toEqual([last]);
});
