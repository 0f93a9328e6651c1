import { createMcpHandler } from "@modelcontextprotocol/server";
import { sharedResource, type SharedFault } from "@bailiwick/testing/simulation";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentWith, resultsOf } from "../agents.test.helper.ts";
import { loopback, type Loopback } from "../http-server.test.helper.ts";
import { mcp } from "../index.ts";
import { trackerServer } from "../tracker.fixture.ts";

/** The nightly run plays every fault. */
const faults: readonly SharedFault[] | undefined =
  process.env["BAILIWICK_WHOLE"] === undefined ? ["lost", 500] : undefined;

let server: Loopback;
beforeAll(async () => {
  server = await loopback(createMcpHandler(() => trackerServer({ calls: [], cancelled: [] })).fetch);
});
afterAll(async () => server.stop());

test("a fault in one request of one run leaves other runs alone that share an MCP connection [simulation.shared]", async () => {
  const { passed, text } = await sharedResource({
    runs: 3,
    faults,
    make: ({ fetch }) =>
      mcp({
        name: "tracker",
        url: server.url,
        fetch,
        tools: { "*": { sideEffectClass: "read-only" } },
        reconnect: { initialDelayMs: 1, maxDelayMs: 2 },
      }),
    close: (tracker) => tracker[Symbol.asyncDispose](),
    run: async (tracker) => {
      const { agent } = agentWith([tracker], [{ toolCalls: [{ name: "list_issues", arguments: {} }] }, "Done."], {
        flow: "off",
      });
      const output = await agent.run("go");
      return { text: output.text, results: resultsOf(output).map((one) => one.replace(/nonce="\w+"/u, "")) };
    },
  });
  expect(passed, text).toBe(true);
});
