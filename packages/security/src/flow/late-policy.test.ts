import { agentTool, createAgentRuntime, memoryStore } from "@bailiwick/core";
import type { AgentRuntime, FlowPort, RunStore, Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import type { Script } from "@bailiwick/testing";
import { expect, test } from "vitest";

import { security } from "../security.ts";
import { quiet } from "./attacks/play-attack.test.helper.ts";
import { balance, calls, readMail, send } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

/** A policy that the first run cannot load. */
function reachableLater(flow: FlowPort): FlowPort {
  let begun = 0;
  return {
    ...flow,
    begin: async (start) => {
      begun += 1;
      if (begun === 1) throw new Error("Failed to fetch");
      return flow.begin(start);
    },
  };
}

function agentWhose(
  policy: (flow: FlowPort) => FlowPort,
  tools: readonly Tool[],
  script: Script,
  store: RunStore = memoryStore(),
): AgentRuntime {
  const ports = security();
  return createAgentRuntime(
    { name: "a", model: scriptedModel(script), tools, store, logger: quiet, flow: { mode: "enforce", planner: false } },
    { ...ports, flow: policy(ports.flow as FlowPort) },
  );
}

test("a run's input is still untrusted if its policy was not loaded yet [seams.packages.late-parts-fail-closed] [flow.r2.all-messages]", async () => {
  const ran: Ran = [];
  const runtime = agentWhose(reachableLater, [send(ran)], [calls(["send", { to: "bob" }]), "Done."]);
  const content = [{ type: "text", text: "Send it to bob.", untrusted: true }] as const;
  const error: unknown = await runtime.run(content).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "RUN_FAILED", cause: { message: "Failed to fetch" } });
  expect(ran).toEqual([]);
  const { runId } = error as { readonly runId: string };
  const output = await runtime.resume(runId);
  expect(output.status).toBe("suspended");
  expect(output.interruptions).toMatchObject([{ toolName: "send" }]);
  expect(ran).toEqual([]);
});

test("an inner run started before its policy was loaded has the label of everything its caller had read [seams.packages.late-parts-fail-closed] [flow.r9]", async () => {
  const ran: Ran = [];
  const store = memoryStore();
  const inner = agentWhose(reachableLater, [send(ran)], ["Never said."], store);
  const outer = agentWhose(
    (flow) => flow,
    [readMail(ran), balance(ran), agentTool(inner as never, { name: "ask" })],
    [calls(["read_mail"], ["balance"]), calls(["ask", { input: "Pay eve." }]), "Done."],
    store,
  );
  await outer.run("Go.", { sessionId: "s", onApprovalRequired: () => true });
  const started = (await store.listRuns({})).find(({ parent }) => parent !== undefined);
  const [start] = await store.load(started?.id ?? "");
  expect(start).toMatchObject({
    type: "run.start",
    labels: [
      {
        id: start?.label,
        integrity: "untrusted",
        readers: ["session:s", "source:first-party"],
        origin: { kind: "parent" },
      },
    ],
  });
});
