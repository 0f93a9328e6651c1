import { createAgentRuntime, memoryStore, type MemoryRunStore, type AgentRuntime } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { driveDue, listSchedules, pauseSchedule, removeSchedule, resumeSchedule, schedule } from "../index.ts";
import { checkOptions } from "../options.ts";
import { createTicker } from "./ticker.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const minute = 60_000;
const start = Date.UTC(2026, 0, 5, 6, 59, 30);

beforeEach(() => vi.useFakeTimers({ now: start, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

function ground(): {
  readonly store: MemoryRunStore;
  readonly agent: AgentRuntime;
  readonly tick: () => Promise<number | undefined>;
} {
  const store = memoryStore();
  const agent = createAgentRuntime({ name: "agent", model: scriptedModel(() => "Done."), store, logger: quiet });
  const ticker = createTicker(checkOptions({ agents: [agent], store, logger: quiet }, "test"));
  return { store, agent, tick: () => ticker.tick() };
}

const started = async (store: MemoryRunStore): Promise<number> => (await store.listRuns({ limit: 1_000 })).length;

test("a cron schedule starts one run for each tick, with any number of workers [schedule.ticks]", async () => {
  const { store, agent, tick } = ground();
  const other = createTicker(checkOptions({ agents: [agent], store, logger: quiet }, "test"));
  const made = await schedule({
    id: "digest",
    agent,
    cron: "0 7 * * *",
    timezone: "UTC",
    input: "Write.",
    overlap: "cancel-previous",
  });
  expect(made.nextAt).toBe(Date.UTC(2026, 0, 5, 7));
  expect(await tick()).toBe(Date.UTC(2026, 0, 5, 7));
  expect(await started(store)).toBe(0);
  vi.setSystemTime(Date.UTC(2026, 0, 5, 7, 0, 1));
  await Promise.all([tick(), other.tick(), tick()]);
  await tick();
  expect(await started(store)).toBe(1);
  const [listed] = await listSchedules(store);
  expect(listed).toMatchObject({ id: "digest", lastTickAt: Date.UTC(2026, 0, 5, 7), nextAt: Date.UTC(2026, 0, 6, 7) });
  expect((await store.getRun(listed?.lastRunId ?? ""))?.input).toBe("Write.");
  // A clock that is set back does not start a run again.
  vi.setSystemTime(start);
  await tick();
  vi.setSystemTime(Date.UTC(2026, 0, 5, 7, 0, 2));
  await tick();
  expect(await started(store)).toBe(1);
});

test("a tick while the last run has not ended is skipped, queued, or cancels it [schedule.overlap]", async () => {
  for (const [overlap, runs] of [
    ["skip", 1],
    ["queue", 1],
    ["cancel-previous", 3],
  ] as const) {
    vi.setSystemTime(start);
    const { store, agent, tick } = ground();
    await schedule({ id: "poll", agent, everyMs: minute, input: "Look.", overlap });
    for (let n = 1; n <= 3; n += 1) {
      vi.setSystemTime(start + n * minute + 1);
      await tick();
    }
    expect([overlap, await started(store)]).toEqual([overlap, runs]);
    const [listed] = await listSchedules(store);
    if (overlap === "queue") {
      await agent.resume(listed?.lastRunId ?? "");
      await tick();
      expect(await started(store)).toBe(2);
    }
    if (overlap === "cancel-previous") expect((await store.listRuns({ state: "cancelled" })).length).toBe(2);
  }
});

test.each([
  ["an hour", 60],
  ["a week", 7 * 24 * 60],
] as const)(
  "ticks that no worker handled for %s start one run, all of them one after the other, or none that is old [schedule.missed]",
  async (_, minutes) => {
    for (const times of [{ everyMs: 10 * minute }, { cron: "*/10 * * * *", timezone: "Europe/Berlin" }]) {
      for (const [missed, runs] of [
        ["once", 1],
        ["all", 3],
        ["skip", 0],
      ] as const) {
        vi.setSystemTime(start);
        const { store, agent, tick } = ground();
        await schedule({ id: "poll", agent, input: "Look.", missed, ...times });
        const end = start + minutes * minute - 5 * minute;
        vi.setSystemTime(end);
        for (let n = 0; n < 3; n += 1) {
          await tick();
          for (const { id } of await store.listRuns({ state: "queued" })) await agent.resume(id);
        }
        expect([missed, await started(store)]).toEqual([missed, runs]);
        const [listed] = await listSchedules(store);
        if (missed === "once") expect(end - (listed?.lastTickAt ?? 0)).toBeLessThan(10 * minute);
        // The next tick is not missed.
        vi.setSystemTime((listed?.nextAt ?? 0) + 1);
        await tick();
        expect([missed, await started(store)]).toEqual([missed, runs + 1]);
      }
    }
  },
);

test.each([
  ["the hour that is left out", "30 2 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]],
  ["the hour that comes twice", "30 2 * * *", "2026-10-24T12:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]],
  ["each hour of a long day", "0 * * * *", "2026-10-24T23:10:00Z", ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"]],
])("when clocks change, %s has one tick [schedule.ticks]", async (_, cron, from, ticks) => {
  vi.setSystemTime(Date.parse(from));
  const { store, agent, tick } = ground();
  await schedule({ id: "digest", agent, cron, timezone: "Europe/Berlin", input: "Write." });
  for (const [index, at] of ticks.entries()) {
    expect((await listSchedules(store))[0]?.nextAt).toBe(Date.parse(at));
    vi.setSystemTime(Date.parse(at) - 1);
    await tick();
    expect(await started(store)).toBe(index);
    vi.setSystemTime(Date.parse(at));
    await tick();
    expect(await started(store)).toBe(index + 1);
    for (const { id } of await store.listRuns({ state: "queued" })) await agent.resume(id);
  }
});

test("a paused schedule starts no run, and ticks of the pause are left out [schedule.paused]", async () => {
  const { store, agent, tick } = ground();
  await schedule({ id: "poll", agent, everyMs: minute, input: "Look.", missed: "all" });
  await pauseSchedule(store, "poll");
  expect((await listSchedules(store))[0]).toMatchObject({ paused: true, nextAt: undefined });
  vi.setSystemTime(start + 5 * minute);
  await tick();
  expect(await started(store)).toBe(0);
  await resumeSchedule(store, "poll");
  vi.setSystemTime(start + 11 * minute + 1);
  await tick();
  expect(await started(store)).toBe(1);
  await removeSchedule(store, "poll");
  expect(await listSchedules(store)).toEqual([]);
  await expect(pauseSchedule(store, "poll")).rejects.toMatchObject({ code: "SCHEDULE_NOT_FOUND" });
});

test.each([
  [{ everyMs: minute, overlap: "queue", missed: "once" }, /contradict/u],
  [{ everyMs: minute, overlap: "skip", missed: "all" }, /contradict/u],
  [{ cron: "every day" }, /cron pattern/u],
  [{ cron: "0 7 * * *", timezone: "Mars/Olympus" }, /time zone/u],
  [{}, /either "cron" or "everyMs"/u],
  [{ cron: "0 7 * * *", everyMs: minute }, /either "cron" or "everyMs"/u],
  [{ everyMs: 10 }, /1,000 or more/u],
  [{ everyMs: 1_500.5 }, /whole number/u],
  [{ everyMs: minute, timezone: "Europe/Berlin" }, /"timezone" belongs to "cron"/u],
  [{ cron: "0 0 30 2 *" }, /no tick in the future/u],
] as const)("wrong times and policies are refused: %o [schedule.invalid]", async (times, message) => {
  const { agent, store } = ground();
  await expect(schedule({ id: "wrong", agent, input: "x", ...times })).rejects.toThrow(message);
  expect(await listSchedules(store)).toEqual([]);
});

/** Owners of which each pair is two. */
const owners = [
  {},
  { userId: "ana" },
  { userId: "bob" },
  { tenantId: "t1" },
  { tenantId: "t1", userId: "ana" },
  { tenantId: "t2", userId: "ana" },
] as const;

test("no owner replaces, sees, pauses, resumes or removes the schedule of another one [schedule.owner]", async () => {
  for (const own of owners) {
    const { store, agent, tick } = ground();
    const made = await schedule({ id: "digest", agent, everyMs: minute, input: "Write.", sessionId: "main", ...own });
    expect(made).toMatchObject({ id: "digest", ...own });
    for (const other of owners.filter((one) => one !== own)) {
      await expect(schedule({ id: "digest", agent, everyMs: 1_000, input: "Other.", ...other })).rejects.toThrow(
        /"digest" of another tenant or user.*Put the owner into the id/,
      );
      // Code that names no owner is the developer's.
      if (other === owners[0]) continue;
      expect(await listSchedules(store, other)).toEqual([]);
      await expect(pauseSchedule(store, "digest", other)).rejects.toMatchObject({ code: "SCHEDULE_NOT_FOUND" });
      await expect(resumeSchedule(store, "digest", other)).rejects.toMatchObject({ code: "SCHEDULE_NOT_FOUND" });
      await removeSchedule(store, "digest", other);
    }
    expect(await listSchedules(store)).toEqual([made]);
    expect(await listSchedules(store, own)).toEqual([made]);
    vi.setSystemTime(start + minute);
    await tick();
    const [run] = await store.listRuns({ allTenants: true });
    expect(run).toMatchObject({ input: "Write.", sessionId: "main", ...own });
    expect([run?.tenantId, run?.userId]).toEqual([made.tenantId, made.userId]);
    await pauseSchedule(store, "digest", own);
    await resumeSchedule(store, "digest", own);
    await removeSchedule(store, "digest", own);
    expect(await listSchedules(store)).toEqual([]);
    vi.setSystemTime(start);
  }
});

test.each(["", "a\0b", "a\u001B[31m", "a\uD800", "a".repeat(513)])(
  "the id %j is refused [schedule.invalid]",
  async (id) => {
    const { store, agent } = ground();
    const wrong = schedule({ id, agent, everyMs: minute, input: "Write." });
    await expect(wrong).rejects.toThrow('schedule(): "id" is a text of 1 to 512 characters');
    expect(await listSchedules(store)).toEqual([]);
  },
);

test("driveDue starts the runs of schedules whose tick has passed, once, and drives them [schedule.drive-due]", async () => {
  const { store, agent } = ground();
  await schedule({ id: "digest", agent, everyMs: minute, input: "Write.", userId: "ana" });
  const pass = () => driveDue({ agents: [agent], store, logger: quiet });
  expect(await pass()).toEqual([]);
  vi.setSystemTime(start + minute);
  expect(await pass()).toMatchObject([{ status: "completed", text: "Done." }]);
  expect(await pass()).toEqual([]);
  await pauseSchedule(store, "digest");
  vi.setSystemTime(start + 2 * minute);
  expect(await pass()).toEqual([]);
  expect(await store.listRuns({ userId: "ana" })).toHaveLength(1);
});

test.each([
  [{ everyMs: minute, missed: "all" }, 5],
  [{ everyMs: minute, missed: "all", overlap: "queue" }, 5],
  [{ cron: "* * * * *", timezone: "UTC", missed: "all", overlap: "queue" }, 5],
  [{ everyMs: minute, missed: "once" }, 1],
] as const)("one driveDue() starts every tick that is due, with %j [schedule.missed]", async (times, count) => {
  const { store, agent } = ground();
  await schedule({ id: "poll", agent, input: "Look.", ...times });
  vi.setSystemTime(start + 5 * minute + 1);
  expect(await driveDue({ agents: [agent], store, logger: quiet })).toHaveLength(count);
  expect(await started(store)).toBe(count);
  expect(await driveDue({ agents: [agent], store, logger: quiet })).toEqual([]);
});

test("driveDue() starts no more missed ticks than its limit, and the next call starts the rest [schedule.missed]", async () => {
  const { store, agent } = ground();
  await schedule({ id: "poll", agent, input: "Look.", everyMs: minute, missed: "all", overlap: "queue" });
  vi.setSystemTime(start + 5 * minute + 1);
  expect(await driveDue({ agents: [agent], store, logger: quiet, limit: 2 })).toHaveLength(2);
  expect(await driveDue({ agents: [agent], store, logger: quiet })).toHaveLength(3);
});
