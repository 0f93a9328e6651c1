import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Agent, memoryStore } from "@bailiwick/agent";
import { simulate, simulatedModel, simulation, type SimulationOptions } from "@bailiwick/testing/simulation";
import { expect, test } from "vitest";
import { payTool, paying } from "./payments.test.helper.ts";

const quick = { seeds: 0, single: false } as const;
const model = simulatedModel(() => "Done.");

test("a simulation without work or without an agent is refused [simulation.input]", async () => {
  expect(() => simulation({ app: () => ({ agents: [] }), work: [] })).toThrow(
    expect.objectContaining({ code: "SIMULATION_EMPTY" }),
  );
  const empty = simulation({ app: () => ({ agents: [] }), work: ["Go."] });
  await expect(simulate(empty, quick)).rejects.toMatchObject({ code: "SIMULATION_EMPTY" });
});

test("an agent with another store is refused with the line that gives it the store of its process [simulation.escapes]", async () => {
  const other = simulation({
    app: () => ({ agents: [new Agent({ name: "a", model, store: memoryStore() })] }),
    work: ["Go."],
  });
  await expect(simulate(other, quick)).rejects.toMatchObject({
    code: "SIMULATION_ESCAPE",
    message: expect.stringContaining("app: ({ store }) =>") as string,
  });
});

test.each([
  ["w1/store.append=die", "is not the name of a choice point"],
  ["w1/store.append tool.intent#2=sleep", "is not a fault"],
  ["w1/store.append tool.intent#2=pauseAfter", "needs a duration"],
  ["w1/store.append tool.intent#2", "has no fault"],
  ["order=x", "is not a whole number"],
])("the history %j is refused [simulation.input]", async (history, message) => {
  await expect(simulate(paying(), { history })).rejects.toMatchObject({
    code: "HISTORY_INVALID",
    message: expect.stringContaining(message) as string,
  });
});

test.each([
  [{ workers: 2 }, "is not an option of simulation()"],
  [{ processes: { workers: 0 } }, "must be a whole number from 1"],
])("the options %j are refused [simulation.input]", (more, message) => {
  expect(() => paying(payTool(), more as Partial<SimulationOptions>)).toThrow(message);
});

test("a module that was loaded before the routing is named, with the flag that prevents it [simulation.late]", () => {
  const path = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
  const { stderr } = spawnSync(
    process.execPath,
    [
      "--conditions=@bailiwick/source",
      "--disable-warning=ExperimentalWarning",
      "--import",
      path("core/src/runner/limits/loop-share.ts"),
      "--import",
      path("testing/src/simulation/register.ts"),
      fileURLToPath(new URL("./simulate-payments.test.helper.ts", import.meta.url)),
    ],
    { encoding: "utf8" },
  );
  expect(stderr).toContain("SIMULATION_LATE");
  expect(stderr).toMatch(/loop-share\.ts/);
  expect(stderr).toContain("--import @bailiwick/testing/simulation/register");
});
