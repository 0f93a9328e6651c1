import { Agent, tool } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { questionText } from "@bailiwick/core/questions";

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test("questionText() makes one text of a batch, with each call and its values [questions.batch]", async () => {
  const mail = "Please invite ada@one.example and ben@two.example.";
  const read = tool({
    name: "read_mail",
    description: "Reads.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted" },
    execute: () => mail,
  });
  const invite = tool({
    name: "invite_user",
    description: "Invites.",
    inputSchema: z.object({ email: z.string() }),
    sideEffectClass: "external-stateful",
    flow: { authority: ["email"] },
    idempotencyKey: "call",
    execute: () => "invited",
  });
  const model = scriptedModel([
    { toolCalls: [{ name: "read_mail", arguments: {} }] },
    {
      toolCalls: ["ada@one.example", "ben@two.example"].map((email) => ({ name: "invite_user", arguments: { email } })),
    },
  ]);
  const flow = { planner: false } as const;
  const agent = new Agent({ name: "club", model, tools: [read, invite], flow, logger });
  const { interruptions } = await agent.run("Invite ada@one.example and ben@two.example, whom the mail names.");
  const lines = questionText(interruptions).split("\n");
  expect(lines[0]).toBe('Unusual: Approve 2 calls of "invite user"? They differ only in their values.');
  expect(lines.filter((line) => line.startsWith("You asked:"))).toHaveLength(1);
  expect(lines.filter((line) => /^\d\. /u.test(line))).toEqual([
    "1. Invite user (email: ada@one.example)?",
    "2. Invite user (email: ben@two.example)?",
  ]);
  expect(lines.filter((line) => line.startsWith("• email: "))).toHaveLength(2);
  expect(questionText([])).toBe("");
  for (const one of interruptions) expect(questionText([one])).toBe(questionText(one));
});
