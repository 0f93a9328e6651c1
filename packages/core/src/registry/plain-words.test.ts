import { expect, test } from "vitest";
import { z } from "zod";

import { classifyTools, clientTool, resolveTool, tool } from "../index.ts";
import { defaultHasher, withSource } from "../extension.ts";
import type { ConfigurationError, SanitizerPort, Tool } from "../index.ts";
import { sources } from "./registry.fixture.ts";

const plain = (words: Partial<Tool> = {}): Tool =>
  tool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: z.object({ orderId: z.string(), amount: z.number(), note: z.string() }),
    execute: () => ({ refunded: true }),
    ...(words as object),
  });

const sanitizer: SanitizerPort = { inbound: (content) => ({ content, findings: [] }), display: (value) => value };
const ports = { hasher: defaultHasher(), sanitizer };

test.each([
  ["nothing", "read-only", false],
  ["own", "side-effecting", true],
  ["outside", "external-stateful", true],
] as const)("changes %j declares the effect %j [tool.field.changes]", (changes, effect, isWriter) => {
  const { __sideEffectClass, __effectDeclared, __isWriter } = resolveTool(plain({ changes }));
  expect([__sideEffectClass, __effectDeclared, __isWriter]).toEqual([effect, true, isWriter]);
});

test.each([
  ["own", "verified", true],
  ["outside", "untrusted", false],
  ["mixed", "untrusted", false],
] as const)("returns %j declares the integrity %j [tool.field.returns]", (returns, integrity, textIsContent) => {
  const found = resolveTool(plain({ returns }));
  expect([found.output, found.__outputDeclared, found.__textIsContent]).toEqual([{ integrity }, true, textIsContent]);
  expect(resolveTool(plain()).__textIsContent).toBe(false);
});

test("decides and confirms are part of the tool's flow, beside what flow declares itself [tool.field.decides] [tool.field.confirms]", () => {
  const { flow } = resolveTool(
    plain({ decides: ["orderId", "amount"], confirms: ["checkout"], flow: { payload: ["note"], grave: true } }),
  );
  expect(flow).toEqual({
    authority: ["orderId", "amount"],
    confirms: ["checkout"],
    payload: ["note"],
    grave: true,
  });
  expect(() => resolveTool(plain({ decides: ["order"] }))).toThrow(/"order", which is not in inputSchema/u);
});

test.each([
  ["returns", "output", { returns: "own", output: {} }],
  ["changes", "sideEffectClass", { changes: "own", sideEffectClass: "read-only" }],
  ["decides", "flow.authority", { decides: ["orderId"], flow: { authority: ["amount"] } }],
  ["confirms", "flow.confirms", { confirms: ["checkout"], flow: { confirms: ["checkout"] } }],
] as const)("%s beside %s is refused [tool.words.once]", (word, field, words) => {
  const refused = expect.objectContaining({
    code: "INVALID_OPTION",
    message: expect.stringContaining(`"${word}" is short for "${field}"`) as string,
  }) as ConfigurationError;
  expect(() => plain(words as Partial<Tool>)).toThrow(refused);
  expect(() => resolveTool(plain(), undefined, { operator: words })).toThrow(refused);
  const definition = { name: "pick", description: "Picks.", inputSchema: z.object({ orderId: z.string() }) };
  expect(() => clientTool({ ...definition, ...(words as object) })).toThrow(refused);
});

test("the operator of a server classifies its tools in the same words, which replace both forms of the tool's [tool.words]", () => {
  const { tools } = classifyTools([{ tool: plain() }], {
    source: sources.mcp,
    tools: { refund: { returns: "own", changes: "nothing", decides: ["orderId"] } },
  });
  const found = resolveTool(tools[0] as Tool, undefined, { ports });
  expect([found.output, found.__textIsContent, found.__sideEffectClass, found.flow]).toEqual([
    { integrity: "verified" },
    true,
    "read-only",
    { authority: ["orderId"] },
  ]);
  const replaced = resolveTool(
    withSource(plain({ returns: "own", changes: "outside" }), sources.firstParty, {
      output: { integrity: "verified" },
      sideEffectClass: "read-only",
    }),
  );
  expect([replaced.__textIsContent, replaced.__sideEffectClass]).toEqual([false, "read-only"]);
  // A server cannot say this about its own tools.
  const claimed = resolveTool(withSource(plain({ returns: "own", changes: "nothing" }), sources.mcp), undefined, {
    ports,
  });
  expect([claimed.output, claimed.__isWriter]).toEqual([{ integrity: "untrusted" }, true]);
});

test("a pattern in plain words makes no reader of a tool that destroys data by its server's hint [tool.words]", () => {
  const { tools, warnings } = classifyTools([{ tool: plain(), annotations: { destructiveHint: true } }], {
    source: sources.mcp,
    tools: { "re*": { changes: "nothing", returns: "outside" } },
  });
  expect(resolveTool(tools[0] as Tool, undefined, { ports }).__isWriter).toBe(true);
  expect(warnings.map(({ code }) => code)).toEqual(["destructive_tool_is_writer"]);
});

test("a client tool with returns has no second declaration of its output [tool.field.returns]", () => {
  const pick = clientTool({
    name: "pick_file",
    description: "Picks a file.",
    inputSchema: z.object({}),
    changes: "nothing",
    returns: "outside",
  });
  expect(resolveTool(pick).output).toEqual({ integrity: "untrusted" });
});
