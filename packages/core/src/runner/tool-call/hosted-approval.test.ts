import { expect, test } from "vitest";
import { harness, toolTexts } from "./call-harness.test.helper.ts";

const part = {
  type: "hosted_tool" as const,
  toolCallId: "mcp_1",
  toolName: "delete_repo",
  input: { repo: "a" },
  approvalRequestId: "mcpr_1",
};

test("a vendor's approval request becomes an interruption, and the decision becomes the message that the vendor expects [people.when]", async () => {
  const self = await harness({ calls: [], content: [part] });
  const outcome = await self.drive();
  expect(outcome.interruptions).toMatchObject([
    { kind: "approval", toolName: "delete_repo", toolCallId: "mcpr_1", args: { repo: "a" } },
  ]);
  expect(outcome.functionResults).toMatchObject([{ type: "hosted_mcp_tool_approval", tool: { name: "delete_repo" } }]);
  await self.restart();
  expect((await self.drive()).interruptions[0]?.id).toBe(outcome.interruptions[0]?.id);
  self.decide(outcome.interruptions[0]!.reject("not that one"));
  expect((await self.drive()).interruptions).toEqual([]);
  const message = self.journal.state.messages.at(-1);
  expect(message).toMatchObject({
    role: "tool",
    toolCallId: "mcpr_1",
    hostedApproval: { approved: false, reason: "not that one" },
  });
  await self.drive();
  expect(toolTexts(self)).toHaveLength(1);
});

test("an inline approver decides about hosted calls too; a timeout never approves them", async () => {
  const approved = await harness({
    calls: [],
    content: [part],
    options: { onApprovalRequired: (_agent, call) => call.name === "delete_repo" },
  });
  await approved.drive();
  expect(approved.journal.state.messages.at(-1)).toMatchObject({ hostedApproval: { approved: true } });
  const waiting = await harness({
    calls: [],
    content: [part],
    runId: "run-2",
    settings: { approval: { onApproval: () => new Promise(() => {}), timeout: 5, timeoutAction: "approve" } },
  });
  const driven = waiting.drive();
  await waiting.clock.advance(5);
  await driven;
  expect(waiting.journal.state.messages.at(-1)).toMatchObject({ hostedApproval: { approved: false } });
});

test("an unattended run ends at an approval request of the vendor, also after a restart [flow.unattended]", async () => {
  const self = await harness({ calls: [], content: [part], settings: { flow: { unattended: "fail" } } });
  expect(await self.drive()).toMatchObject({ interruptions: [], stop: "unattended" });
  expect(self.journal.state.messages.at(-1)).toMatchObject({
    hostedApproval: { approved: false, reason: expect.stringContaining('flow.unattended: "pend"') as string },
  });
  await self.restart();
  expect(await self.drive()).toMatchObject({ interruptions: [], stop: "unattended" });
});
