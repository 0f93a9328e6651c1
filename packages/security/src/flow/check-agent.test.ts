import type { FlowOptions, Grant, HostedTool, ResolvedTool } from "@bailiwick/core";
import { expect, test } from "vitest";

import { flowPolicy } from "./flow-port.ts";
import { resolved } from "./resolved.test.helper.ts";

const check = (
  options: FlowOptions,
  tools: readonly ResolvedTool[] = [],
  more: {
    readonly hostedTools?: readonly HostedTool[];
  } = {},
): readonly (readonly [code: string, message: string])[] =>
  flowPolicy()
    .check({ options, tools, hostedTools: [], ...more })
    .map(({ code, message }) => [code, message]);

const text = { type: "string" } as const;
const inputSchema = {
  type: "object",
  properties: {
    to: { type: "object", properties: { id: { type: "object", properties: { x: text } }, name: text } },
    body: text,
    site: { type: "object", properties: { page: { type: "string", format: "uri" }, note: text } },
    at: { type: "object", format: "uri", properties: { path: text } },
    url: text,
  },
} as const;
const send = resolved({
  name: "send",
  inputSchema: { ...inputSchema, additionalProperties: false },
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  flow: { authority: ["to.id"], payload: ["body"] },
});

test("each mode lists its limitations [flow.mode.off] [flow.mode.shadow]", () => {
  expect(check({ mode: "off" })).toEqual([["flow_off", expect.stringMatching(/rules are off.*"enforce"/u)]]);
  expect(check({ mode: "shadow" })).toEqual([["flow_shadow", expect.stringMatching(/stop nothing.*"enforce"/u)]]);
  expect(check({ mode: "enforce" }, [send])).toEqual([]);
});

test("contradictory options and invalid hosts are refused", () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ quarantine: { bits: 65 } }, /flow\.quarantine\.bits is 65\. Use an integer from 1 to 64/u],
    [{ undeclared: "shadow", mode: "enforce" }, /contradicts/u],
    [{ undeclared: "guess", mode: "enforce" }, /contradicts/u],
    [{ allowedHosts: ["a.example/x"] }, /hosts without scheme or path/u],
    [{ answerLinks: "allowlist" }, /needs flow\.allowedHosts/u],
  ];
  for (const [options, message] of wrong) {
    expect(() => check(options), JSON.stringify(options)).toThrow(message);
    expect(() => check(options)).toThrow(expect.objectContaining({ code: "FLOW_OPTIONS" }));
  }
  const right: readonly FlowOptions[] = [
    { answerLinks: "allowlist", allowedHosts: ["a.example", "*.b.example:8080", "bücher.example"] },
    { answerLinks: "keep", allowedHosts: [] },
    { undeclared: "shadow", mode: "auto" },
    { undeclared: "guess", mode: "auto" },
    { undeclared: "gate", mode: "enforce" },
    { quarantine: { bits: 64 } },
    { quarantine: { bits: 1 } },
    { quarantine: true, lowCapacityLeaves: false, allowUngovernedHostedTools: true },
  ];
  for (const options of right) expect(check(options), JSON.stringify(options)).toEqual([]);
});

test("a grant that could never match, or allows too much, is refused with the fix [grants.shape]", () => {
  const grants =
    (grant: object): (() => unknown) =>
    () =>
      check({ grants: [{ tool: "send", args: {}, ...grant }] }, [send]);
  const composed = { composed: true } as const;
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ tool: "sned" }, /"sned" names a tool that the agent does not have\. It has "send"/u],
    [{ args: undefined }, /has no args/u],
    [{ args: null }, /has no args/u],
    [{ args: "to" }, /has no args/u],
    [{ count: 0 }, /count 0\. Use a whole number/u],
    [{ count: 1.5 }, /count 1\.5/u],
    [{ count: "2" }, /count 2/u],
    [{ args: { "a..b": { eq: 1 } } }, /not a path/u],
    ...[{}, null, "bob", undefined, { eq: 1, max: 2 }].map(
      (argument) => [{ args: { body: argument } }, /no single form for "body"/u] as const,
    ),
    [{ args: { "to.id": composed } }, /lets the model compose "to\.id"/u],
    [{ args: { to: composed } }, /compose "to"/u],
    [{ args: { "to.id.x": composed } }, /compose "to\.id\.x"/u],
    [{ args: { url: composed } }, /compose "url"/u],
    [{ args: { "site.page": composed } }, /compose "site\.page"/u],
    [{ args: { site: composed } }, /compose "site"/u],
    [{ args: { "at.path": composed } }, /compose "at\.path"/u],
    [{ args: { recipient: { eq: "bob" } } }, /"recipient", which no call can have.*It has "to", "body"/u],
    [{ args: { "body[]": { eq: "bob" } } }, /"body\[\]", which no call can have/u],
    [{ from: [{}] }, /"from" without a tool/u],
    [{ from: [null] }, /"from" without a tool/u],
    [{ args: { body: { ref: { tool: "none", path: "x" } } } }, /refers to "none"/u],
    [{ args: { body: { template: "{x}", holes: { x: { ref: { tool: "none", path: "x" } } } } } }, /refers to "none"/u],
    [{ args: { body: { the: "email", in: { tool: "none" } } } }, /refers to "none"/u],
  ];
  for (const [grant, message] of wrong) expect(grants(grant), JSON.stringify(grant)).toThrow(message);
  for (const args of [
    { body: composed },
    { "to.name": composed },
    { "site.note": composed },
    { url: { eq: "x" } },
    { to: { oneOf: [1] } },
  ])
    expect(grants({ args, count: 2, from: [{ tool: "send" }] }), JSON.stringify(args)).not.toThrow();
  expect(() => check({ grants: [{ tool: "x", args: {} }] })).toThrow(/It has none/u);
  // The tool's name says that data is sent, though its schema has no destination.
  const open = { options: { grants: [{ tool: "look", args: { webhookUrl: composed } }] }, tools: [resolved()] };
  expect(() => check({ ...open.options, undeclared: "gate" }, open.tools)).toThrow(/compose "webhookUrl"/u);
  const closed = resolved({ name: "reset", inputSchema: { type: "object", additionalProperties: false } });
  expect(() => check({ undeclared: "gate", grants: [{ tool: "reset", args: { x: { eq: 1 } } }] }, [closed])).toThrow(
    /no arguments/u,
  );
});

test("a hosted tool declared pure or read-only is a reader; any other is a writer [hosted.side-effect-class]", () => {
  const hosted = (sideEffectClass?: HostedTool["sideEffectClass"]): HostedTool =>
    ({ type: "hosted", name: "compute", sideEffectClass }) as unknown as HostedTool;
  for (const sideEffectClass of ["pure", "read-only"] as const)
    expect(() => check({}, [], { hostedTools: [hosted(sideEffectClass)] }), sideEffectClass).not.toThrow();
  for (const sideEffectClass of ["side-effecting", "external-stateful", undefined] as const)
    expect(() => check({}, [], { hostedTools: [hosted(sideEffectClass)] })).toThrow(/"?compute"?/u);
});

test("a grant of a run for an unknown tool or argument is warned about, and a usable one is not", async () => {
  const withGrants = async (...grants: Grant[]) =>
    (await flowPolicy().warnings({ options: {}, tools: [send], grants }))
      .filter(({ code }) => code === "grant_without_use")
      .map(({ subject, message }) => [subject, message]);
  expect(await withGrants({ tool: "send", args: { "to.id": { eq: "7" } } })).toEqual([]);
  expect(await withGrants({ tool: "sned", args: {} })).toEqual([
    ["sned", expect.stringMatching(/names a tool that the agent does not have.*"send"/u)],
  ]);
  expect(await withGrants({ tool: "send", args: { "to.iban": { eq: "7" } } })).toEqual([
    ["send", expect.stringMatching(/"to\.iban".*It allows nothing/u)],
  ]);
});
