import { modelTimeouts } from "@bailiwick/core/provider";
import { expect, test } from "vitest";

test("a server on this machine has 30 minutes, any other 10 for the first chunk and 5 between chunks, and the user's limit has precedence [options.timeouts.defaults]", () => {
  const minutes = (address: string | undefined, timeoutMs?: number) => {
    const { firstChunkMs, idleChunkMs } = modelTimeouts(address, timeoutMs);
    return [firstChunkMs / 60_000, idleChunkMs / 60_000];
  };
  for (const own of [
    "http://localhost:11434/v1",
    "http://127.0.0.1",
    "http://127.1.2.3:1",
    "http://[::1]:8080",
    "http://a.localhost",
  ])
    expect([own, minutes(own)]).toEqual([own, [30, 30]]);
  for (const other of [
    undefined,
    "https://api.openai.com/v1",
    "http://localhost.example.com",
    "http://10.0.0.1",
    "no address",
  ])
    expect([other, minutes(other)]).toEqual([other, [10, 5]]);
  expect(minutes("http://localhost", 60_000)).toEqual([1, 30]);
});
