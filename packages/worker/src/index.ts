/**
 * Drives stored runs: workers, single passes for hosts that call a function, and schedules.
 *
 * @module
 */
export { deleteRuns } from "./delete-runs.ts";
export type { DeletableState, DeletedRuns, DeleteRunsOptions } from "./delete-runs.ts";
export { driveDue } from "./drive-due.ts";
export type { PassOptions } from "./drive-due.ts";
export { healthRoutes } from "./health-routes.ts";
export type { HealthOptions } from "./health-routes.ts";
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
export type { WebhookEvent, WebhookEventType } from "./webhooks/run-event.ts";
export { deliverWebhook, webhook } from "./webhooks/webhook.ts";
export type { Webhook } from "./webhooks/webhook.ts";
export type { WebhookOptions } from "./webhooks/webhook-options.ts";
export { worker } from "./worker.ts";
export type { Worker, WorkerOptions, WorkerStatus } from "./worker.ts";
