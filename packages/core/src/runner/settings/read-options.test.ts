import { expect, test } from "vitest";
import { readOptions } from "./check-settings.ts";

test("an option that throws when it is read is refused by name, with the cause [options.values]", () => {
  const fault = new Error("Not now.");
  const options = {
    maxTurns: 1,
    budget: {
      get tokens(): number {
        throw fault;
      },
    },
  };
  expect(() => readOptions(options, "a run", () => options.budget.tokens)).toThrow(
    expect.objectContaining({
      code: "INVALID_OPTION",
      message: expect.stringContaining("a run: budget throws when it is read.") as string,
      cause: fault,
    }),
  );
});

test("an error that no option explains is thrown as it is", () => {
  const fault = new RangeError("Another.");
  const read = (): never => {
    throw fault;
  };
  expect(() => readOptions({ maxTurns: 1 }, "a run", read)).toThrow(fault);
});
