import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openai } from "@bailiwick/providers-openai";
import { cassette } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { afterAll, expect, test } from "vitest";
import { add, addCall, failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "cassettes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("an agent's run is recorded and replayed; a different request fails at once, without a retry [feature:X104]", async () => {
  const path = join(folder, "sum.json");
  const agentOn = (fetch: typeof globalThis.fetch, baseURL: string, instructions: string) =>
    new Agent({
      name: "calculator",
      logger: quiet,
      model: openai("gpt-5.5", { apiKey: "test-key-0123", baseURL, fetch }),
      instructions,
      tools: [add],
      retry: { initialDelayMs: 1 },
    });
  {
    await using server = await modelServer([addCall(20, 22), { faults: { error: { status: 503 } } }, "It is 42."]);
    await using tape = await cassette({ path, mode: "record" });
    await agentOn(tape.fetch, server.baseURL("openai"), "Calculate.").run("20 + 22?");
  }
  await using tape = await cassette({ path });
  // The recorded outage is played too: the exchanges after it answer the retry.
  const played = await agentOn(tape.fetch, "http://127.0.0.1:9/v1", "Calculate.").run("20 + 22?");
  expect(played.text).toBe("It is 42.");
  expect(tape.unused).toEqual([]);

  await using other = await cassette({ path });
  let asked = 0;
  const counting: typeof globalThis.fetch = (...given) => {
    asked += 1;
    return other.fetch(...given);
  };
  const changed = agentOn(counting, "http://127.0.0.1:9/v1", "Guess.").run("20 + 22?");
  expect(await failureOf(changed)).toMatchObject({
    code: "CASSETTE_MISMATCH",
    message: expect.stringContaining('recorded "Calculate.", sent "Guess."') as string,
  });
  expect(asked).toBe(1);
});
