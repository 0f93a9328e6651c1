import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";

import { calls, readMail, run, send } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

/** A run whose planner proposes one grant for `send`; the request is about Bob. */
async function proposed(args: readonly object[], input = "Write to bob", tool = "send") {
  const ran: Ran = [];
  const planner = scriptedModel(() => JSON.stringify({ grants: [{ tool, args }] }));
  const { asked, journal } = await run({
    tools: [readMail(ran), send(ran)],
    input,
    flow: { mode: "auto", planner },
    script: [calls(["read_mail"]), calls(["send", { to: "bob", body: "Hi" }]), "Done."],
  });
  const planned = journal.find((event) => event.type === "flow.grants" && event.source === "planner");
  return {
    developer: asked[0]?.question.developer.dropped,
    journaled: (planned as { readonly dropped?: unknown } | undefined)?.dropped,
  };
}

const toBob = { path: "to", eq: "bob" };

test.each([
  ["composes a value that decides", [{ path: "to", composed: true }], undefined, 'lets the model compose "to"'],
  ["lists an argument that the tool does not have", [toBob, { path: "cc", eq: "x" }], undefined, 'lists "cc"'],
  [
    "composes beside words that the request quotes",
    [toBob, { path: "body", composed: true }],
    'Write "see you soon" to bob',
    "the request quotes words that no grant holds",
  ],
])(
  "a grant of the planner that %s is dropped, and the question and the journal say why [grants.planner.dropped]",
  async (_what, args, input, why) => {
    const { developer, journaled } = await proposed(args, input);
    expect(developer).toEqual([{ tool: "send", problem: expect.stringContaining(why) as unknown }]);
    expect(journaled).toEqual(developer);
  },
);

test("a question names only the dropped grants of the call's tool, and none if all count [grants.planner.dropped]", async () => {
  const other = await proposed([{ path: "to", eq: "bob" }], undefined, "delete_all");
  expect(other.developer).toBeUndefined();
  expect(other.journaled).toEqual([
    { tool: "delete_all", problem: expect.stringContaining("does not have") as unknown },
  ]);
  const counted = await proposed([
    { path: "to", eq: "eve" },
    { path: "body", composed: true },
  ]);
  expect(counted).toEqual({ developer: undefined, journaled: undefined });
});
