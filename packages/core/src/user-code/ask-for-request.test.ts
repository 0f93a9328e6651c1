import { askForRequest } from "@bailiwick/core/extension";
import { expect, test } from "vitest";

const never = (): Promise<never> => new Promise(() => undefined);

test("a request that has ended before the call does not wait for the function [server.authorize]", async () => {
  const reason = new Error("The caller left.");
  await expect(askForRequest("authorize", AbortSignal.abort(reason), never)).rejects.toBe(reason);
});

test("a value that is there at once counts, also for a request that has ended [server.authorize]", async () => {
  expect(await askForRequest("authorize", AbortSignal.abort(), () => "ana")).toBe("ana");
});

test("a request that ends during the call ends the wait, whatever its time limit is [server.authorize]", async () => {
  for (const timeoutMs of [undefined, Infinity]) {
    const request = new AbortController();
    const answer = askForRequest("authorize", request.signal, never, timeoutMs);
    request.abort(new Error("The caller left."));
    await expect(answer).rejects.toThrow("The caller left.");
  }
});

test("the time limit of a function is an error with its name [server.authorize]", async () => {
  await expect(askForRequest("authorize", undefined, never, 1)).rejects.toMatchObject({
    code: "HOOK_TIMEOUT",
    message: expect.stringContaining('"authorize"'),
  });
});
