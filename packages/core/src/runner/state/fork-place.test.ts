import { expect, test } from "vitest";
import { callKey } from "../../journal/run-state.ts";
import { defaultHasher } from "../../journal/default-ports.ts";
import { insideRunId, movedInside } from "../state/fork-place.ts";

const hasher = defaultHasher();

test("the hundred-and-first run inside a call is moved with the call, and a run of another call is not [run.fork]", () => {
  const last = insideRunId(hasher, "old", callKey(2, 0), 101);
  const moved = (index: number): string => movedInside(hasher, { turn: 2, index, childRunId: last }, "old", "new");
  expect(moved(0)).toBe(insideRunId(hasher, "new", callKey(2, 0), 101));
  expect(moved(1)).toBe(last);
});
