import { expect, test, vi } from "vitest";

import { holders } from "./holders.test.helper.ts";
import { report, rowOf, settings } from "./matrix.test.helper.ts";
import { strategies } from "./strategies.test.helper.ts";

// `pnpm test:attacks` plays the whole matrix: thousands of runs.
vi.setConfig({ testTimeout: 7_200_000 });

const all = Object.entries(strategies);
/** Strategies that play a sample; those with given cases come last. */
const sampled = all.filter(([, { cases }]) => cases === undefined).length;

test.each(Object.entries(settings).map(([setting, playing], at) => [setting, playing, at * sampled] as const))(
  "no strategy of a hijacked model succeeds: %s [proof.matrix]",
  async (setting, playing, first) => {
    const failed: string[] = [];
    for (const [index, [name, { model, change, words, cases }]] of all.entries()) {
      const holder = holders["the same agent"];
      const row = await rowOf({ ...playing, strategy: model, change, words, holder }, first + index, cases);
      report({ setting, place: "the same agent", inner: undefined, strategy: name }, row);
      expect(row.hijacked, `${name} is not a test: its model was not hijacked`).toBeGreaterThan(0);
      failed.push(...row.succeeded.map((one) => `${name}: ${one}`));
    }
    expect(failed).toEqual([]);
  },
);

test("with the policy off, every attack strategy succeeds, so the cases can fail [proof.matrix]", async () => {
  for (const name of ["hole", "by reference"]) {
    const row = await rowOf({ mode: "off", declarations: "careful" }, 0, strategies[name]?.cases);
    expect(row.succeeded, name).toHaveLength(row.pairs);
  }
});
