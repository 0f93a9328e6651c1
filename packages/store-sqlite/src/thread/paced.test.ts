import { expect, test } from "vitest";
import { paced } from "./paced.ts";

test("bulk processing yields to the event loop between items, in order and completely", async () => {
  const taken: number[] = [];
  let othersRan = 0;
  let going = true;
  const other = (): void => {
    if (!going) return;
    othersRan += 1;
    setImmediate(other);
  };
  setImmediate(other);
  const done = new Promise<void>((resolve) => {
    const handOut = paced((item: number) => {
      taken.push(item);
      if (taken.length === 40) resolve();
      // Starting the work takes a while.
      void Promise.resolve().then(() => {
        const until = performance.now() + 0.5;
        while (performance.now() < until);
      });
    });
    handOut(Array.from({ length: 30 }, (_, item) => item));
    handOut(Array.from({ length: 10 }, (_, item) => 30 + item));
  });
  await done;
  going = false;
  expect(taken).toEqual(Array.from({ length: 40 }, (_, item) => item));
  expect(othersRan).toBeGreaterThan(3);
});
