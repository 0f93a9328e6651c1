/** Facts about an error code, which decide how a run, a worker and a server treat the error. */
export interface ErrorFacts {
  /**
   * The cause of the error: the model or its vendor, a tool or other code of the user inside a run, a limit, a person, the
   * caller of the function, or the host (store, lease, process, build).
   */
  readonly origin: "model" | "tool" | "limit" | "person" | "caller" | "host";
  /** True if the same call may succeed later without a change. */
  readonly retryable: boolean;
  /**
   * Consequence for a run that has this error: it ends, or this process gives it back and it stays open. `refuse`: the
   * call was refused; a run that cannot begin because of it ends.
   */
  readonly forRun: "end" | "giveBack" | "refuse";
}

function facts(origin: ErrorFacts["origin"], retryable: boolean, forRun: ErrorFacts["forRun"]): ErrorFacts {
  return Object.freeze({ origin, retryable, forRun });
}

const kinds = {
  away: facts("host", true, "giveBack"),
  broken: facts("host", false, "giveBack"),
  handedOver: facts("caller", true, "giveBack"),
  hostPasses: facts("host", true, "refuse"),
  refusedByHost: facts("host", false, "refuse"),
  modelPasses: facts("model", true, "end"),
  model: facts("model", false, "end"),
  toolPasses: facts("tool", true, "end"),
  tool: facts("tool", false, "end"),
  limit: facts("limit", false, "end"),
  limitGiven: facts("limit", false, "refuse"),
  person: facts("person", false, "end"),
  refusedPerson: facts("person", false, "refuse"),
  callerAgain: facts("caller", true, "refuse"),
  refused: facts("caller", false, "refuse"),
} satisfies Readonly<Record<string, ErrorFacts>>;

/**
 * Each error code of the framework, with the kind whose facts it has. Only this table decides if a run ends with an error
 * or is given back, and if a call may be repeated.
 */
export const errorCodes = {
  // The host, while it may recover: the run waits, and the next process continues it.
  JOURNAL_UNAVAILABLE: "away",
  PART_UNAVAILABLE: "away",
  STORE_BUSY: "away",
  STORE_CONFLICT: "away",
  STORE_FAILED: "away",
  STORE_FORBIDDEN: "away",
  STORE_FULL: "away",
  STORE_IO: "away",
  STORE_LOCKED: "away",
  STORE_OUTCOME_UNKNOWN: "away",
  STORE_READ_ONLY: "away",
  STORE_THREAD_ENDED: "away",
  STORE_TIMEOUT: "away",
  STORE_UNAVAILABLE: "away",
  STORE_UNREACHABLE: "away",

  // The host: another process has the run or its session.
  FENCED: "away",
  RUN_BUSY: "away",
  SESSION_BUSY: "away",

  // The owner of this process gave the run back.
  RUN_HANDED_OVER: "handedOver",

  // The host, until a person repairs or changes it: the stored run stays as it is.
  AGENT_UNKNOWN: "broken",
  BLOB_MISSING: "broken",
  BLOB_NOT_FOUND: "broken",
  DUPLICATE_KEY: "broken",
  JOURNAL_TAMPERED: "broken",
  JOURNAL_VERSION: "broken",
  REPLAY_DIVERGENCE: "broken",
  SEAL_BROKEN: "broken",
  SEQUENCE_GAP: "broken",
  STORE_BEHIND: "broken",
  STORE_CALL_UNKNOWN: "broken",
  STORE_CANNOT_OPEN: "broken",
  STORE_CLOSED: "broken",
  STORE_CORRUPT: "broken",
  STORE_ENCODING: "broken",
  STORE_FOLDER_MISSING: "broken",
  STORE_FOREIGN: "broken",
  STORE_FORMAT: "broken",
  STORE_NODE_TOO_OLD: "broken",
  STORE_NOT_A_DATABASE: "broken",
  STORE_THREAD_UNAVAILABLE: "broken",
  STORE_VERSION: "broken",
  TOOL_MISSING: "broken",

  // The host of a server or a command: the call is refused, no run is involved.
  CLI_CONFIG: "refusedByHost",
  CLI_FILE: "refusedByHost",
  CLI_PORT: "refusedByHost",
  CLI_STORE: "refusedByHost",
  HOST_REFUSED: "refusedByHost",
  INTERNAL: "refusedByHost",
  NODE_ONLY: "refusedByHost",
  NO_AUTHORIZATION: "refusedByHost",
  RESTATE_UNAVAILABLE: "hostPasses",

  // The model or its vendor. An error of a model call says for itself if it is retryable; this is the usual case.
  MODEL_CONNECTION_ERROR: "modelPasses",
  MODEL_RATE_LIMITED: "modelPasses",
  MODEL_RESPONSE_INVALID: "modelPasses",
  MODEL_TIMEOUT: "modelPasses",
  MODEL_UNAVAILABLE: "modelPasses",
  ANSWER_UNFINISHED: "model",
  ARGUMENTS_INVALID: "model",
  ARGUMENTS_NOT_JSON: "model",
  CONTEXT_OVERFLOW: "model",
  MODEL_ABORTED: "model",
  MODEL_API_ERROR: "model",
  MODEL_AUTHENTICATION_FAILED: "model",
  MODEL_NOT_FOUND: "model",
  MODEL_QUOTA_EXCEEDED: "model",
  MODEL_TOOL_CALL_INVALID: "model",
  OUTPUT_INVALID: "model",
  UNKNOWN_OUTCOME: "model",

  // Tools, tool servers, and other code of the user.
  MCP_SERVER_ENDED: "toolPasses",
  MCP_UNAVAILABLE: "toolPasses",
  WEBHOOK_REFUSED: "toolPasses",
  ARGUMENTS_NOT_KEPT: "tool",
  ARGUMENTS_UNSTABLE: "tool",
  COMPOSITION_FAILED: "tool",
  EMBEDDER_MISMATCH: "tool",
  EXTENSION_REFUSED: "tool",
  FLOW_POLICY_FAILED: "tool",
  GUARDRAIL_BLOCKED: "tool",
  GUARDRAIL_FAILED: "tool",
  GUARDRAIL_TRIPPED: "tool",
  HOOK_FAILED: "tool",
  IDEMPOTENCY_CONFLICT: "tool",
  PREVIEW_FAILED: "tool",
  PREVIEW_UNSTABLE: "tool",
  IDEMPOTENCY_IN_PROGRESS: "tool",
  IDEMPOTENCY_KEY_FAILED: "tool",
  IDEMPOTENCY_OTHER_USER: "tool",
  INPUT_NOT_JSON: "tool",
  INVALID_MEMORY: "tool",
  INVALID_SLEEP: "tool",
  MCP_CALL_REFUSED: "tool",
  MCP_CLOSED: "tool",
  MCP_PROTOCOL: "tool",
  MCP_REFUSED: "tool",
  NESTED_SUSPENSION: "tool",
  NODE_FAILED: "tool",
  NODE_VALUE_INVALID: "tool",
  NOT_A_STREAMING_TOOL: "tool",
  NOT_CANONICAL: "tool",
  NOT_EXECUTING: "tool",
  NOT_JSON: "tool",
  OUTCOME_UNKNOWN: "tool",
  OUTPUT_NOT_JSON: "tool",
  RESERVED_KEY: "tool",
  RUN_FAILED: "tool",
  SANDBOX_ENDED: "tool",
  SANDBOX_MODULE_CHANGED: "tool",
  SANDBOX_MODULE_REFUSED: "tool",
  SANDBOX_SPAWN_FAILED: "tool",
  SANDBOX_UNAVAILABLE: "tool",
  SESSION_CONFLICT: "tool",
  STATE_READ_ONLY: "tool",
  TEMPLATE_VALUE: "tool",
  TOOL_ERROR: "tool",
  TO_MODEL_OUTPUT_FAILED: "tool",

  // Limits and rights.
  EGRESS_DENIED: "limit",
  ENDORSEMENT_IMPOSSIBLE: "limit",
  ENDORSEMENT_REFUSED: "limit",
  GRANT_FORM: "limit",
  GUESSED_READER: "limit",
  HOOK_TIMEOUT: "limit",
  INPUT_TOO_LONG: "limit",
  MAX_DEPTH: "limit",
  MEMORY_GUARD_DENIED: "limit",
  PATH_ESCAPE: "limit",
  PRICE_UNKNOWN: "limit",
  RUN_EXPIRED: "limit",
  RUN_STOPPED: "limit",
  SANDBOX_MEMORY_EXCEEDED: "limit",
  SANDBOX_OUTPUT_EXCEEDED: "limit",
  SANDBOX_TIMEOUT: "limit",
  SECRET_ACCESS_DENIED: "limit",
  SECRET_HAS_NO_TEXT: "limit",
  SECRET_HOST_DENIED: "limit",
  SECRET_IN_ARGUMENTS: "limit",
  SECRET_NOT_FOUND: "limit",
  SECRET_SOURCE_MISSING: "limit",
  TOO_MANY_QUESTIONS: "limit",
  UNATTENDED: "limit",
  RUN_STUCK: "limitGiven",

  // People: their decisions and answers.
  APPROVAL_TIMEOUT: "person",
  ANSWER_INVALID: "refusedPerson",
  CLI_CONFIRMATION: "refusedPerson",
  CLI_SUSPICIOUS: "refusedPerson",
  DECISION_APPLIED: "refusedPerson",
  DECISION_FORGED: "refusedPerson",
  DECISION_INVALID: "refusedPerson",
  DECISION_KIND: "refusedPerson",
  DECISION_REMEMBER: "refusedPerson",
  DECISION_USED: "refusedPerson",
  EDIT_INVALID: "refusedPerson",
  SUSPICIOUS_NOT_ACKNOWLEDGED: "refusedPerson",
  MCP_AUTHORIZATION_REFUSED: "refusedPerson",
  MCP_AUTHORIZATION_REQUIRED: "refusedPerson",
  QUESTION_CLOSED: "refusedPerson",
  UNKNOWN_DECISION: "refusedPerson",

  // Callers: what they may repeat.
  CHAT_BUSY: "callerAgain",
  MEMORY_SUPERSEDED: "callerAgain",
  RUN_CHANGED: "callerAgain",

  // Callers: options, values, ids and requests that are refused.
  AGENT_MISSING: "refused",
  AMBIGUOUS_CLASSIFICATION: "refused",
  API_KEY_MISSING: "refused",
  API_KEY_UNSUPPORTED: "refused",
  APPROVE_ON_TIMEOUT: "refused",
  BASE_URL_MISSING: "refused",
  BODY_TOO_LARGE: "refused",
  BRANCH_NOT_FOUND: "refused",
  CALLER_MODEL_MISSING: "refused",
  CASSETTE_INVALID: "refused",
  CASSETTE_MISMATCH: "refused",
  CASSETTE_MISSING: "refused",
  CASSETTE_SECRET: "refused",
  CASSETTE_UNSUPPORTED: "refused",
  CHAT_NOT_FOUND: "refused",
  CLIENT_CONFLICT: "refused",
  CLI_NEEDS_ENTRY: "refused",
  CLI_UNKNOWN_CODE: "refused",
  CLI_USAGE: "refused",
  CONFLICTING_OPTIONS: "refused",
  CORRUPT_EXPORT: "refused",
  DEPENDENCIES_MISSING: "refused",
  DIMENSIONS_MISSING: "refused",
  DUPLICATE_TOOL_NAME: "refused",
  DUPLICATE_TOOL_SERVER: "refused",
  EMPTY_COMPOSITION: "refused",
  FLOW_MISSING: "refused",
  FLOW_OPTIONS: "refused",
  HISTORY_INVALID: "refused",
  INVALID_CLASSIFICATION: "refused",
  INVALID_EXAMPLE: "refused",
  INVALID_HOST: "refused",
  INVALID_HOSTED_TOOL: "refused",
  INVALID_INPUT: "refused",
  INVALID_INTERRUPTION: "refused",
  INVALID_JSON_SCHEMA: "refused",
  INVALID_MCP_OPTION: "refused",
  INVALID_MESSAGE: "refused",
  INVALID_OPTION: "refused",
  INVALID_PATH: "refused",
  INVALID_REQUEST: "refused",
  INVALID_SCHEDULE: "refused",
  INVALID_SECRET_REFERENCE: "refused",
  INVALID_TEMPLATE: "refused",
  INVALID_TOOL: "refused",
  INVALID_TOOL_SOURCE: "refused",
  KEY_IN_BROWSER: "refused",
  MCP_SANDBOX_REQUIRED: "refused",
  MEMORY_NOT_FOUND: "refused",
  MESSAGE_UNKNOWN: "refused",
  NOT_FOUND: "refused",
  NOT_REPEATABLE: "refused",
  NO_AGENT: "refused",
  NO_CATALOGUE: "refused",
  NO_MEMORIES: "refused",
  NO_SESSIONS: "refused",
  ORIGIN_REFUSED: "refused",
  PORT_MISSING: "refused",
  RECORD_NOT_FOUND: "refused",
  REFERENCE_UNKNOWN: "refused",
  RESPONSE_NOT_FOUND: "refused",
  RESPONSE_OPEN: "refused",
  RUN_EXISTS: "refused",
  RUN_HAS_PARENT: "refused",
  RUN_NOT_FOUND: "refused",
  RUN_NOT_RETRYABLE: "refused",
  RUN_OPTIONS_MISSING: "refused",
  RUN_OVER: "refused",
  SCHEDULES_UNSUPPORTED: "refused",
  SCHEDULE_NOT_FOUND: "refused",
  SCHEMA_NOT_CONVERTIBLE: "refused",
  SCRIPT_EXHAUSTED: "refused",
  SCRIPT_FAILED: "refused",
  SCRIPT_INVALID: "refused",
  SCRIPT_UNSUPPORTED: "refused",
  SEAL_KEY_MISSING: "refused",
  SEARCH_CURSOR: "refused",
  SESSION_EXISTS: "refused",
  SESSION_NOT_FOUND: "refused",
  SESSION_OF_CALLER: "refused",
  SIMULATION_EMPTY: "refused",
  SIMULATION_ESCAPE: "refused",
  SIMULATION_LATE: "refused",
  SIMULATION_NOT_INSTALLED: "refused",
  STATE_CONFLICT: "refused",
  STORE_MISMATCH: "refused",
  STORE_TOO_LONG: "refused",
  STREAM_TAKEN: "refused",
  TENANT_MISMATCH: "refused",
  TOKEN_MISSING: "refused",
  TOOLS_UNKNOWN: "refused",
  TOOL_COLLISION: "refused",
  UNGOVERNED_HOSTED_TOOL: "refused",
  UNKNOWN_COMPAT: "refused",
  UNKNOWN_MODEL: "refused",
  UNKNOWN_OPTION: "refused",
  UNKNOWN_SECRET: "refused",
  UNKNOWN_TOOL_NAME: "refused",
  UNKNOWN_TOOL_SOURCE: "refused",
  UNMATCHED_CLASSIFICATION: "refused",
  UNSUPPORTED_MEDIA_TYPE: "refused",
  WEAKER_POLICY: "refused",
  WEBHOOKS_UNSUPPORTED: "refused",
} as const;

/** An error code of the framework. */
export type ErrorCode = keyof typeof errorCodes;

const table: Readonly<Record<ErrorCode, keyof typeof kinds>> = errorCodes;

/** The facts of a code. A code that the framework does not have belongs to code of the user: a run ends with it. */
export function factsOfCode(code: string): ErrorFacts {
  return kinds[isErrorCode(code) ? table[code] : "tool"];
}

/** The facts of an error of a store: with another code it is away. */
export function factsOfStore(code: string): ErrorFacts {
  return isErrorCode(code) ? factsOfCode(code) : kinds.away;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(table, code);
}
