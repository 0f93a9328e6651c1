import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { simulate } from "@bailiwick/testing/simulation";
import { expect, test } from "vitest";
import { hashesOf } from "./hashes.test.helper.ts";
import { payTool, paying } from "./payments.test.helper.ts";

test("60 histories have the same events when they are played again, in another order [simulation.repeats]", async () => {
  const simulated = paying();
  const seeds = Array.from({ length: 60 }, (_, index) => index + 1);
  const first = await hashesOf(simulated, seeds);
  const again = await hashesOf(simulated, seeds.toReversed());
  expect(again.toReversed()).toEqual(first);
  expect(new Set(first).size).toBe(first.length);
});

test("two processes of Node play the same events [simulation.repeats]", async () => {
  const inChild = (): string => {
    const program = fileURLToPath(new URL("./print-hashes.test.helper.ts", import.meta.url));
    const register = fileURLToPath(new URL("../../../testing/src/simulation/register.ts", import.meta.url));
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", "--import", register, program],
      { encoding: "utf8" },
    );
    return stdout === "" ? stderr : stdout;
  };
  const printed = inChild();
  expect(JSON.parse(printed)).toEqual(await hashesOf(paying(), [1, 2, 3, 4, 5, 6]));
  expect(inChild()).toBe(printed);
});

test("an application that keeps state between its starts is refused with the first event that differs [simulation.repeats]", async () => {
  let starts = 0;
  const counting = payTool(async (invoice) => {
    starts += 1;
    await new Promise((resolve) => setTimeout(resolve, starts));
    return invoice;
  });
  await expect(simulate(paying(counting), { seeds: 0, single: false })).rejects.toMatchObject({
    code: "NOT_REPEATABLE",
    message: expect.stringContaining("differ at event") as string,
  });
});
