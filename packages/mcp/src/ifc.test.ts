import { tool, toolReturn } from "@bailiwick/agent";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { agentWith } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { loweredBy } from "./ifc.ts";
import { mcp } from "./index.ts";
import { connected, eras, serve } from "./server/served.test.helper.ts";

const owner = { server: "tracker", userId: "ana", sessionId: "s1" };
const send = tool({
  name: "send",
  description: "Sends to anyone.",
  inputSchema: { type: "object" },
  sideEffectClass: "external-stateful",
  output: { integrity: "verified" },
  flow: { readers: () => ["person:anyone"] },
  execute: () => "sent",
});
const flow = { mode: "enforce", planner: false } as const;
const script = [
  { toolCalls: [{ name: "look", arguments: {} }] },
  { toolCalls: [{ name: "send", arguments: {} }] },
  "Done.",
];

interface Words {
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** A server with one tool, and its words about the trust in the result. */
async function lookServer({ meta, annotations }: Words) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "tracker", version: "1" });
    server.registerTool("look", { description: "Looks.", annotations: annotations ?? {} }, () => ({
      content: [{ type: "text", text: "seen" }],
      ...(meta !== undefined && { _meta: meta }),
    }));
    return server;
  });
  return loopback((request) => handler.fetch(request));
}

/** The rules for which `send` asks or is refused after the agent has read the result. */
async function judged(words: Words, output: { readonly integrity?: "verified"; readonly readers?: "public" }) {
  await using server = await lookServer(words);
  await using tracker = mcp({
    name: "tracker",
    url: server.url,
    tools: { look: { sideEffectClass: "read-only", output } },
  });
  const { agent } = agentWith([tracker], script, { tools: [send], flow });
  const { interruptions, toolCalls } = await agent.run("Look, then send.");
  return { asks: interruptions.length > 0, isSent: toolCalls.some(({ output: sent }) => sent === "sent") };
}

test("no metadata and no hint of a server gives its result a better label than none [mcp.result-labels]", () => {
  const values = fc.oneof(
    fc.constantFrom("trusted", "untrusted", "public", "private", "verified", "system", "user", null, true, ["a"]),
    fc.anything(),
  );
  const ifc = fc.oneof(fc.record({ integrity: values, confidentiality: values }, { requiredKeys: [] }), values);
  const metas = fc.oneof(fc.record({ ifc }, { requiredKeys: [] }), fc.anything());
  const hints = fc.record({ openWorldHint: values, sensitiveHint: values }, { requiredKeys: [] });
  fc.assert(
    fc.property(metas, hints, (meta, annotations) => {
      const { integrity, readers, ...rest } = loweredBy(meta, annotations, owner) ?? {};
      expect(rest).toEqual({});
      expect(["untrusted", undefined]).toContain(integrity);
      // The readers of a result without a declaration; a label's readers only remove others.
      if (readers !== undefined) expect(readers).toEqual(["user:ana", "source:mcp:tracker"]);
    }),
  );
});

const lowering: readonly Words[] = [
  { meta: { ifc: { integrity: "untrusted" } } },
  { meta: { ifc: { integrity: "verified" } } },
  { meta: { ifc: "trusted" } },
  { annotations: { openWorldHint: true } },
  { annotations: { openWorldHint: true }, meta: { ifc: { integrity: "trusted", confidentiality: "public" } } },
];
const confidential: readonly Words[] = [
  { meta: { ifc: { confidentiality: "private" } } },
  { meta: { ifc: { confidentiality: ["ben"] } } },
  { annotations: { sensitiveHint: true } },
];

test("a server's label and hints lower the trust in a result that its operator declares verified and public [mcp.result-labels]", async () => {
  const declared = { integrity: "verified", readers: "public" } as const;
  for (const words of [{}, { meta: { ifc: { integrity: "trusted", confidentiality: "public" } } }])
    expect(await judged(words, declared), JSON.stringify(words)).toEqual({ asks: false, isSent: true });
  for (const words of [...lowering, ...confidential])
    expect((await judged(words, declared)).isSent, JSON.stringify(words)).toBe(false);
});

test("a server that calls its own result trusted and public gains nothing [mcp.result-labels]", async () => {
  const meta = { ifc: { integrity: "trusted", confidentiality: "public" } };
  const plain = await judged({}, {});
  expect(plain.isSent).toBe(false);
  expect(await judged({ meta, annotations: { openWorldHint: false, sensitiveHint: false } }, {})).toEqual(plain);
});

test("a served result carries the label of what its run has read, and names no person [mcp.result-labels]", async () => {
  const looks = (output: object, label?: object) =>
    tool({
      name: "look",
      description: "Looks.",
      inputSchema: { type: "object" },
      sideEffectClass: "read-only",
      output,
      execute: () => toolReturn({ output: "seen", ...(label !== undefined && { label }) }),
    });
  const open = { integrity: "verified", readers: "public" } as const;
  const cases = [
    [looks(open), { integrity: "trusted", confidentiality: "public" }],
    [looks({ ...open, readers: ["user:ana"] }), { integrity: "trusted", confidentiality: "private" }],
    [looks({ readers: "public" }), { integrity: "untrusted", confidentiality: "public" }],
    // A server behind this one lowered the label of its result.
    [looks(open, { integrity: "untrusted" }), { integrity: "untrusted", confidentiality: "public" }],
  ] as const;
  for (const era of eras)
    for (const [look, label] of cases) {
      await using shop = await serve({ tools: [look], argumentsFrom: "user" });
      await using client = await connected(shop.url, era);
      const result = await client.callTool({ name: "look", arguments: {} });
      expect(result).toMatchObject({ content: [{ type: "text" }], _meta: { ifc: label } });
      const failed = await client.callTool({ name: "ask_shop", arguments: { question: "" } }).catch(() => undefined);
      if (failed !== undefined)
        expect(failed._meta?.["ifc"]).toEqual({ integrity: "untrusted", confidentiality: "private" });
    }
});
