import { simulate, type Simulation, type SimulationOptions } from "@bailiwick/testing/simulation";
import { expect, test } from "vitest";
import { payTool, paying } from "./payments.test.helper.ts";
import { shape, shapeNames } from "./shapes.test.helper.ts";

/** Histories that broke a promise once, with the simulation that they belong to. */
const known: readonly [
  title: string,
  simulation: (more: Partial<SimulationOptions>) => Simulation,
  histories: readonly string[],
][] = [
  [
    "a process that was paused makes no effect that another one has made",
    (more) => paying(payTool(), more),
    [
      "w1/store.append tool.intent#2=pauseAfter:5300",
      "w1/store.append tool.intent#1=pauseAfter:3800",
      "w1/store.append tool.intent#2=pause:3800",
    ],
  ],
  [
    "a process that was paused twice makes no effect that another one has made",
    (more) => shape("an agent with questions", more),
    ["order=45; w1/store.load#3=pauseAfter:5300; w2/store.append tool.intent#3=pauseAfter:5300"],
  ],
  [
    "a process that was paused before it released a run makes no effect of another one",
    (more) => shape("a map", more),
    ["order=57; w1/store.claim#1=lost; w2/store.release completed#3=pause:3800"],
  ],
  [
    "an answer of the store that is lost inside an inner run does not lose its effect",
    (more) => shape("nested agents", more),
    ["w1/store.append tool.intent#1=lost"],
  ],
  [
    "an answer of the store that is lost inside a handoff does not lose its effect",
    (more) => shape("a handoff", more),
    ["w1/store.append tool.intent#1=lost"],
  ],
  [
    "a run does not end because its store is away",
    (more) => shape("parallel agents with approvals", more),
    [
      "order=27; w2/store.getRun#3=clock:3800; w1/store.load#5=pauseAfter:5100; w2/store.claim#120=pauseAfter:5100; w1/store.append run.end#1=lost; w2/store.claim#148=away:530",
    ],
  ],
  [
    "a run does not end because its store is away during a renewal",
    (more) => shape("a pipeline that sleeps", more),
    [
      "order=47; w2/store.takeSignals#4=away:210; w1/store.append run.end#3=clock:-3600000; w2/store.append tool.outcome#7=die; w2/store.append tool.outcome#10=lost; w2/store.renew#5=away:30",
    ],
  ],
];

test.each(known)("%s [simulation.shapes.known]", async (_, simulation, histories) => {
  const { broken, text, known: played } = await simulate(simulation({ known: histories }), { seeds: 0, single: false });
  expect(broken, text).toEqual([]);
  expect(played).toBe(histories.length);
});

test.each(shapeNames)(
  "drawn histories with every kind of fault break no promise of %s [simulation.shapes]",
  async (name) => {
    const { broken, text, histories } = await simulate(shape(name), { seeds: 12, single: false });
    expect(broken, text).toEqual([]);
    expect(histories).toBe(12);
  },
);
