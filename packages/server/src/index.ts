/**
 * Web-standard fetch handlers for agents: run, stream, resume, approvals, journal.
 *
 * @module
 */
export * from "./ag-ui/index.ts";
export * from "./chat/index.ts";
export type { AgUiOptions, PageToolTerms } from "./http/ag-ui-options.ts";
export type { AccessRequest, Authorize, Caller, RunAction, Share, ShareRule } from "./http/authorize.ts";
export { fromUseChat, type ChatStart, type ToRunInput } from "./http/chat-request.ts";
export type { JsonBody } from "./http/read-body.ts";
export { thrownAsErrors } from "./http/developer-callbacks.ts";
export { RequestError, type RequestErrorStatus } from "./http/request-error.ts";
export { checkHost } from "./http/host-check.ts";
export { runRoutes } from "./http/run-routes.ts";
export type { RunRoutesOptions } from "./http/run-routes-options.ts";
export type { UploadOptions } from "./http/uploads.ts";
export type { WaitUntil } from "./http/wait-until.ts";
export type { RunDetail, RunView } from "./http/run-view.ts";
export * from "./inspect/index.ts";
export * from "./openai/index.ts";
export type { RunReport, ServedAgent, ServedStore } from "./runs/served-agent.ts";
export * from "./ui-stream/index.ts";
