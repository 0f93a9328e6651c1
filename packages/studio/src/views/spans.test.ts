import { Agent } from "@bailiwick/agent";
import { memoryStore, type JournalEvent } from "@bailiwick/core";
import { studio, type StudioRunDetail, type StudioRunPage } from "@bailiwick/studio";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { client } from "../http/client.fixture.ts";
import { spansOf } from "./spans.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test("no bar of a failed run is open: the model call without a result ends with the run", async () => {
  const store = memoryStore();
  const agent = new Agent({ name: "failing", model: scriptedModel([]), store, logger: quiet });
  await agent.run("It fails.").catch(() => undefined);
  const { read } = client(studio({ store, agents: [agent] }));
  const [run] = (await read<StudioRunPage>("runs")).runs;
  const { spans } = await read<StudioRunDetail>(`runs/${run?.runId}`);
  expect(spans).toMatchObject([{ kind: "model", state: "bad", note: "no result" }]);
  expect(spans[0]?.endAt).toBeDefined();
});

const intent = { type: "model.intent", turn: 1, model: "m" };
const journal = (...events: readonly object[]): readonly JournalEvent[] =>
  events.map((event, index) => ({ seq: index + 1, at: 1_000 * index, ...event })) as unknown as JournalEvent[];

test("a process that ended has a bar between its last record and the next process, and its model call ends there", () => {
  const spans = spansOf(
    journal(
      { type: "run.start" },
      { ...intent, attempt: 1 },
      { type: "run.resumed" },
      { ...intent, attempt: 2 },
      { type: "model.result", turn: 1, attempt: 2 },
      { type: "run.end", status: "completed" },
    ),
  );
  expect(spans).toMatchObject([
    { kind: "model", startAt: 1_000, endAt: 2_000, state: "bad", note: "its process ended" },
    { kind: "crash", startAt: 1_000, endAt: 2_000, state: "bad" },
    { kind: "model", startAt: 3_000, endAt: 4_000, state: "good" },
  ]);
});

test("a run that begins again after a suspension has no bar of a crash", () => {
  const spans = spansOf(
    journal(
      { type: "run.start" },
      { type: "run.end", status: "suspended" },
      { type: "run.resumed" },
      { type: "run.end", status: "completed" },
    ),
  );
  expect(spans).toEqual([]);
});
