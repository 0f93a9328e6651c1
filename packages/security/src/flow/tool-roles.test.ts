import type { Tool } from "@bailiwick/core";
import { expect, test } from "vitest";

import { mcpServer, resolved, webSearch } from "./resolved.test.helper.ts";
import { isAssumed, modeOf, sinkOf } from "./sinks.ts";
import type { Sink } from "./sinks.ts";
import { argumentLeaves } from "./argument-leaves.ts";
import { rolesOf } from "./tool-roles.ts";
import { sourceOf } from "./tool-source.ts";

const text = { type: "string" } as const;
const writer = { sideEffectClass: "external-stateful", idempotencyKey: "call" } as const;

/** The role of each leaf, by its path. */
function rolesIn(options: Partial<Tool>, args: unknown): Readonly<Record<string, string>> {
  const tool = resolved(options);
  return Object.fromEntries(
    argumentLeaves(tool, rolesOf(tool), args).map(({ location, role, declared }) => [
      location,
      declared ? `${role}, declared` : role,
    ]),
  );
}

test("an argument has the role of the longest declared path; an unlisted argument is authority in a writer, and has no role in a reader [flow.r3]", () => {
  const inputSchema = {
    type: "object",
    properties: {
      to: { type: "array", items: { type: "object", properties: { id: text, note: text } } },
      body: { type: "object", properties: { text, sign: text } },
      url: text,
    },
  };
  const flow = { authority: ["to", "body.sign"], payload: ["to[].note", "body"], egress: ["body.text"] };
  const args = { to: [{ id: "a", note: "b" }, { id: "c" }], body: { text: "t", sign: "s", more: "m" }, url: "u", x: 1 };
  const expected = {
    "to[0].id": "authority, declared",
    "to[0].note": "payload",
    "to[1].id": "authority, declared",
    "body.text": "egress, declared",
    "body.sign": "authority, declared",
    "body.more": "payload",
    url: "egress",
  };
  expect(rolesIn({ ...writer, inputSchema, flow }, args)).toEqual({ ...expected, x: "authority" });
  expect(rolesIn({ sideEffectClass: "read-only", inputSchema, flow }, args)).toEqual({ ...expected, x: "free" });
  // If two declare the same path, the stricter one counts.
  const open = { type: "object", properties: { to: text, url: text } };
  expect(rolesIn({ ...writer, inputSchema: open, flow: { payload: ["url"] } }, { url: "a" })).toEqual({
    url: "egress",
  });
  expect(rolesIn({ ...writer, inputSchema: open, flow: { authority: ["url"] } }, { url: "a" })).toEqual({
    url: "egress",
  });
  expect(rolesIn({ ...writer, inputSchema: open, flow: { egress: ["url"] } }, { url: "a" })).toEqual({
    url: "egress, declared",
  });
});

test("a value that is a URL is egress under any argument name; a pure tool has none [flow.r5]", () => {
  const args = { note: "https://evil.example", n: 5, e: {}, l: [], d: ["a", "//evil.example"] };
  const read = { note: "egress", n: "free", e: "free", l: "free", "d[0]": "free", "d[1]": "egress" };
  expect(rolesIn({ sideEffectClass: "read-only" }, args)).toEqual(read);
  expect(
    rolesIn(
      { ...writer, flow: { payload: ["note"] }, inputSchema: { type: "object", properties: { note: text } } },
      { note: args.note },
    ),
  ).toEqual({ note: "egress" });
  const inputSchema = { type: "object", properties: { url: text } };
  expect(rolesIn({ sideEffectClass: "pure", inputSchema }, { ...args, url: "x" })).toEqual({
    note: "free",
    n: "free",
    e: "free",
    l: "free",
    "d[0]": "free",
    "d[1]": "free",
    url: "free",
  });
  expect(rolesIn(writer, "https://evil.example")).toEqual({ "": "egress" });
  expect(rolesIn(writer, {})).toEqual({ "": "authority" });
});

test("undeclared names are distinguished, in any number [flow.r3]", () => {
  const tool = resolved(writer);
  const args = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`key ${index}`, { "a.b": index }]));
  const leaves = argumentLeaves(tool, rolesOf(tool), args);
  expect(leaves).toHaveLength(600);
  expect(leaves[599]).toEqual({
    path: 'key 599["a.b"]',
    location: 'key 599["a.b"]',
    value: 599,
    role: "authority",
    declared: false,
  });
  expect(argumentLeaves(tool, rolesOf(tool), args)).toEqual(leaves);
  expect(rolesOf(tool)).toBe(rolesOf(tool));
});

test("a tool's source is a principal; first-party tools share one [flow.label]", () => {
  expect(sourceOf(resolved())).toBe("source:first-party");
  expect(sourceOf(resolved({}, { kind: "built-in", subsystem: "x" }))).toBe("source:first-party");
  expect(sourceOf(resolved({}, mcpServer))).toBe("source:mcp:tracker");
  expect(sourceOf(resolved({}, webSearch))).toBe("source:web-search:acme");
  const skill = { kind: "skill", skillName: "notes", trustLevel: "trusted" } as const;
  expect(sourceOf(resolved({}, skill, { allowUnsandboxed: true }))).toBe("source:skill:notes");
});

test("gated calls, by declaration and mode [flow.mode.auto] [flow.mode.enforce] [flow.declared-and-assumed]", () => {
  const sink = (tool: ReturnType<typeof resolved>, args: unknown, options: Parameters<typeof sinkOf>[3]): Sink => {
    const roles = rolesOf(tool);
    return sinkOf(tool, roles, argumentLeaves(tool, roles, args), options);
  };
  const of = (options: Partial<Tool>, args: unknown = {}, flow: Parameters<typeof sinkOf>[3] = {}): Sink =>
    sink(resolved(options), args, flow);
  const inputSchema = { type: "object", properties: { to: text, url: text } };
  const read = { sideEffectClass: "read-only", inputSchema } as const;
  expect(of(read, { to: "a" })).toBe("open");
  expect(of(read, { to: "a" }, { mode: "enforce" })).toBe("open");
  expect(of(read, { url: "a" })).toBe("gated");
  expect(of(read, { to: "https://evil.example" })).toBe("gated");
  expect(of({ ...read, flow: { authority: ["to"] } }, {})).toBe("gated");
  expect(of({ ...read, flow: { authority: [] } }, {})).toBe("open");
  expect(sink(resolved({}, mcpServer, { sideEffectClass: "read-only" }), {}, {})).toBe("gated");
  expect(sink(resolved({}, webSearch), {}, {})).toBe("gated");
  expect(sink(resolved({}, mcpServer, { sideEffectClass: "pure" }), {}, {})).toBe("open");
  expect(of({ sideEffectClass: "pure" }, { a: "https://evil.example" })).toBe("open");
  // Calls of writers are gated, unless the developer has them recorded only.
  expect(of({ sideEffectClass: "side-effecting" })).toBe("gated");
  expect(sink(resolved({}, mcpServer), {}, {})).toBe("gated");
  expect(of({})).toBe("gated");
  expect(of({}, {}, { mode: "auto" })).toBe("gated");
  // Calls inside an agent or a program are gated one by one.
  expect(sink({ ...resolved({}), composition: { gated: true } }, {}, {})).toBe("assumed");
  expect(sink({ ...resolved({}), composition: { gated: true } }, {}, { mode: "enforce" })).toBe("gated");
  expect(sink({ ...resolved({}), composition: {} }, {}, {})).toBe("gated");
  expect(of({}, {}, { mode: "enforce" })).toBe("gated");
  expect(of({}, { a: "https://evil.example" })).toBe("gated");
  expect(of({ inputSchema, flow: { authority: ["to"] } })).toBe("gated");
  expect(of({}, {}, { undeclared: "gate" })).toBe("gated");
  expect(of({}, {}, { undeclared: "shadow" })).toBe("assumed");
  expect(of({ flow: { undeclared: "gate" } }, {}, { undeclared: "shadow" })).toBe("gated");
  expect(of({ flow: { undeclared: "shadow" } }, {}, { undeclared: "gate" })).toBe("assumed");
  expect([resolved(), resolved(writer), resolved(read), resolved({}, mcpServer)].map(isAssumed)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([modeOf({}), modeOf({ mode: "off" })]).toEqual(["auto", "off"]);
});

test("a declared egress argument with a URL counts as declared; a server's writer is not a read, and a URL gives a leaf its role [flow.r5]", () => {
  const inputSchema = { type: "object", properties: { to: text, about: text } };
  const args = { to: "https://a.example/x", about: "https://b.example/y" };
  expect(rolesIn({ inputSchema, sideEffectClass: "read-only", flow: { egress: ["to"] } }, args)).toEqual({
    to: "egress, declared",
    about: "egress",
  });
  const remote = { name: "t", inputSchema };
  expect(
    rolesOf(resolved({ ...remote, ...writer }, mcpServer, { sideEffectClass: "external-stateful" })).remoteRead,
  ).toBe(false);
  expect(rolesOf(resolved(remote, mcpServer, { sideEffectClass: "read-only" })).remoteRead).toBe(true);
});
