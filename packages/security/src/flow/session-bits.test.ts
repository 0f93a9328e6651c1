import { memorySessions } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";

import { calls, made, rulesOf, run, send } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

test("bits that one run of a session read count in full for the next run [flow.r2.low-capacity-leaves] [flow.r2.all-messages]", async () => {
  const session = memorySessions();
  const ran: Ran = [];
  const agent = { session };
  const options = { sessionId: "s" };
  // No argument decides, so only the context does.
  const open = made(ran, {
    name: "is_open",
    inputSchema: z.object({}),
    outputSchema: z.boolean(),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted", readers: "public" },
    result: true,
  });
  const tools = [open, send(ran, { flow: { payload: ["to"] } })];
  const write = calls(["send", { to: "ann" }]);
  const first = await run({
    tools,
    agent,
    options,
    input: "Write to ann, if it is open.",
    script: [calls(["is_open"]), write, "Done."],
  });
  const second = await run({ tools, agent, options, input: "Write to ann again.", script: [write, "Done."] });
  const alone = await run({ tools, input: "Write to ann again.", script: [write, "Done."] });
  expect([first, second, alone].map(rulesOf)).toEqual([[], ["R2"], []]);
});
