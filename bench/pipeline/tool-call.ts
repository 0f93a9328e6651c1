/**
 * CPU of one tool call with all stages on and no sandbox, without the model and the store.
 *
 *   pnpm exec node --conditions=@bailiwick/source bench/pipeline/tool-call.ts
 *
 * Budget: 15 µs a call. Each row turns one more part on; the last is all of them.
 */
import { createRequire } from "node:module";
import { tool } from "../../packages/core/src/tools/tool.ts";
import { harness } from "../../packages/core/src/runner/tool-call/call-harness.test.helper.ts";
import type { HarnessOptions } from "../../packages/core/src/runner/tool-call/call-harness.test.helper.ts";

const { z } = createRequire(new URL("../../packages/core/package.json", import.meta.url))("zod") as typeof import("zod");
const calls = 64;
const turns = 400;

const sync = tool({
  name: "look_up",
  description: "Looks an order up.",
  inputSchema: z.object({ orderId: z.string(), lines: z.number() }),
  outputSchema: z.object({ orderId: z.string(), state: z.string() }),
  sideEffectClass: "read-only",
  execute: ({ orderId }) => ({ orderId, state: "sent" }),
});
const asynchronous = { ...sync, execute: async (input: unknown) => ({ orderId: (input as { orderId: string }).orderId, state: "sent" }) };
const predicate = { ...asynchronous, needsApproval: () => false };
const writer = { ...predicate, sideEffectClass: "external-stateful" as const, idempotencyKey: "call" as const };

const secrets = {
  check: () => undefined,
  ready: () => Promise.resolve(),
  accessFor: () => ({ fetch, secrets: { require: () => Promise.reject(new Error("none")) } }),
  scrub: <T>(value: T): T => value,
  textScrubber: () => ({ push: (text: string) => text, end: () => "" }),
  holdsSecret: () => false,
};
const sanitizer = { inbound: (content: unknown) => ({ content: content as string, findings: [] }), display: <T>(value: T): T => value };
const flow = () => ({
  labelFor: () => undefined,
  observe: () => undefined,
  decide: () => ({ verdict: "allow" as const, rule: "R1", explanation: "" }),
  coversRemembered: () => false,
  quarantine: (_call: unknown, output: unknown) => output,
  resolveReferences: (args: unknown) => args,
  stopsAfterDenials: () => false,
  answerFilter: () => ({ push: (text: string) => text, end: () => "" }),
  controlLabel: () => ({ id: "l", integrity: "user" as const, readers: "public" as const, parents: [], origin: { kind: "join" as const } }),
});

const rows: [string, Omit<HarnessOptions, "calls">][] = [
  ["synchronous reader", { tools: [sync] }],
  ["asynchronous reader", { tools: [asynchronous] }],
  ["+ approval predicate", { tools: [predicate] }],
  ["+ flow policy", { tools: [predicate], flow }],
  ["+ secrets, sanitizer", { tools: [predicate], flow, secrets, sanitizer }],
  ["writer with key", { tools: [writer], flow, secrets, sanitizer }],
];

const scripted = Array.from({ length: calls }, (_, index) => ({ name: "look_up", args: { orderId: `o${index}`, lines: index } }));

for (const [name, options] of rows) {
  let micros = 0;
  for (let turn = -50; turn < turns; turn += 1) {
    const self = await harness({ ...options, calls: scripted, settings: { toolConcurrency: calls } });
    const before = process.cpuUsage();
    await self.drive();
    const used = process.cpuUsage(before);
    if (turn >= 0) micros += used.user + used.system;
  }
  console.log(`${name.padEnd(24)} ${(micros / turns / calls).toFixed(2)} µs a call`);
}
