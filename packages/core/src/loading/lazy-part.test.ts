import { expect, test } from "vitest";

import { lazyPart, loadParts } from "@bailiwick/core/extension";
import { PartUnavailableError } from "@bailiwick/core";

test("a part is loaded with its first use, once, and is available from then on", async () => {
  let loads = 0;
  const part = lazyPart("The part", async () => ({ number: (loads += 1) }));
  expect(loads).toBe(0);
  const use = (sign: number): number | Promise<number> => part(({ number }) => sign * number);
  const both: readonly (number | Promise<number>)[] = [use(1), use(-1)];
  expect(both.every((pending) => pending instanceof Promise)).toBe(true);
  expect([await both[0], await both[1]]).toEqual([1, -1]);
  expect(use(1)).toBe(1);
  expect(loads).toBe(1);
});

test("a part that fails to load rejects with a typed error, and the next use tries again", async () => {
  let isThere = false;
  let uses = 0;
  const part = lazyPart("The part", async () => {
    if (!isThere) throw new TypeError("Failed to fetch");
    return {};
  });
  const use = async (): Promise<number> => part(() => (uses += 1));
  await expect(Promise.all([use(), use()])).rejects.toMatchObject({
    code: "PART_UNAVAILABLE",
    part: "The part",
    message: expect.stringContaining("Failed to fetch"),
  });
  await expect(use()).rejects.toBeInstanceOf(PartUnavailableError);
  expect(uses).toBe(0);
  isThere = true;
  expect(await use()).toBe(1);
});

test("an error thrown by the user of a part is passed on unchanged", async () => {
  const part = lazyPart("The part", async () => ({}));
  const fail = (): never => {
    throw new RangeError("own");
  };
  await expect(part(fail)).rejects.toBeInstanceOf(RangeError);
  expect(() => part(fail)).toThrow(RangeError);
});

test.each([0, 1, 2, 3, 4])("uses start in order, also a use %i microtasks after the part has loaded", async (depth) => {
  const order: string[] = [];
  let arrive: (part: object) => void = () => undefined;
  const promise = new Promise<object>((resolve) => (arrive = resolve));
  const part = lazyPart("The part", () => promise);
  const first = part(() => order.push("first"));
  let later: Promise<unknown> = promise;
  for (let step = 0; step < depth; step += 1) later = later.then(() => undefined);
  const second = later.then(() => part(() => order.push("second")));
  arrive({});
  await Promise.all([first, second]);
  expect(order).toEqual(["first", "second"]);
});

test("loadParts() loads each part, also those of parts, and leaves one that is missing for its first use", async () => {
  const loads: string[] = [];
  const outer = lazyPart("The outer part of a test", async () => {
    loads.push("outer");
    lazyPart("The inner part of a test", async () => {
      loads.push("inner");
      return {};
    });
    return { number: 1 };
  });
  const missing = lazyPart("The missing part of a test", () => Promise.reject(new TypeError("There is no such file")));
  await loadParts();
  expect(loads).toEqual(["outer", "inner"]);
  expect(outer(({ number }) => number)).toBe(1);
  await loadParts();
  expect(loads).toEqual(["outer", "inner"]);
  await expect(missing(() => 1)).rejects.toMatchObject({ code: "PART_UNAVAILABLE" });
});
