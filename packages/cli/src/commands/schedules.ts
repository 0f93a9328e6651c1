import type { RunStore } from "@bailiwick/core";
import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import type { Target } from "../entry/target.ts";
import { exitCodes } from "../exit-codes.ts";
import { table } from "../output/table.ts";
import { shownTime } from "../output/time.ts";
import { targetAction, withTarget } from "./context.ts";

/** Adds `bailiwick schedules`. */
export function addSchedulesCommands(program: Command): void {
  const schedules = program.command("schedules").description("see the schedules of a store, and pause them");

  withTarget(schedules.command("list"))
    .description("list schedules with their next tick")
    .action(
      targetAction(async ({ terminal, target }) => {
        const { listSchedules } = await import("@bailiwick/worker");
        const rows = (await Promise.all(target.stores.map((store) => listSchedules(store)))).flat();
        terminal.result(rows, () =>
          rows.length === 0
            ? "The store has no schedules."
            : table(
                terminal,
                ["SCHEDULE", "AGENT", "TENANT", "USER", "NEXT (UTC)", "LAST (UTC)", "LAST RUN"],
                rows.map(({ id, agentName, tenantId, userId, paused, nextAt, lastTickAt, lastRunId }) => [
                  id,
                  agentName,
                  tenantId ?? "",
                  userId ?? "",
                  paused ? "paused" : nextAt === undefined ? "none" : shownTime(nextAt),
                  lastTickAt === undefined ? "never" : shownTime(lastTickAt),
                  lastRunId ?? "",
                ]),
              ),
        );
        return exitCodes.done.code;
      }),
    );

  for (const [name, description, done] of [
    ["pause", "stop a schedule from starting runs", "paused"],
    ["resume", "let a paused schedule start runs again", "resumed"],
    ["remove", "remove a schedule; runs that it started continue", "removed"],
  ] as const)
    withTarget(schedules.command(`${name} <schedule>`))
      .description(description)
      .action(
        targetAction(async ({ terminal, target }, id = "") => {
          const { pauseSchedule, removeSchedule, resumeSchedule } = await import("@bailiwick/worker");
          const act = { pause: pauseSchedule, resume: resumeSchedule, remove: removeSchedule }[name];
          await act(await storeOf(target, id), id);
          terminal.result({ id, [done]: true }, () => `Schedule ${id} is ${done}.`);
          return exitCodes.done.code;
        }),
      );
}

async function storeOf(target: Target, id: string): Promise<RunStore> {
  const { listSchedules } = await import("@bailiwick/worker");
  for (const store of target.stores)
    if ((await listSchedules(store)).some((schedule) => schedule.id === id)) return store;
  throw new CommandError(
    "SCHEDULE_NOT_FOUND",
    `There is no schedule "${id}". See: bailiwick schedules list`,
    exitCodes.notFound.code,
  );
}
