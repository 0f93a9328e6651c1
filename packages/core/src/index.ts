/**
 * Contracts, registry, runner, history compiler and in-memory stores of Bailiwick. Runs in Node, Bun, Deno, edge
 * workers and browsers. Authors of providers, stores and extensions use `@bailiwick/core/provider`,
 * `@bailiwick/core/store` and `@bailiwick/core/extension`.
 *
 * @module main
 */
export * from "./contracts/index.ts";
export * from "./errors/check-timeout.ts";
export * from "./errors/bailiwick-error.ts";
export * from "./errors/configuration-errors.ts";
export * from "./errors/endorsement-error.ts";
export { checkArgument, checkKnownNames } from "./errors/value-checks.ts";
export * from "./errors/input-too-long-error.ts";
export * from "./errors/memory-errors.ts";
export * from "./errors/model-errors.ts";
export * from "./errors/part-unavailable.ts";
export * from "./errors/run-errors.ts";
export * from "./errors/session-errors.ts";
export * from "./errors/store-errors.ts";
export * from "./errors/tool-error.ts";
export { agentTool, type AgentToolOptions } from "./runner/inside/agent-tool.ts";
export { handoff } from "./runner/inside/handoff.ts";
export { template, type TemplateDependencies, type TemplateValue } from "./context/template.ts";
export { createTokenEstimator, type TokenEstimator } from "./context/token-estimate.ts";
export { eventBus } from "./events/event-bus.ts";
export { eventTableMarkdown } from "./events/event-meanings.ts";
export { eventTable, type EventRow } from "./events/event-table.ts";
export { answerText } from "./history/answer-text.ts";
export { fromChatMessage, fromChatMessages } from "./history/from-chat-message.ts";
export { toChatMessage } from "./history/to-chat-message.ts";
export { exportJournal, verifyJournal, type ExportOptions, type VerifiedJournal } from "./journal/export-journal.ts";
export { foldJournal } from "./journal/fold.ts";
export { memoryLedger } from "./journal/memory-ledger.ts";
export { memorySessions } from "./journal/memory-sessions.ts";
export { memoryStore, type MemoryRunStore, type MemoryStoreOptions } from "./journal/memory-store.ts";
export { readJournal, restoreState } from "./journal/open-journal.ts";
export type { ApprovalState, CallState, ChildState, RunState } from "./journal/run-state.ts";
export { resealSession, sealedSessions } from "./journal/sealed-sessions.ts";
export { modelRegistry, type ModelFactory } from "./providers/model-registry.ts";
export { classifyTools, type ClassifiedTools, type ClassifyToolsOptions } from "./registry/classify-tools.ts";
export { createRegistry, type Registry, type RegistryOptions } from "./registry/create-registry.ts";
export { pinTools } from "./registry/pin-tools.ts";
export { resolveTool } from "./registry/resolve-tool.ts";
export type { ServedTool } from "./registry/served-tool.ts";
export { createAgentRuntime, type AgentRuntime } from "./runner/agent-runtime.ts";
export { exposeRuntime } from "./runner/inside/inside-of.ts";
export { interruption } from "./runner/interruption.ts";
export { listPrices } from "./models/list-prices.ts";
export type { DriveOptions } from "./runner/open-run.ts";
export type { EnqueuedRun, EnqueueOptions } from "./runner/enqueue.ts";
export type { HandOver } from "./runner/give-back-run.ts";
export type { ResumeOptions } from "./runner/resume/check-resume.ts";
export type { FollowOptions, RunInspection } from "./runner/resume/inspect.ts";
export type { ForkOptions } from "./runner/resume/fork.ts";
export type { AuditVerdict } from "./runner/resume/verify-audit.ts";
export type { RebuiltRequest } from "./runner/resume/rebuild-request.ts";
export { consoleLogger } from "./runner/settings/console-logger.ts";
export { costExceeds, elapsed, hasToolCall, stepCountIs, tokensExceed } from "./runner/turn/stop-conditions.ts";
export { clientTool, type ClientToolOptions } from "./tools/client-tool.ts";
export { sandboxedTool, type SandboxedToolOptions } from "./tools/sandboxed-tool.ts";
export { toolReturn } from "./tools/tool-return.ts";
export { tool, type ToolOptions } from "./tools/tool.ts";
