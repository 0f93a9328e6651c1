/**
 * Drives stored runs: workers, single passes for hosts that call a function, and schedules.
 *
 * @module
 */
export { driveDue } from "./drive-due.ts";
export type { PassOptions } from "./drive-due.ts";
export type {
  AgentEntry,
  DriveDueOptions,
  DrivenRunReport,
  RetryOptions,
  TenantLimits,
  WorkerAgent,
} from "./options.ts";
export { retryRun } from "./retry-run.ts";
export { listSchedules, pauseSchedule, removeSchedule, resumeSchedule, schedule } from "./schedules/schedule.ts";
export type { Schedule, ScheduleOptions } from "./schedules/schedule.ts";
export { worker } from "./worker.ts";
export type { Worker, WorkerOptions, WorkerStatus } from "./worker.ts";
