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
export * from "./errors/memory-errors.ts";
export * from "./errors/model-errors.ts";
export * from "./errors/part-unavailable.ts";
export * from "./errors/run-errors.ts";
export * from "./errors/session-errors.ts";
export * from "./errors/store-errors.ts";
export * from "./errors/tool-error.ts";
export { agentTool } from "./composition/agent-tool.ts";
export type { AgentToolOptions } from "./composition/agent-tool.ts";
export { handoff } from "./composition/handoff.ts";
export { template } from "./context/template.ts";
export type { TemplateDependencies, TemplateValue } from "./context/template.ts";
export { createTokenEstimator } from "./context/token-estimate.ts";
export type { TokenEstimator } from "./context/token-estimate.ts";
export { eventBus } from "./events/event-bus.ts";
export { eventTableMarkdown } from "./events/event-meanings.ts";
export { eventTable } from "./events/event-table.ts";
export type { EventRow } from "./events/event-table.ts";
export { answerText } from "./history/answer-text.ts";
export { fromChatMessage, fromChatMessages } from "./history/from-chat-message.ts";
export { toChatMessage } from "./history/to-chat-message.ts";
export { exportJournal, verifyJournal } from "./journal/export-journal.ts";
export type { ExportOptions, VerifiedJournal } from "./journal/export-journal.ts";
export { foldJournal } from "./journal/fold.ts";
export { memoryLedger } from "./journal/memory-ledger.ts";
export { memorySessions } from "./journal/memory-sessions.ts";
export { memoryStore } from "./journal/memory-store.ts";
export type { MemoryRunStore, MemoryStoreOptions } from "./journal/memory-store.ts";
export { readJournal, restoreState } from "./journal/open-journal.ts";
export type { ApprovalState, CallState, ChildState, RunState } from "./journal/run-state.ts";
export { sealedSessions } from "./journal/sealed-sessions.ts";
export { modelRegistry } from "./providers/model-registry.ts";
export type { ModelFactory } from "./providers/model-registry.ts";
export { classifyTools } from "./registry/classify-tools.ts";
export type { ClassifiedTools, ClassifyToolsOptions } from "./registry/classify-tools.ts";
export { createRegistry } from "./registry/create-registry.ts";
export type { Registry, RegistryOptions } from "./registry/create-registry.ts";
export { pinTools } from "./registry/pin-tools.ts";
export { resolveTool } from "./registry/resolve-tool.ts";
export type { ServedTool } from "./registry/served-tool.ts";
export { createAgentRuntime } from "./runner/agent-runtime.ts";
export type { AgentRuntime } from "./runner/agent-runtime.ts";
export { exposeRuntime } from "./runner/inside/inside-of.ts";
export { interruption } from "./runner/interruption.ts";
export { listPrices } from "./models/list-prices.ts";
export type { DriveOptions } from "./runner/open-run.ts";
export type { EnqueuedRun, EnqueueOptions } from "./runner/enqueue.ts";
export type { HandOver } from "./runner/give-back-run.ts";
export type { ResumeOptions } from "./runner/resume/check-resume.ts";
export type { FollowOptions } from "./runner/resume/inspect.ts";
export type { ForkOptions } from "./runner/resume/fork.ts";
export type { RunInspection } from "./runner/resume/inspect.ts";
export type { AuditVerdict } from "./runner/resume/verify-audit.ts";
export type { RebuiltRequest } from "./runner/resume/rebuild-request.ts";
export { consoleLogger } from "./runner/settings/console-logger.ts";
export { costExceeds, elapsed, hasToolCall, stepCountIs, tokensExceed } from "./runner/turn/stop-conditions.ts";
export { clientTool } from "./tools/client-tool.ts";
export type { ClientToolOptions } from "./tools/client-tool.ts";
export { sandboxedTool } from "./tools/sandboxed-tool.ts";
export type { SandboxedToolOptions } from "./tools/sandboxed-tool.ts";
export { toolReturn } from "./tools/tool-return.ts";
export { tool } from "./tools/tool.ts";
export type { ToolOptions } from "./tools/tool.ts";
