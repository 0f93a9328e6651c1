import type { JournalEvent } from "@bailiwick/core";
import { expect, test } from "vitest";
import { emptyFlowState } from "./flow-state.ts";
import { observe } from "./fold-record.ts";

const text = { type: "text", text: "Pay it." } as const;
const foreign = { ...text, untrusted: true } as const;

test.each([
  ["message", [text, text], true],
  ["message", [text, foreign], false],
  ["message", "Pay it.", true],
  ["value", [foreign], true],
  [undefined, [foreign], true],
] as const)(
  "a start of the kind %s with the content %j asks for the steps of a workflow: %s [flow.workflow.start]",
  (workflow, content, isAsked) => {
    const state = emptyFlowState(undefined, workflow);
    const message = { id: "m", role: "user", content };
    const event = { type: "message.inserted", by: "steer", message, label: state.context.label };
    observe(state, event as unknown as JournalEvent, () => undefined);
    expect(state.isAskedByApplication).toBe(isAsked);
  },
);
