/**
 * The facade: `Agent`, `tool`, and safe defaults. Compositions are in `@bailiwick/agent/compose`, code mode is in
 * `@bailiwick/agent/code-mode`; contracts that few applications need are in `@bailiwick/core`.
 *
 * @module main
 */
export { Agent } from "./agent.ts";

// Functions
export {
  classifyTools,
  consoleLogger,
  costExceeds,
  clientTool,
  elapsed,
  eventBus,
  exportJournal,
  fromChatMessages,
  handoff,
  hasToolCall,
  interruption,
  listPrices,
  memorySessions,
  memoryStore,
  modelRegistry,
  pinTools,
  sandboxedTool,
  sealedSessions,
  stepCountIs,
  template,
  toChatMessage,
  tokensExceed,
  tool,
  toolReturn,
  verifyJournal,
} from "@bailiwick/core";
export { env, file, keyring, piiGuard, secrets } from "@bailiwick/security";
export type { PiiGuardOptions } from "@bailiwick/security";

// Errors
export {
  BailiwickError,
  ConfigurationError,
  ContextOverflowError,
  DecisionError,
  GuardrailTrippedError,
  InputTooLongError,
  JournalTamperedError,
  ModelError,
  OutcomeUnknownError,
  OutputValidationError,
  RunBusyError,
  RunError,
  RunNotFoundError,
  StoreError,
  ToolError,
} from "@bailiwick/core";

// Options and results of agents and runs
export type {
  AgentOptions,
  AuditVerdict,
  RebuiltRequest,
  Budget,
  ContextCompactorConfig,
  EnqueuedRun,
  EnqueueOptions,
  FollowOptions,
  ForkOptions,
  ReasoningConfig,
  ResumeOptions,
  RetryConfig,
  RunContext,
  KeptMessage,
  RunHandle,
  RunInput,
  RunInspection,
  RunOptions,
  RunOutput,
  RunStatus,
  Runnable,
  StopCondition,
  StopReason,
  Timeouts,
  TokenUsage,
  ToolResultLimit,
} from "@bailiwick/core";

// Models
export type {
  HostedTool,
  ModelProvider,
  ModelRegistry,
  ModelRequest,
  ModelResponse,
  ModelSpec,
  PriceTable,
  Warning,
} from "@bailiwick/core";

// Messages, schemas and JSON
export type {
  AssistantMessage,
  ContentPart,
  JsonSchema,
  JsonValue,
  Message,
  Schema,
  ToolMessage,
  UserMessage,
} from "@bailiwick/core";

// Tools
export type {
  ClientToolOptions,
  FunctionToolResult,
  SideEffectClass,
  Tool,
  ToolCall,
  ToolCallResult,
  ToolExecutionContext,
  ToolInput,
  ToolInputGuardrail,
  ToolOptions,
  ToolOutput,
  ToolOutputGuardrail,
  ToolServer,
  ToolUseBehavior,
} from "@bailiwick/core";

// Authority: approvals, guardrails, information flow, secrets, sandboxes
export type {
  ApprovalConfig,
  ApprovalDecision,
  ApprovalRequest,
  CallReference,
  Decision,
  FlowMode,
  FlowOptions,
  Grant,
  GuardrailResult,
  Extension,
  ExtensionContext,
  Guardrails,
  InputGuardrail,
  Interruption,
  InterruptionData,
  Label,
  OutputGuardrail,
  SandboxConfig,
  SecretSource,
  SecurityPorts,
} from "@bailiwick/core";

// Events, hooks and observers
export type {
  AgentHooks,
  EventBus,
  JournalEvent,
  Logger,
  LoopHooks,
  NodeHooks,
  RunEvent,
  Telemetry,
  TokenHandlers,
} from "@bailiwick/core";

// Stores and ports
export type {
  Clock,
  Handoff,
  HandoffOptions,
  Keys,
  MemoryPort,
  RunStore,
  SessionStore,
  StoredRun,
} from "@bailiwick/core";
