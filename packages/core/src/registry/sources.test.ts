import { expect, test } from "vitest";

import { withSource } from "./tool-registration.ts";
import type { ResolvedTool, ToolSource } from "../index.ts";
import { aRegistry, aTool, resolved, sources } from "./registry.fixture.ts";

const silent = { sideEffectClass: undefined };

function row(tool: ResolvedTool): readonly unknown[] {
  return [
    tool.__trustClass,
    tool.inboundSanitization,
    tool.__sideEffectClass,
    tool.__effectDeclared,
    tool.output?.integrity,
    tool.__outputDeclared,
    tool.sandboxPolicy,
  ];
}

test("a built-in tool passes through with its own declarations [tool.source.built-in]", () => {
  const declared = { sideEffectClass: "pure", output: { integrity: "system" } } as const;
  expect(row(resolved(declared, sources.builtIn))).toEqual([
    "first-party-built-in",
    "pass-through",
    "pure",
    true,
    "system",
    true,
    "none",
  ]);
});

const byPriority = ["firstParty", "builtIn", "trustedSkill", "untrustedSkill", "mcp", "webSearch"] as const;

test.each(byPriority.slice(1).map((lower, index) => [byPriority[index] ?? "firstParty", lower] as const))(
  "a name that tools of %s and %s share stays with the first [tool.source.built-in] [tool.source.first-party] [tool.source.skill-trusted] [tool.source.skill-untrusted] [tool.source.mcp] [tool.source.web-search]",
  (higher, lower) => {
    const entry = { execute: { module: new URL("file:///skill.js"), export: "run" } };
    const registry = aRegistry({}, { sandbox: { resolve: async () => ({ moduleHash: "m" }) } });
    for (const kind of [lower, higher]) registry.register(aTool(kind.endsWith("Skill") ? entry : {}), sources[kind]);
    expect(registry.get("look_up")?.__source).toEqual(sources[higher]);
  },
);

test("an undeclared tool of the application counts as a writer [tool.source.first-party]", () => {
  expect(row(resolved(silent))).toEqual([
    "first-party-user-defined",
    "detect-and-flag",
    "side-effecting",
    false,
    "untrusted",
    false,
    "none",
  ]);
});

test("a trusted skill runs in os, or in none if the operator allows it [tool.source.skill-trusted]", () => {
  expect(() => resolved(silent, sources.trustedSkill)).toThrow(/run in "os" at least/u);
  expect(row(resolved(silent, sources.trustedSkill, { allowUnsandboxed: true }))).toEqual([
    "skill-trusted",
    "detect-and-flag",
    "side-effecting",
    false,
    "untrusted",
    false,
    "none",
  ]);
  expect(resolved(silent, sources.trustedSkill, { allowUnsandboxed: true }).memoryGuardTier).toBe("isolated");
  expect(() => resolved({ ...silent, allowUnsandboxed: true }, sources.trustedSkill)).toThrow(
    /allowUnsandboxed is the operator's to give/u,
  );
});

test("an untrusted skill runs in os, and its own declarations do not count [tool.source.skill-untrusted]", () => {
  const execute = { module: new URL("file:///skill.js"), export: "run" };
  const ports = { sandbox: { resolve: async () => ({ moduleHash: "m" }) } };
  const own = { execute, sideEffectClass: "pure", output: { integrity: "verified" } } as const;
  expect(row(resolved(own, sources.untrustedSkill, undefined, ports))).toEqual([
    "skill-untrusted",
    "detect-and-strip-and-wrap",
    "external-stateful",
    true,
    "untrusted",
    true,
    "os",
  ]);
  expect(() => resolved({ ...own, needsApproval: () => false }, sources.untrustedSkill, undefined, ports)).toThrow(
    /needsApproval is a function of skill:found/u,
  );
  expect(() => resolved(own, sources.untrustedSkill, { allowUnsandboxed: true }, ports)).toThrow(
    /allowUnsandboxed is for trusted skills/u,
  );
});

test("a server's tool counts as a writer unless the operator classifies it [tool.source.mcp]", () => {
  expect(row(resolved(silent, sources.mcp))).toEqual([
    "mcp-derived",
    "detect-and-strip-and-wrap",
    "external-stateful",
    true,
    "untrusted",
    true,
    "none",
  ]);
  expect(resolved(silent, sources.mcp, { sideEffectClass: "read-only" }).__sideEffectClass).toBe("read-only");
});

test("a search tool counts as a reader [tool.source.web-search]", () => {
  expect(row(resolved(silent, sources.webSearch))).toEqual([
    "web-search",
    "detect-and-strip-and-wrap",
    "read-only",
    true,
    "untrusted",
    true,
    "none",
  ]);
});

test("an untrusted source's own output declarations do not count, with a warning; the operator's do [tool.field.output.operator-only]", () => {
  const own = { sideEffectClass: undefined, output: { integrity: "verified" } } as const;
  const registry = aRegistry();
  registry.register(aTool(own), sources.mcp);
  expect(registry.get("look_up")?.output?.integrity).toBe("untrusted");
  expect(registry.warnings.map((warning) => warning.code)).toContain("operator_only");
  expect(resolved(own, sources.mcp, { output: { integrity: "verified" } }).output?.integrity).toBe("verified");
});

test("an untrusted source needs the operator's permission for weaker declarations, not for stronger ones [tool.field.inbound-sanitization.weaker]", () => {
  const weaker = { ...silent, inboundSanitization: "detect-and-wrap" } as const;
  for (const source of [sources.mcp, sources.webSearch]) {
    expect(() => resolved(weaker, source)).toThrow(/weaker than "detect-and-strip-and-wrap"/u);
    expect(() => resolved({ ...weaker, allowWeakerSanitization: true }, source)).toThrow(/operator's to give/u);
    expect(resolved(weaker, source, { allowWeakerSanitization: true }).inboundSanitization).toBe("detect-and-wrap");
  }
  expect(resolved({ inboundSanitization: "detect-and-strip-and-wrap" }).inboundSanitization).toBe(
    "detect-and-strip-and-wrap",
  );
});

test("the trust class depends only on the source [tool.vocabulary.trust-class]", () => {
  const entry = { execute: { module: new URL("file:///skill.js"), export: "run" } };
  const sandbox = { resolve: async () => ({ moduleHash: "m" }) };
  const classes = Object.values<ToolSource>(sources).map((source) => [
    source,
    resolved(source.kind === "skill" ? entry : {}, source, undefined, { sandbox }).__trustClass,
  ]);
  expect(classes).toEqual([
    [sources.builtIn, "first-party-built-in"],
    [sources.firstParty, "first-party-user-defined"],
    [sources.trustedSkill, "skill-trusted"],
    [sources.untrustedSkill, "skill-untrusted"],
    [sources.mcp, "mcp-derived"],
    [sources.webSearch, "web-search"],
  ]);
  const claimed = { ...aTool(), __trustClass: "first-party-built-in" };
  expect(() => aRegistry().register(claimed, sources.mcp)).toThrow(/no field "__trustClass"/u);
});

test("withSource() marks a tool in a list like any other [tool.vocabulary.source]", () => {
  const registry = aRegistry();
  registry.register(withSource(aTool(), sources.mcp, { sideEffectClass: "read-only" }));
  expect(registry.get("look_up")?.__source).toEqual(sources.mcp);
  const wrong = { kind: "npm" } as unknown as ToolSource;
  expect(() => registry.register(aTool(), wrong)).toThrow(/source.kind/u);
});
