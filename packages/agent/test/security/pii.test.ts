import { foldJournal, memoryStore, tool, type Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { collect, failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent, piiGuard } from "../../src/index.ts";
import { type PiiAction, type PiiGuard } from "@bailiwick/security";

const mail = "ada@example.com";
const card = "4111 1111 1111 1111";

/** A reader that returns a customer's address. */
function lookup(): Tool {
  return tool({
    name: "lookup",
    description: "Looks up.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => ({ mail, order: 1042 }),
  });
}

/** A writer that records its recipients. */
function sender(): { readonly send: Tool; readonly sent: string[] } {
  const sent: string[] = [];
  const send = tool({
    name: "send",
    description: "Sends.",
    inputSchema: z.object({ to: z.string(), lines: z.array(z.string()) }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    execute: ({ to, lines }) => (sent.push(to, ...lines), "sent"),
  });
  return { send, sent };
}

const lookupCall = { toolCalls: [{ name: "lookup", arguments: {} }] };
const make = (
  action: PiiAction,
  script: Parameters<typeof scriptedModel>[0],
  tools: readonly Tool[] = [],
  guard: PiiGuard = piiGuard({ action }),
) => {
  const model = scriptedModel(script);
  return {
    model,
    agent: new Agent({
      name: "agent",
      flow: "off",
      logger: quiet,
      model,
      tools,
      guardrails: guard,
      store: memoryStore(),
    }),
  };
};

test("input, answers and tool results with personal data are refused, without repeating the data [guardrails.pii] [guardrails.pii.block]", async () => {
  const input = make("block", ["never"]);
  const error = await failureOf(input.agent.run(`I am ${mail}`));
  expect(error).toMatchObject({
    code: "GUARDRAIL_TRIPPED",
    message: expect.stringContaining("an email address") as string,
  });
  expect((error as Error).message).not.toContain(mail);
  expect(input.model.requests).toEqual([]);

  const output = await collect(make("block", [`${"It is long. ".repeat(60)} Pay with ${card}.`]).agent.stream("go"));
  expect(output.error).toMatchObject({ code: "GUARDRAIL_TRIPPED" });
  const shown = output.events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
  expect(shown).toContain("It is long.");
  expect(JSON.stringify(output.events)).not.toContain(card.slice(0, 6));

  const result = make("block", [lookupCall, "Done."], [lookup()]);
  expect((await result.agent.run("go")).toolCalls[0]).toMatchObject({
    isError: true,
    error: { kind: "policy_denied" },
  });
  expect(JSON.stringify(result.model.requests)).not.toContain(mail);
});

test("personal data is replaced before the model and the reader see it [guardrails.pii.redact]", async () => {
  const { agent, model } = make("redact", [lookupCall, `Wrote to ${mail}.`], [lookup()]);
  const { events } = await collect(agent.stream([{ type: "text", text: `My card is ${card}` }]));
  expect(JSON.stringify(model.requests[0]?.messages)).toContain("My card is [credit-card removed]");
  const asked = JSON.stringify(model.requests[1]?.messages);
  expect(asked).toContain("[email removed]");
  expect(asked).toContain("1042");
  expect(asked).not.toContain(mail);
  expect(events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("")).toBe(
    "Wrote to [email removed].",
  );
});

test("the model reads tokens, tools get the values in any process, and authorized code can restore them [guardrails.pii.tokenize]", async () => {
  const { send, sent } = sender();
  const gated: Tool = { ...send, needsApproval: true };
  const tokenOf = (text: string): string => /\[email:[a-z0-9]{10}\]/.exec(text)?.[0] ?? "none";
  const guard = piiGuard({ action: "tokenize" });
  const { agent, model } = make(
    "tokenize",
    (request) => {
      const token = tokenOf(JSON.stringify(request.messages));
      if (request.turn === 0)
        return {
          toolCalls: [{ name: "send", arguments: { to: token, lines: [`for ${token}`, "[email:aaaaaaaaaa]"] } }],
        };
      return request.turn === 1 ? lookupCall : `Wrote to ${token}.`;
    },
    [gated, lookup()],
    guard,
  );
  const first = await agent.run(`Write to ${mail}`);
  expect(first.interruptions[0]?.args).toMatchObject({ to: mail });
  const output = await agent.resume(
    first.runId,
    first.interruptions.map((asked) => asked.approve()),
  );
  expect(sent).toEqual([mail, `for ${mail}`, "[email:aaaaaaaaaa]"]);
  expect(JSON.stringify(model.requests)).not.toContain(mail);
  const token = tokenOf(output.text);
  // One token represents one value, from any source.
  expect(JSON.stringify(model.requests[2]?.messages).split(token).length).toBeGreaterThan(3);
  const { sessionState } = foldJournal((await agent.inspect(output.runId)).events);
  const state = { getState: <T>(key: string): T | undefined => sessionState[key] as T | undefined };
  expect(guard.restore(output.text, state)).toBe(`Wrote to ${mail}.`);
});

test("an option shows the answer with the original values [guardrails.pii.tokenize.restore-answer]", async () => {
  const guard = piiGuard({ action: "tokenize", restoreAnswer: true });
  const { agent, model } = make(
    "tokenize",
    (request) => `Hello ${/\[email:\w+\]/.exec(JSON.stringify(request.messages))?.[0] ?? ""}`,
    [],
    guard,
  );
  expect((await agent.run(mail)).text).toBe(`Hello ${mail}`);
  expect(JSON.stringify(model.requests)).not.toContain(mail);
});

test("a guard with no effect, or with options that it cannot honour, is refused [guardrails.pii]", () => {
  for (const options of [
    { action: "hide" },
    { action: "redact", kinds: ["emails"] },
    { action: "block", kinds: [] },
    { action: "redact", restoreAnswer: true },
  ]) {
    expect(() => piiGuard(options as never)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }) as Error);
  }
});
