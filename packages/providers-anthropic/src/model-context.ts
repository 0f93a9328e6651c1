import type {
  FunctionToolDefinition,
  Logger,
  Message,
  ModelCapabilities,
  ToolDefinition,
  UnreadableState,
} from "@bailiwick/core/provider";
import type { SamplingVersion } from "./api-version.ts";
import type { ModelTraits } from "./capabilities.ts";
import type { Concessions } from "./concessions.ts";
import type { PreparedTool, PreparedTools } from "./prepared-tools.ts";

/** The known facts about the called model, and values that are computed once. */
export interface ModelContext {
  readonly modelId: string;
  readonly capabilities: ModelCapabilities;
  readonly traits: ModelTraits;
  readonly logger: Logger | undefined;
  readonly betas: readonly string[];
  /** Ways in which sampling settings can be sent. */
  readonly sampling: SamplingVersion;
  readonly maxContinuations: number;
  /** The features that the vendor refused before, by session. */
  readonly concessions: Concessions;
  /** Thinking whose signatures the vendor refused. */
  readonly unreadable: UnreadableState;
  /** Wire form of messages: they are mapped once and sent in each turn. */
  readonly messages: WeakMap<Message, unknown>;
  readonly tools: WeakMap<readonly ToolDefinition[], PreparedTools>;
  readonly tool: WeakMap<FunctionToolDefinition, PreparedTool>;
}
