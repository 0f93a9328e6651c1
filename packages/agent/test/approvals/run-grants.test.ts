import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { Agent, memoryStore, tool } from "../../src/index.ts";
import type { Grant } from "../../src/index.ts";

type Argument = Grant["args"][string];
type KeysOf<T> = T extends unknown ? keyof T : never;

/** Each form of a granted argument: a missing form does not compile. */
const forms: Readonly<Record<Exclude<KeysOf<Argument>, "holes" | "in" | "each">, Argument>> = {
  eq: { eq: 1 },
  oneOf: { oneOf: [1, 2] },
  max: { max: 5 },
  within: { within: [1, 2] },
  ref: { ref: { tool: "find_total", path: "total" } },
  template: { template: "Order {id}", holes: { id: { words: 2 } } },
  the: { the: "url", in: { tool: "find_total" }, each: true },
  composed: { composed: true },
};

test.each(Object.entries(forms))("run() accepts a grant whose argument has the form %s", async (_name, amount) => {
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ amount: z.union([z.number(), z.string()]) }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    flow: { payload: ["amount"] },
    execute: () => "paid",
  });
  const agent = new Agent({ name: "clerk", model: scriptedModel(["Done."]), tools: [pay] });
  const { status } = await agent.run("Go.", { grants: [{ tool: "pay", args: { amount } }] });
  expect(status).toBe("completed");
});

test("run() refuses a grant whose argument has no form, and names all forms", async () => {
  const agent = new Agent({ name: "clerk", model: scriptedModel(["Done."]) });
  const grants = [{ tool: "pay", args: { amount: { over: 5 } as never } }];
  await expect(agent.run("Go.", { grants })).rejects.toThrow(
    `grants[0].args.amount has one of ${Object.keys(forms).join(", ")}`,
  );
});

test("a run's grants are journaled before its first model call, so a recovering process has them", async () => {
  const send = tool({
    name: "send",
    description: "Sends.",
    inputSchema: z.object({ to: z.string() }),
    sideEffectClass: "external-stateful",
    flow: { authority: ["to"] },
    execute: () => "sent",
  });
  const store = memoryStore();
  const agent = new Agent({ name: "clerk", model: scriptedModel(["Done."]), tools: [send], store, flow: "enforce" });
  const grant = { tool: "send", args: { to: { eq: "ada" } } };
  const { runId } = await agent.run("Go.", { grants: [grant] });
  const { events } = await agent.inspect(runId);
  const at = events.findIndex(({ type }) => type === "flow.grants");
  expect(events[at]).toMatchObject({ source: "user", grants: [grant] });
  expect(at).toBeLessThan(events.findIndex(({ type }) => type === "model.intent"));
});
