import { expect, test } from "vitest";

import { emptyFlowState } from "./flow-state.ts";
import { systemLevel, untrustedLevel } from "./lattice.ts";
import { withReferred } from "./reference-text.ts";

test.each<readonly [string, unknown]>([
  ["untrusted", { to: "$ref:t1/c0" }],
  ["untrusted", { to: [{ $ref: "$ref:t1/c0:body" }, 7, null] }],
  ["untrusted", { to: "$ref:t9/c9" }],
  ["untrusted", "$ref:t1/c0 that is not JSON"],
  ["untrusted", '{"to":"see $ref:t1/c0"}'],
  ["untrusted", String.raw`{"to":"\u0024ref:t1/c0"}`],
  ["system", { price: "$ref:erence", to: ["x", 7, null] }],
  ["system", '{"to":"x"}'],
  ["system", undefined],
])("arguments refer to %s: %j [quarantine.boundary]", (integrity, args) => {
  const state = emptyFlowState();
  const label = state.graph.add(untrustedLevel, { kind: "join" }, []);
  state.calls.set("t1/c0", { id: "t1/c0", toolName: "mail", args: {}, ran: true, userMessages: 0, label });
  expect(withReferred(systemLevel, args, state).integrity).toBe(integrity);
});
