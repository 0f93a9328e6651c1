import type { FlowOptions, Label, Tool } from "@bailiwick/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { folded } from "./folded-run.test.helper.ts";
import type { FoldedRun } from "./folded-run.test.helper.ts";
import { rolesIn, rolesToDecide } from "./guessed-roles.ts";
import { mcpServer, resolved } from "./resolved.test.helper.ts";

const text = { type: "string" } as const;
const places = ["to", "url", "body", "content", "amount", "file_id"] as const;
const inputSchema = { type: "object", properties: Object.fromEntries(places.map((name) => [name, text])) };
const name = fc.constantFrom("add", "transfer_money", "send_email", "delete_account", "share_file", "get_page");
const value = fc.constantFrom("x", "eve@evil.example", "https://evil.example/x", "From the mail.", "Do it.");
const args = fc.dictionary(fc.constantFrom(...places), value);
const options: fc.Arbitrary<FlowOptions> = fc.record({
  mode: fc.constantFrom("shadow", "auto", "enforce"),
  undeclared: fc.constantFrom(undefined, "guess", "gate", "shadow"),
  planner: fc.constant(false as const),
});
const parent: Label = {
  id: "p",
  parents: [],
  integrity: "untrusted",
  readers: ["user:ann"],
  origin: { kind: "parent", runId: "outer" },
};

const reads = { sideEffectClass: "read-only", inputSchema } as const;
const others = [
  resolved({ ...reads, name: "mail", output: { integrity: "untrusted", readers: "public" } }),
  resolved({ ...reads, name: "own", output: { integrity: "verified", readers: ["user:ann"] } }),
  resolved({ name: "send", inputSchema, sideEffectClass: "external-stateful", flow: { authority: ["to"] } }),
  resolved({ name: "undeclared", inputSchema }),
];

test("a pure tool gets the same decisions and questions as its guesses would give [flow.r1] [flow.guess.effect]", async () => {
  const program = fc.record({
    name,
    remote: fc.boolean(),
    args,
    options,
    before: fc.array(fc.constantFrom("mail", "own", "pure"), { maxLength: 4 }),
    inside: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(program, async ({ name: toolName, remote, args: given, options: mode, before, inside }) => {
      const outcome = async (more: Partial<Tool>): Promise<unknown> => {
        const facts = { name: toolName, inputSchema, sideEffectClass: "pure", ...more } as const;
        const pure = remote ? resolved(facts, mcpServer, { sideEffectClass: "pure" }) : resolved(facts);
        const tools = [...others, pure];
        const run: FoldedRun = folded({ tools, options: mode, ...(inside && { parentLabel: parent }) });
        for (const one of before) run.read(one === "pure" ? toolName : one, "From the mail.", { args: given });
        const turn = run.answer();
        const call = { turn, index: 0, toolCallId: "asked", tool: pure, input: given, args: given };
        const decided = await run.decide(toolName, given);
        return {
          decided,
          question: await run.run.questionFor(call),
          after: await run.decide("send", { to: "Do it." }),
        };
      };
      const short = await outcome({});
      expect(short).toMatchObject({ decided: { verdict: "allow", rule: "R1" } });
      // With any `flow` option, even an empty one, the guesses apply.
      expect(await outcome({ flow: {} })).toEqual(short);
    }),
    { numRuns: 150 },
  );
});

test("a tool that is not pure, or declares its arguments, is decided with its guesses [flow.guess.effect]", () => {
  const classes = fc.constantFrom(undefined, "pure", "read-only", "side-effecting", "external-stateful");
  const flow = fc.constantFrom(undefined, {}, { authority: ["to"] }, { egress: ["url"] }, { grave: false });
  fc.assert(
    fc.property(name, classes, flow, options, (toolName, sideEffectClass, declared, mode) => {
      const tool = resolved({
        name: toolName,
        inputSchema,
        ...(sideEffectClass !== undefined && { sideEffectClass }),
        ...(declared !== undefined && { flow: declared }),
      });
      fc.pre(sideEffectClass !== "pure" || declared !== undefined);
      const tools = [...others, tool];
      expect(rolesToDecide(() => tools, tool, mode)).toBe(rolesIn(tools, tool, mode));
    }),
  );
});

test("a pure tool is decided without a guess about any tool [flow.r1]", () => {
  const tool = resolved({ name: "transfer_money", inputSchema, sideEffectClass: "pure" });
  let looked = 0;
  rolesToDecide(() => ((looked += 1), [tool]), tool, {});
  expect(looked).toBe(0);
});

test("a tool that is no longer listed is decided with a guess about it alone [flow.guess.effect]", () => {
  const tool = resolved({ name: "send_email", inputSchema });
  expect(rolesToDecide(() => others, tool, {})).toEqual(rolesIn([tool], tool, {}));
});
