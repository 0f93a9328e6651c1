import type { JournalEventOf } from "@bailiwick/core";
import { expect, test } from "vitest";

import { emptyQuarantine, foldReadingAnswer } from "./flow-state.ts";

test("the answer of an extract call is the model's text, not its thinking [quarantine.extract]", () => {
  const state = emptyQuarantine();
  state.readings.set("c", { ref: "$ref:t1/c0", bits: 1 });
  const answered = (toolCallId?: string): void =>
    foldReadingAnswer(state, {
      toolCallId,
      message: {
        content: [
          { type: "reasoning", text: "{" },
          { type: "text", text: '{"answer":' },
          { type: "text", text: "1}" },
        ],
      },
    } as unknown as JournalEventOf<"model.result">);
  answered("another");
  answered();
  expect([...state.readings]).toEqual([["c", { ref: "$ref:t1/c0", bits: 1 }]]);
  answered("c");
  expect(state.readings.get("c")?.answer).toBe('{"answer":1}');
});
