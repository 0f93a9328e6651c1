import { Agent, memoryStore } from "@bailiwick/agent";
import { createAgentRuntime } from "@bailiwick/core";
import { security } from "@bailiwick/security";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test, vi } from "vitest";
import type { Scene } from "../../../security/src/flow/attacks/deliveries.test.helper.ts";
import type { Holder } from "../../../security/src/flow/attacks/holders.test.helper.ts";
import {
  every,
  innerSettings,
  report,
  rowOf,
  settings,
} from "../../../security/src/flow/attacks/matrix.test.helper.ts";
import { loopback } from "../http-server.test.helper.ts";
import { mcp } from "../index.ts";
import { anyone, mcpServer } from "./index.ts";

vi.setConfig({ testTimeout: 7_200_000 });

/** The writers are served by another agent, which treats its clients' input as its user's words. */
const servedCall: Holder = async ({ attacked, tools, options, agree, hijacked }, inner) => {
  const { logger } = options;
  const writers = tools.filter(({ name }) => attacked.isWriter(name));
  const clerk = new Agent({
    name: "clerk",
    model: scriptedModel(["Yes."]),
    tools: writers,
    store: memoryStore(),
    logger,
    keys: { seal: "a key for tests that is long enough" },
    ...(inner !== undefined && { flow: { mode: inner, planner: false } }),
  });
  const served = mcpServer({ name: "office", agent: clerk, tools: writers, argumentsFrom: "user" });
  const handler = served.http({ authorize: anyone });
  const server = await loopback((request) => handler.fetch(request));
  const remote = mcp({ name: "office", url: server.url });
  try {
    const approval = { onApproval: (question: Parameters<Scene["agree"]>[0]) => ({ approved: agree(question) }) };
    const reads = tools.filter(({ name }) => !attacked.isWriter(name));
    const reader = createAgentRuntime(
      { ...options, approval, model: hijacked(), tools: reads, mcp: [remote] },
      security(),
    );
    return [await reader.run(attacked.prompt)];
  } finally {
    await remote.close();
    await handler.close();
    await server.stop();
  }
};

const place = "a served call";
const chosen =
  every === 1 ? Object.entries(settings) : Object.entries(settings).filter(([name]) => /careful|guessed/.test(name));

test.each(chosen)(
  "no attack succeeds through a served call, with any setting of the agent behind it: %s [proof.matrix]",
  async (setting, playing) => {
    const failed: string[] = [];
    for (const [index, inner] of innerSettings.entries()) {
      // Each pair starts a server, so only a part of the pairs is played.
      const row = await rowOf({ ...playing, holder: servedCall, inner }, index, undefined, 3);
      report({ setting, place, inner, strategy: "direct" }, row);
      expect(row.hijacked).toBeGreaterThan(0);
      failed.push(...row.succeeded.map((one) => `${inner ?? "none"}: ${one}`));
    }
    expect(failed).toEqual([]);
  },
);

test("with the flow policy off, the attacks succeed through a served call, so the cases can fail [proof.matrix]", async () => {
  const row = await rowOf({ mode: "off", declarations: "careful", holder: servedCall, inner: "off" }, 0, undefined, 3);
  report({ setting: "`off`", place, inner: "off", strategy: "direct" }, row);
  expect(row.succeeded.length).toBeGreaterThan(0);
});
