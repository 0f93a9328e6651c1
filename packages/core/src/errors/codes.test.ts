import { expect, test } from "vitest";
import { errorCodes, errorFacts, type ErrorCode } from "../extension.ts";
import { BailiwickError, JournalUnavailableError, ModelConnectionError, RunBusyError, StoreError } from "../index.ts";

const codes = Object.keys(errorCodes) as ErrorCode[];
const errors = codes.map((code) => new BailiwickError(code, "It happened."));

test("each error of the framework says if the same call may be repeated [errors.retryable]", () => {
  for (const error of errors) {
    expect(typeof error.retryable, error.code).toBe("boolean");
    expect(error.retryable, error.code).toBe(errorFacts(error).retryable);
  }
  expect(new RunBusyError("r1").retryable).toBe(true);
  expect(new JournalUnavailableError("r1", []).retryable).toBe(true);
});

test("no error of the host ends a run: it is given back, or the call is refused [errors.host]", () => {
  for (const error of errors.filter((one) => errorFacts(one).origin === "host"))
    expect(errorFacts(error).forRun, error.code).not.toBe("end");
  // An error that may be given back and repeated is never the fault of a caller, a model or a tool.
  for (const error of errors.filter((one) => errorFacts(one).forRun === "giveBack"))
    expect(error.code === "RUN_HANDED_OVER" || errorFacts(error).origin === "host", error.code).toBe(true);
});

test("an error says for itself if it is retryable, where the code alone does not decide [errors.retryable]", () => {
  const about = { provider: "openai", model: "m" };
  expect(new ModelConnectionError("It broke.", { ...about, retryable: false }).retryable).toBe(false);
  expect(new ModelConnectionError("It broke.", { ...about, retryable: true }).retryable).toBe(true);
  expect(new BailiwickError("ORDER_LOCKED", "It is locked.").retryable).toBe(false);
  expect(new BailiwickError("ORDER_LOCKED", "It is locked.", { retryable: true }).retryable).toBe(true);
});

test("an error of the user's code ends a run, whatever its code; an error of any store is the host's [errors.host]", () => {
  for (const thrown of [new Error("x"), new BailiwickError("ORDER_LOCKED", "It is locked."), "text", undefined])
    expect(errorFacts(thrown)).toEqual({ origin: "tool", retryable: false, forRun: "end" });
  const foreign = new StoreError("CLUSTER_SPLIT", "The cluster is split.");
  expect(errorFacts(foreign)).toEqual({ origin: "host", retryable: true, forRun: "giveBack" });
  expect(foreign.retryable).toBe(true);
});
