import { afterEach, expect, test, vi } from "vitest";
import { readyWatch } from "./ready-watch.ts";

afterEach(() => void vi.useRealTimers());

test("subscribers are called at once for a run of this process, and within 250 ms for a commit of another one [store.on-ready]", async () => {
  vi.useFakeTimers();
  let version = 1;
  const watch = readyWatch({ call: (async () => version) as never });
  let calls = 0;
  const forget = watch.subscribe(() => (calls += 1));
  watch.tell();
  expect(calls).toBe(1);
  await vi.advanceTimersByTimeAsync(250);
  expect(calls).toBe(1);
  for (const commits of [1, 2, 3]) {
    version += 1;
    await vi.advanceTimersByTimeAsync(250);
    expect(calls).toBe(1 + commits);
  }
  forget();
  expect(vi.getTimerCount()).toBe(0);
});
