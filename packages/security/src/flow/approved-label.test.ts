import { expect, test } from "vitest";

import { approvedLabel } from "./labelling.ts";
import { emptyFlowState } from "./flow-state.ts";
import { untrustedLevel } from "./lattice.ts";

test("an approval of a call with an unrecorded answer lowers the label of everything that the model has read [quarantine.endorse]", () => {
  const state = emptyFlowState();
  expect(approvedLabel(state, 1, 0).integrity.before).toBe(state.context.level.integrity);
  const read = state.graph.add(untrustedLevel, { kind: "join" }, []);
  state.context.read(read);
  expect(approvedLabel(state, 1, 0)).toEqual({ from: read, integrity: { before: "untrusted", after: "user" } });
});
