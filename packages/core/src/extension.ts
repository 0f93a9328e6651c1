/**
 * Entry point for authors of ports and extensions: sandboxes, secrets, information flow, telemetry, memory and tool
 * servers, and the helpers that their implementations share.
 *
 * @module extension
 */
export type {
  Extension,
  ExtensionContext,
  ExtensionOptions,
  GatedCall,
  GatedResult,
  GateVerdict,
  InsertedText,
  ResultVerdict,
} from "./contracts/extension.ts";
export type { JournalEvent, JournalEventInput, JournalEventOf } from "./contracts/journal-event.ts";
export type { Integrity, Label, LabelId, LabelOrigin, Readers } from "./contracts/label.ts";
export type { Message } from "./contracts/message.ts";
export type { Clock } from "./contracts/ports/clock.ts";
export type { Hasher } from "./contracts/ports/hasher.ts";
export type { Ids } from "./contracts/ports/ids.ts";
export type { Logger } from "./contracts/ports/logger.ts";
export type {
  MemoryAccess,
  MemoryCall,
  MemoryHost,
  MemoryPort,
  RecallOptions,
  RecalledMemory,
  RememberOptions,
} from "./contracts/ports/memory-store.ts";
export type { PlatformPorts } from "./contracts/ports/platform.ts";
export type {
  SandboxedChild,
  SandboxExcess,
  SandboxExit,
  ProgramCall,
  ProgramRequest,
  ProgramState,
  SandboxCall,
  SandboxPort,
  SandboxRegistration,
  SandboxResolution,
  SandboxWord,
  SpawnRequest,
} from "./contracts/ports/sandbox.ts";
export type { SecretAccess, SecretSource, SecretValue } from "./contracts/ports/secrets.ts";
export type {
  ApprovalSigner,
  Sanitized,
  SanitizerPort,
  Sealer,
  SecretsFactory,
  SecretsPort,
  SecurityPorts,
} from "./contracts/ports/security.ts";
export type {
  BitAccount,
  EndorseRequest,
  ExtractRequest,
  FlowCall,
  FlowDecision,
  FlowPort,
  FlowRun,
  FlowRunStart,
  LabelAssignment,
  ParentFlow,
  PreflightRequest,
} from "./contracts/ports/flow-policy.ts";
export type { TextFilter } from "./contracts/ports/text-filter.ts";
export type {
  ModelSpanEnd,
  ModelSpanStart,
  RunSpanEnd,
  RunSpanStart,
  SpanOwner,
  Telemetry,
  TelemetrySpan,
  ToolSpanEnd,
  ToolSpanStart,
} from "./contracts/ports/telemetry.ts";
export type { ResolvedTool } from "./contracts/resolved-tool.ts";
export type { RunContext } from "./contracts/run-context.ts";
export type { ToolExecutionContext } from "./contracts/tool-context.ts";
export type { ServedTools, ToolServer, ToolServerRequest } from "./contracts/tool-server.ts";
export { BailiwickError } from "./errors/bailiwick-error.ts";
export { nearestNames } from "./errors/nearest-names.ts";
export { readersProblem } from "./errors/check-readers.ts";
export { errorCodes, type ErrorCode, type ErrorFacts } from "./errors/codes.ts";
export { checkTimeout } from "./errors/check-timeout.ts";
export { ConfigurationError } from "./errors/configuration-errors.ts";
export { EndorsementError } from "./errors/endorsement-error.ts";
export { errorFacts } from "./errors/host-errors.ts";
export { checkArgument, checkKnownNames } from "./errors/value-checks.ts";
export { PartUnavailableError } from "./errors/part-unavailable.ts";
export { ToolError } from "./errors/tool-error.ts";
export { defaultHasher, randomIds, systemClock } from "./journal/default-ports.ts";
export { readPlain, writePlain } from "./journal/plain-values.ts";
export { canonicalJson } from "./json/canonical-json.ts";
export { durableJson, type CheckedJson } from "./json/checked-json.ts";
export { wellFormed, wellFormedJson } from "./json/well-formed.ts";
export { lazyPart, loadParts, type LazyPart } from "./loading/lazy-part.ts";
export { nameInWords, recordInWords } from "./questions/name-in-words.ts";
export type { ServedAnnotations, ServedTool } from "./registry/served-tool.ts";
export { askForRequest } from "./user-code/ask-for-request.ts";
export {
  askUserCode,
  askUserCodeNow,
  CallbackError,
  isThenable,
  tellUserCode,
  toError,
} from "./user-code/call-user-code.ts";
export type { CallLimits, UserAnswer } from "./user-code/call-user-code.ts";
export { checkedCaller } from "./user-code/checked-caller.ts";
export { errorListener, type ErrorListener } from "./user-code/error-listener.ts";
export {
  containedTool,
  registrationOf,
  withSource,
  type OperatorTerms,
  type ToolRegistration,
} from "./registry/tool-registration.ts";
export type { CompiledSchema, Validate } from "./tools/compiled-schema.ts";
export { labelOfCall } from "./runner/tool-call/call-label.ts";
export { runsBesideFakes } from "./runner/tool-call/fakes.ts";
export { callerModel } from "./runner/caller/caller.ts";
export { answeredKeys, labelOfRun, nestedRun, withRunsInside, type NestedRun } from "./runner/tool-call/nested-run.ts";
export { checkEnqueued } from "./runner/enqueue.ts";
export { agentRuntimeOf } from "./runner/agent-runtime-of.ts";
export { isExtract } from "./tools/extract.ts";
export { leavesOf, type PathStep } from "./tools/paths.ts";
export { declaredEffect, type PlainWords } from "./tools/plain-words.ts";
export { schemaHasPath } from "./tools/schema-paths.ts";
export { compileSchema, isStandardSchema } from "./tools/standard-schema.ts";
export { defaultSanitization } from "./registry/default-sanitization.ts";
export { namesOf } from "./registry/resolve-name.ts";
export { defaultsOf, type SourceDefaults } from "./registry/source-defaults.ts";
export { createRuntime } from "./runner/agent-runtime.ts";
export { inheritedSecrets } from "./runner/caller/inherited-secrets.ts";
export { answerOf, insideOf, runNode, runtimeOf, type InsideOf, type ToolHost } from "./runner/inside/inside-of.ts";
export { asFlow } from "./runner/settings/join-flow.ts";
export type { AgentRole } from "./runner/settings/option-row.ts";
export { compositionOptions, programOptions } from "./runner/settings/run-settings.ts";
export { toolNameOf } from "./tools/tool-name.ts";
export { isToolReturn } from "./tools/tool-return.ts";
export { ownCopy } from "./user-code/copies.ts";
