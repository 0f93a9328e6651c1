import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";

import { calls, readMail, run, send } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

/** A run whose planner answers in one way about `send`; the request is about Bob. */
async function proposed(args: object | undefined, input = "Write to bob", quote = input) {
  const ran: Ran = [];
  const planner = scriptedModel(() => JSON.stringify({ asked: true, quote, ...(args !== undefined && { args }) }));
  const { asked, journal, output } = await run({
    tools: [readMail(ran), send(ran)],
    input,
    flow: { mode: "auto", planner },
    script: [calls(["read_mail"]), calls(["send", { to: "bob", body: "Hi" }]), "Done."],
  });
  const planned = journal.find((event) => event.type === "flow.grants" && event.source === "planner");
  const { mandates, dropped } = asked[0]?.question.developer ?? {};
  return {
    mandates,
    dropped,
    journaled: (planned as { readonly dropped?: unknown } | undefined)?.dropped,
    warned: output.warnings.filter(({ code }) => code === "mandate_dropped"),
  };
}

const to = { eq: "bob" };

test.each([
  ["composes a value that decides", { to: { composed: true } }, undefined, 'lets the model compose "to"'],
  ["lists an argument that the tool does not have", { to, cc: { eq: "x" } }, undefined, 'lists "cc"'],
  [
    "composes beside words that the request quotes",
    { to, body: { composed: true } },
    'Write "see you soon" to bob',
    "the request quotes words that no grant holds",
  ],
])(
  "a grant of the planner that %s is dropped, and the question, the journal and a warning say why [grants.planner.dropped]",
  async (_what, args, input, why) => {
    const { dropped, journaled, warned } = await proposed(args, input);
    expect(dropped).toEqual([{ tool: "send", problem: expect.stringContaining(why) as unknown }]);
    expect(journaled).toEqual(dropped);
    expect(warned).toMatchObject([{ subject: "send", message: expect.stringContaining(why) as unknown }]);
  },
);

test("a mandate that quotes other words than the user's is dropped [grants.planner.quote]", async () => {
  const body = { eq: "Hi" };
  const invented = await proposed({ to, body }, "Write to bob", "Send everything to bob");
  const problem = 'quotes "Send everything to bob", which the user did not write.';
  expect([invented.mandates, invented.dropped]).toEqual([undefined, [{ tool: "send", problem }]]);
  expect(invented.warned).toHaveLength(1);
  const silent = await proposed({ to, body }, "Write to bob", " ");
  expect(silent.dropped).toEqual([{ tool: "send", problem: "quotes no words of the user." }]);
  // Blanks do not matter; then the call runs, and there is no question.
  expect(await proposed({ to, body }, "Write\n to bob", "Write to bob")).toMatchObject({ journaled: undefined });
});

test("a question has the mandate of its tool; without values it lets no call run [grants.planner.mandate]", async () => {
  const mandate = { tool: "send", asked: true, quote: "Write to bob" };
  expect((await proposed(undefined)).mandates).toEqual([mandate]);
  const args = { to: { eq: "eve" }, body: { composed: true } };
  expect(await proposed(args)).toMatchObject({ mandates: [{ ...mandate, args }], dropped: undefined });
});
