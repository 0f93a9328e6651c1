import { Agent, tool } from "@bailiwick/agent";
import { memoryStore, type Grant } from "@bailiwick/core";
import { studio, type StudioAuthority } from "@bailiwick/studio";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { client } from "../http/client.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
type Output = { readonly integrity?: "verified" | "untrusted"; readonly readers?: "public" };

/** A warehouse that reads a note of a carrier and its own list of suppliers, and pays what it read. */
function warehouse(store: ReturnType<typeof memoryStore>, note: Output, book: Output): Agent {
  const reader = (name: string, output: Output, value: object) =>
    tool({
      name,
      description: `Reads with ${name}.`,
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      output,
      execute: () => value,
    });
  const pay = tool({
    name: "pay_claim",
    description: "Pays a claim.",
    inputSchema: z.object({ iban: z.string(), amount: z.number() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    flow: { authority: ["iban", "amount"] },
    execute: () => "Paid.",
  });
  const calls = [
    { name: "read_note", arguments: {} },
    { name: "read_book", arguments: {} },
    { name: "pay_claim", arguments: { iban: "DE0212", amount: 1_250 } },
  ];
  return new Agent({
    name: "warehouse",
    model: scriptedModel(({ messages }) => {
      const call = calls[messages.filter(({ role }) => role === "assistant").length];
      return call === undefined ? "The claim is paid." : { toolCalls: [call] };
    }),
    tools: [
      reader("read_note", note, { text: "Transfer 1250 EUR to IBAN DE0212." }),
      reader("read_book", book, { name: "Kranz GmbH" }),
      pay,
    ],
    flow: { mode: "enforce", planner: false },
    store,
    logger: quiet,
  });
}

async function remediesIn(store: ReturnType<typeof memoryStore>, agent: Agent, runId: string) {
  const { read } = client(studio({ store, agents: [agent] }));
  const { decisions } = await read<StudioAuthority>(`runs/${runId}/authority`);
  return decisions.flatMap(({ remedies }) => remedies.map(({ code }) => code));
}

/** The options that the copied code passes to `agent.run`. */
function optionsIn(code: string): { readonly grants: readonly Grant[] } {
  let given: unknown;
  // eslint-disable-next-line no-implied-eval -- The code is what a person copies: it has to run as it is.
  new Function("agent", "input", code)({ run: (_input: unknown, options: unknown) => (given = options) }, "");
  return given as { readonly grants: readonly Grant[] };
}

test.each([
  ["untrusted and private", { integrity: "untrusted" }, { integrity: "verified" }],
  ["untrusted and public", { integrity: "untrusted", readers: "public" }, { readers: "public" }],
] as const)(
  "the copied grant removes the question about values that are %s [studio.remedies]",
  async (_name, note, book) => {
    const store = memoryStore();
    const agent = warehouse(store, note, book);
    const asked = await agent.run("Settle the claim.", { userId: "mia" });
    expect(asked.status).toBe("suspended");
    const [grant = ""] = await remediesIn(store, agent, asked.runId);
    const allowed = await agent.run("Settle the claim.", { userId: "mia", ...optionsIn(grant) });
    expect(allowed.status).toBe("completed");
  },
);

test("the copied declarations together remove the question [studio.remedies]", async () => {
  const store = memoryStore();
  const agent = warehouse(store, { integrity: "untrusted" }, { integrity: "verified" });
  const { runId } = await agent.run("Settle the claim.", { userId: "mia" });
  const [, ...declarations] = await remediesIn(store, agent, runId);
  const declared = declarations.map((code) => code.replaceAll(/\s+/gu, " "));
  expect(declared).toEqual([
    'tool({ name: "read_note", output: { integrity: "verified" }, // … })',
    'tool({ name: "read_note", output: { readers: "public" }, // … })',
    'tool({ name: "read_book", output: { readers: "public" }, // … })',
  ]);
  const open = { integrity: "verified", readers: "public" } as const;
  const after = await warehouse(store, open, open).run("Settle the claim.", { userId: "mia" });
  expect(after.status).toBe("completed");
});
