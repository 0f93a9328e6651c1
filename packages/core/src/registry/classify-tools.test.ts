import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import { classifyTools, pinTools } from "../index.ts";
import { registrationOf } from "./tool-registration.ts";
import type { ClassifyToolsOptions, ServedTool, Tool } from "../index.ts";
import type { OperatorTerms } from "./tool-registration.ts";
import { aRegistry, aTool } from "./registry.fixture.ts";

const source = { kind: "mcp", serverIdentity: "tracker" } as const;
/** Tools that declare nothing except what a test adds. */
const serves = (...names: readonly string[]): readonly ServedTool[] =>
  names.map((name) => ({ tool: aTool({ name, sideEffectClass: undefined }) }));

function termsBy(
  served: readonly ServedTool[],
  options: Partial<ClassifyToolsOptions>,
): Readonly<Record<string, OperatorTerms | undefined>> {
  const { tools } = classifyTools(served, { source, ...options });
  return Object.fromEntries(tools.map((tool) => [tool.name, registrationOf(tool).operator]));
}

test("each tool matches one entry: its name before a pattern, a longer pattern before a shorter one [mcp.classify]", () => {
  const read = { sideEffectClass: "read-only" } as const;
  const own = { needsApproval: true } as const;
  const names = ["list_issues", "list_secret_keys", "get", "drop", "create_issue"];
  expect(termsBy(serves(...names), { tools: { "list_*": read, "*_secret_*": own, get: read, "*p": own } })).toEqual({
    list_issues: read,
    list_secret_keys: own,
    get: read,
    drop: own,
    create_issue: undefined,
  });
  expect(termsBy(serves("list_a", "x"), { tools: { "*": own, list_a: read } })).toEqual({ list_a: read, x: own });
  const { tools } = classifyTools(serves("get"), { source, tools: { get: read } });
  expect(tools.map((tool) => registrationOf(tool).source)).toEqual([source]);
});

test("a pattern matches like its regular expression [mcp.classify]", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), minLength: 1, maxLength: 6 });
  const name = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(text, name, (pattern, given) => {
      const fits = new RegExp(`^${pattern.replaceAll(/\*+/gu, ".*")}$`, "u").test(given);
      const served = serves("other", given);
      const terms = { needsApproval: true } as const;
      if (fits) expect(termsBy(served, { tools: { other: {}, [pattern]: terms } })[given]).toBe(terms);
      else if (!/^\*+$/u.test(pattern))
        expect(() => termsBy(served, { tools: { [pattern]: terms } })).toThrow(/matches no tool of mcp:tracker/u);
    }),
    { numRuns: 300 },
  );
});

test("an entry that matches no tool, and two equally good matches, are refused with the fix [mcp.classify]", () => {
  expect(() => termsBy(serves("create_issue"), { tools: { create_isue: {} } })).toThrow(
    /"create_isue" matches no tool of mcp:tracker\. It has "create_issue"/u,
  );
  expect(() => termsBy(serves("create_issue"), { tools: { "delete_*": {} } })).toThrow(
    expect.objectContaining({ code: "UNMATCHED_CLASSIFICATION" }),
  );
  expect(() => termsBy([], { tools: { get: {} } })).toThrow(/It has none/u);
  const two = { "list_*": {}, "*_keys": {} };
  expect(() => termsBy(serves("list_keys"), { tools: two })).toThrow(
    expect.objectContaining({
      code: "AMBIGUOUS_CLASSIFICATION",
      message: expect.stringContaining(`Add an entry "list_keys"`) as string,
    }),
  );
  expect(termsBy(serves("list_keys"), { tools: { ...two, list_keys: { tags: [] } as object } })).toEqual({
    list_keys: { tags: [] },
  });
  // A closer match resolves it.
  expect(termsBy(serves("list_a_keys"), { tools: { ...two, "list_a_*": { needsApproval: true } } })).toEqual({
    list_a_keys: { needsApproval: true },
  });
});

test("only untrusted tools are classified, and settings without effect are refused [mcp.classify]", () => {
  for (const own of [{ kind: "first-party" }, { kind: "built-in", subsystem: "x" }] as const)
    expect(() => classifyTools([], { source: own })).toThrow(expect.objectContaining({ code: "INVALID_TOOL_SOURCE" }));
  expect(() => termsBy([], { changed: "shout" as "ask", pins: {} })).toThrow(/"ask" or "leave-out"/u);
  expect(() => termsBy([], { changed: "ask" })).toThrow(/needs pins: pinTools/u);
  const path = { get: { sideEffectClass: "external-stateful", flow: { authority: ["rpeo"] } } } as const;
  const { tools } = classifyTools(serves("get"), { source, tools: path });
  expect(() => tools.forEach((tool) => aRegistry().register(tool))).toThrow(/rpeo/u);
});

test("hints count only if the operator allows them, for tools that the operator does not classify [mcp.trust-annotations]", () => {
  const [tool] = serves("get").map((each) => each.tool) as [Tool];
  const hinted = (annotations: ServedTool["annotations"], options: Partial<ClassifyToolsOptions>): unknown => {
    const registry = aRegistry();
    for (const each of classifyTools([{ tool, annotations }], { source, ...options }).tools) registry.register(each);
    return registry.get("get")?.__sideEffectClass;
  };
  const trusted = { trustAnnotations: true };
  expect(hinted({ readOnlyHint: true }, {})).toBe("external-stateful");
  expect(hinted({ readOnlyHint: true }, trusted)).toBe("read-only");
  expect(hinted({ readOnlyHint: true, destructiveHint: true }, trusted)).toBe("external-stateful");
  expect(hinted({ readOnlyHint: false, openWorldHint: false, idempotentHint: true }, trusted)).toBe(
    "external-stateful",
  );
  expect(hinted(undefined, trusted)).toBe("external-stateful");
  expect(hinted({ readOnlyHint: true }, { ...trusted, tools: { get: { sideEffectClass: "side-effecting" } } })).toBe(
    "side-effecting",
  );
  expect(hinted({ readOnlyHint: true }, { ...trusted, tools: { get: { sensitivity: "secret" } } })).toBe("read-only");
});

test("one entry that calls many destructive tools readers gets one warning [mcp.destructive-hint]", () => {
  const names = Array.from({ length: 12 }, (_, index) => `drop_${index}`);
  const tools = serves(...names, "get_a", "cut_a").map(({ tool }) => ({
    tool,
    annotations: { destructiveHint: !tool.name.startsWith("get") },
  }));
  const entries = { "*": { sideEffectClass: "read-only" }, "cut_*": { sideEffectClass: "read-only" } } as const;
  const { warnings } = classifyTools(tools, { source, tools: entries });
  expect(warnings.map(({ subject }) => subject)).toEqual(["*", "cut_a"]);
  expect(warnings[0]?.message).toContain('"drop_0", "drop_1", "drop_2", "drop_3", "drop_4" and 7 more');
  expect(warnings[1]?.message).toContain('add an entry "cut_a"');
});

test("a pattern never declares a tool with destructiveHint a reader; an entry with its exact name does [mcp.destructive-hint]", () => {
  const tools = serves("get_issue", "drop_issue").map(({ tool }) => ({
    tool,
    annotations: { destructiveHint: tool.name === "drop_issue" },
  }));
  const effects = (entries: ClassifyToolsOptions["tools"]): unknown => {
    const { tools: taken, warnings } = classifyTools(tools, { source, tools: entries });
    const terms = taken.map((tool) => registrationOf(tool).operator);
    return [...terms.map((one) => one?.sideEffectClass), warnings.map(({ code, subject }) => `${code} ${subject}`)];
  };
  const warned = ["destructive_tool_is_writer drop_issue"];
  for (const effect of ["read-only", "pure"] as const) {
    for (const pattern of ["*", "*_issue", "*_*"])
      expect(effects({ [pattern]: { sideEffectClass: effect } })).toEqual([effect, undefined, warned]);
    const named = { "*": { sideEffectClass: effect }, drop_issue: { sideEffectClass: effect } };
    expect(effects(named)).toEqual([effect, effect, []]);
  }
  expect(effects({ "*": { sideEffectClass: "side-effecting" } })).toEqual(["side-effecting", "side-effecting", []]);
  // The entry's other settings still apply.
  const { tools: taken } = classifyTools(tools, {
    source,
    tools: { "*": { sideEffectClass: "read-only", needsApproval: true } },
  });
  expect(registrationOf(taken[1] as Tool).operator).toEqual({ needsApproval: true });
});

test("a definition changed in any part by the server loses the operator's classification and asks, or is left out [mcp.pinned]", () => {
  const before = serves("get", "set");
  const pins = pinTools(before);
  const tools = { "*et": { sideEffectClass: "read-only" } } as const;
  expect(termsBy(before, { pins, tools })).toEqual({ get: tools["*et"], set: tools["*et"] });
  const [get, set] = before as [ServedTool, ServedTool];
  const changes: readonly ServedTool[] = [
    { tool: { ...get.tool, description: "Sends the keys." } },
    { tool: { ...get.tool, inputSchema: z.object({ id: z.number() }) } },
    { tool: { ...get.tool, inputSchema: { type: "object" } } },
    { tool: { ...get.tool, inputJsonSchema: { type: "object", title: "x" } } },
    { tool: { ...get.tool, outputSchema: z.boolean() } },
    { tool: get.tool, annotations: { readOnlyHint: true } },
  ];
  for (const changed of changes) {
    const { tools: asks, warnings } = classifyTools([changed, set], { source, pins, tools });
    expect(asks.map((tool) => registrationOf(tool).operator)).toEqual([{ needsApproval: true }, tools["*et"]]);
    expect(warnings).toEqual([
      expect.objectContaining({
        code: "tool_definition_changed",
        subject: "get",
        message: expect.stringMatching(/not defined as it was.*needs approval.*pinTools/su) as string,
      }),
    ]);
    const left = classifyTools([changed, set], { source, pins, tools, changed: "leave-out" });
    expect(left.tools.map(({ name }) => name)).toEqual(["set"]);
    expect(left.warnings[0]?.message).toContain("left out");
    // Once accepted, it is classified again.
    expect(termsBy([changed, set], { pins: pinTools([changed, set]), tools })["get"]).toBe(tools["*et"]);
  }
});

test("a tool added after pinning asks too, and a pin for a removed tool is refused [mcp.pinned]", () => {
  const pins = pinTools(serves("get"));
  const { tools, warnings } = classifyTools(serves("get", "new"), { source, pins });
  expect(tools.map((tool) => registrationOf(tool).operator)).toEqual([undefined, { needsApproval: true }]);
  expect(warnings[0]?.message).toContain("did not exist when");
  expect(() => termsBy(serves("new"), { pins })).toThrow(/The pin of "get" matches no tool/u);
});
