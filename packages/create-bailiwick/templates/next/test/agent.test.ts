import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptedModel } from "@bailiwick/testing";
import { createDesk } from "../src/agent.ts";

test("a refund waits for a person, and is paid after the approval", async () => {
  const desk = createDesk(
    scriptedModel([
      { toolCalls: [{ name: "refund", arguments: { orderId: "1042", amount: 20 } }] },
      "Your money is on its way.",
    ]),
  );
  const asked = await desk.run("Please refund order 1042.");
  assert.equal(asked.status, "suspended");

  const done = await desk.resume(
    asked.runId,
    asked.interruptions.map((question) => question.approve()),
  );
  assert.equal(done.status, "completed");
  assert.equal(done.text, "Your money is on its way.");
});
