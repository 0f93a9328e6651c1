import { expect, test, vi } from "vitest";

import { BailiwickError, ConfigurationError, ModelError, ModelTimeoutError, OutputValidationError } from "../index.ts";

const invalid = new OutputValidationError("none", [{ path: "city", message: "is missing" }]);

test("isInstance() is true for errors of its class and of derived classes only", () => {
  const timeout = new ModelTimeoutError("turn", "It took too long.", {
    provider: "openai",
    model: "gpt-5.5",
    retryable: true,
  });
  expect(OutputValidationError.isInstance(invalid)).toBe(true);
  expect(OutputValidationError.isInstance(timeout)).toBe(false);
  expect(ModelError.isInstance(timeout)).toBe(true);
  expect(ModelTimeoutError.isInstance(timeout)).toBe(true);
  expect(ModelError.isInstance(invalid)).toBe(false);
  for (const error of [invalid, timeout]) expect(BailiwickError.isInstance(error)).toBe(true);
  for (const other of [new Error("Other."), { name: "OutputValidationError" }, null, undefined, "text"])
    expect(BailiwickError.isInstance(other)).toBe(false);
});

test("isInstance() recognises errors of another copy of the package by their class", async () => {
  vi.resetModules();
  const copy = await import("../index.ts");
  expect(copy.OutputValidationError).not.toBe(OutputValidationError);
  expect(copy.OutputValidationError.isInstance(invalid)).toBe(true);
  expect(copy.BailiwickError.isInstance(invalid)).toBe(true);
  expect(copy.ModelError.isInstance(invalid)).toBe(false);
});

test("isInstance() narrows to the fields of its class", () => {
  const thrown: unknown = invalid;
  expect(OutputValidationError.isInstance(thrown) ? thrown.issues[0]?.path : undefined).toBe("city");
});

test("each error has the command that explains it, separate from its message", () => {
  const error = new ConfigurationError("UNKNOWN_OPTION", "There is no such option.");
  expect(error.docs).toBe("npx bailiwick explain UNKNOWN_OPTION");
  expect(error.message).not.toContain("explain");
  // A copy of the error, such as one in a journal, has only the code: the command follows the version that reads it.
  expect(Object.keys(error)).not.toContain("docs");
  expect(new BailiwickError("RUN_BUSY", "Busy.").docs).toBe("npx bailiwick explain RUN_BUSY");
});
