import { Agent, env, memoryStore, tool, type RunEvent } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { uiEncoder } from "./ui-encoder.ts";

const canary = "canary/7f3a+Q=wide";
const forms = [
  canary,
  encodeURIComponent(canary),
  Buffer.from(canary).toString("base64"),
  Buffer.from(canary).toString("hex"),
];

test("a known secret is in no part of the UI stream, live or later [secrets.scrub] [secrets.scrub.streaming]", async () => {
  for (const secret of forms) {
    const leak = tool({
      name: "leak",
      description: "Leaks.",
      inputSchema: z.looseObject({}),
      sideEffectClass: "read-only",
      secretsAllowed: ["KEY"],
      execute: ({ fails }) => {
        if (fails === true) throw new Error(`failed with ${secret}`);
        return { text: `result ${secret}` };
      },
    });
    const deltas = `I say ${secret}.`.match(/.{1,3}/gsu) ?? [];
    const model = scriptedModel([
      {
        reasoning: `I think ${secret}.`,
        deltas,
        toolCalls: [
          { name: "leak", arguments: { q: secret } },
          { name: "leak", arguments: {} },
          { name: "leak", arguments: { fails: true } },
        ],
      },
      { deltas },
    ]);
    const agent = new Agent({
      name: "clerk",
      model,
      tools: [leak],
      store: memoryStore(),
      secrets: env({ from: { KEY: canary } }),
    });
    const handle = agent.stream("Begin.");
    const live: RunEvent[] = [];
    for await (const event of handle) live.push(event);
    const { events } = await agent.inspect(handle.runId);
    for (const shown of [live, events]) {
      const encoder = uiEncoder({ runId: handle.runId });
      const parts = [...shown.flatMap((event) => encoder.push(event)), ...encoder.end()];
      const streamed = JSON.stringify(parts);
      const joined = parts
        .map((part) => ("delta" in part ? part.delta : "inputTextDelta" in part ? part.inputTextDelta : ""))
        .join("");
      expect(streamed).not.toContain(secret);
      expect(joined).not.toContain(secret);
      expect(streamed).toContain("result [secret KEY]");
      expect(joined).toContain("I say [secret KEY].");
    }
  }
});

test("the page is shown a call that waits for approval without the secret that its sealed journal holds, live and later [secrets.approved-arguments]", async () => {
  for (const secret of forms) {
    const ran: unknown[] = [];
    const pay = tool({
      name: "pay",
      description: "Pays.",
      inputSchema: z.object({ key: z.string() }),
      sideEffectClass: "external-stateful",
      idempotencyKey: "call",
      needsApproval: true,
      secretsAllowed: ["KEY"],
      execute: (input) => {
        ran.push(input);
        return "paid";
      },
    });
    const agent = new Agent({
      name: "clerk",
      flow: "off",
      model: scriptedModel([{ toolCalls: [{ name: "pay", arguments: { key: secret } }] }, "Done."]),
      tools: [pay],
      store: memoryStore(),
      keys: { seal: "a key" },
      secrets: env({ from: { KEY: canary } }),
    });
    const shown: unknown[] = [];
    const show = async (handle: AsyncIterable<RunEvent> & { readonly runId: string }): Promise<void> => {
      const live: RunEvent[] = [];
      for await (const event of handle) live.push(event);
      const { events } = await agent.inspect(handle.runId);
      for (const one of [live, events]) {
        const encoder = uiEncoder({ runId: handle.runId });
        shown.push([...one.flatMap((event) => encoder.push(event)), ...encoder.end()]);
      }
    };
    const first = agent.stream("Begin.");
    await show(first);
    const decisions = (await first.result).interruptions.map((asked) => asked.approve());
    await show(agent.resumeStream(first.runId, decisions));
    expect(ran).toEqual([{ key: secret }]);
    for (const parts of shown) {
      expect(JSON.stringify(parts)).not.toContain(secret);
      expect(JSON.stringify(parts)).not.toContain("exactArguments");
    }
    expect(JSON.stringify(shown)).toContain("tool-approval-request");
    expect(JSON.stringify(shown)).toContain("[secret KEY]");
  }
});
