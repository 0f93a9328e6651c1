import { expect, test } from "vitest";

import { emptyFlowState } from "./flow-state.ts";
import { readValue } from "./read-value.ts";
import { quarantineOf, spendInside } from "./reading-bits.ts";
import type { Readings } from "./reading-bits.ts";
import { resolved } from "./resolved.test.helper.ts";

/** A run with two calls, and what it recorded and asked. */
function readings(parent?: { readonly left: number; readonly booked: boolean }): Readings & {
  readonly recorded: unknown[];
  readonly asked: { readonly prompt: string }[];
} {
  const state = emptyFlowState();
  const call = { toolName: "look", args: {}, ran: true, userMessages: 0 };
  state.calls.set("t1/c0", { ...call, id: "t1/c0", output: 7 });
  state.callsById.set("c", { ...call, id: "t2/c1" });
  state.callsById.set("earlier", { ...call, id: "call-of-an-earlier-run" });
  const recorded: unknown[] = [];
  const asked: { readonly prompt: string }[] = [];
  const bits = { left: () => parent?.left ?? 0, spendInside: () => parent?.booked === true };
  return {
    recorded,
    asked,
    state,
    options: { quarantine: true },
    findTool: () => resolved(),
    start: {
      runId: "r",
      record: (event) => void recorded.push(event),
      callModel: (request) => {
        asked.push(request);
        return Promise.resolve({ answer: true });
      },
      ...(parent !== undefined && {
        parentFlow: { toolCallId: "p", bits, userTexts: () => [], isPlanned: () => true },
      }),
    },
  };
}

const spending = { toolCallId: "c", childRunId: "child", ref: "$ref:t1/c0", total: 8 };

test("bits of an inner run are counted once, in the inner and the outer budget [quarantine.extract] [flow.r9]", () => {
  const booked = (run: ReturnType<typeof readings>, total = 8): readonly [boolean, number] => [
    spendInside({ ...spending, total }, run),
    run.recorded.length,
  ];
  expect(booked(readings())).toEqual([true, 1]);
  expect(booked(readings(), 65)).toEqual([false, 0]);
  expect(booked(readings({ left: 64, booked: true }))).toEqual([true, 1]);
  expect(booked(readings({ left: 7, booked: true }))).toEqual([false, 0]);
  expect(booked(readings({ left: 64, booked: false }))).toEqual([false, 0]);
  const known = readings();
  known.state.quarantine.inside.set("child", 8);
  expect(booked(known)).toEqual([true, 0]);
  expect(booked(known, 9)).toEqual([true, 1]);
  expect(known.recorded).toMatchObject([{ turn: 2, index: 1, bits: 1 }]);
  for (const toolCallId of ["nowhere", "earlier"])
    expect(() => spendInside({ ...spending, toolCallId }, readings())).toThrow("belongs to a call of its run");
});

test("settings of the quarantine, in every form [quarantine.extract]", () => {
  const settings = ([undefined, false, true, { bits: 8 }] as const).map((quarantine) => quarantineOf({ quarantine }));
  expect(settings).toEqual([undefined, undefined, {}, { bits: 8 }]);
});

test("a reading without a question asks the model to fill in the schema; a missing value is not asked about [quarantine.extract]", async () => {
  const run = readings();
  const request = { toolCallId: "c", ref: "$ref:t1/c0", schema: { type: "boolean" } };
  expect(await readValue(request, run)).toMatchObject({ answer: true });
  expect(JSON.parse(run.asked[0]?.prompt ?? "")).toMatchObject({
    question: "Fill in the schema from the value.",
    value: "7",
  });
  run.state.quarantine.readings.set("c", { ref: "$ref:t9/c9", bits: 1 });
  await expect(readValue({ ...request, ref: "$ref:t9/c9" }, run)).rejects.toThrow("is not a reference of this run");
  expect(run.asked).toHaveLength(1);
});
