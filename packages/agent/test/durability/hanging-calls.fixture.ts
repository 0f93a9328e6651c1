import { argv } from "node:process";
import { tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { Agent } from "../../src/index.ts";

/** A process whose only pending work is a promise that never settles: `node hanging-calls.fixture.ts <what hangs>`. */
const what = argv[2];
const never = new Promise<never>(() => undefined);

const wait = tool({
  name: "wait",
  description: "Waits.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  needsApproval: what === "approver",
  timeoutMs: 200,
  execute: () => never,
});

const agent = new Agent({
  name: "agent",
  model: scriptedModel([{ toolCalls: [{ name: "wait" }] }, "Done."]),
  tools: [wait],
  approval: { timeout: 200, timeoutAction: "deny", ...(what === "approver" && { onApproval: () => never }) },
  logger: { debug() {}, info() {}, warn() {}, error() {} },
});

const { status, toolCalls } = await agent.run("go");
console.log(status, toolCalls[0]?.error?.kind);
