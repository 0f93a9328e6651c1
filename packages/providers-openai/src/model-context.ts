import type {
  FunctionToolDefinition,
  Logger,
  Message,
  ModelCapabilities,
  ToolDefinition,
} from "@bailiwick/core/provider";
import type { ModelTraits } from "./capabilities.ts";
import type { Compat } from "./server-record.ts";
import type { PreparedTool, PreparedTools } from "./prepared-tools.ts";

/** Facts about the model that both protocols use, computed once. */
export interface ModelContext {
  readonly modelId: string;
  readonly api: "responses" | "chat";
  readonly compat: Compat;
  /** True if the user gave the server's address. */
  readonly ownAddress: boolean;
  readonly capabilities: ModelCapabilities;
  readonly traits: ModelTraits;
  readonly logger: Logger | undefined;
  /** JSON of messages: they are compiled and serialized once, and sent in each turn. */
  readonly messages: WeakMap<Message, unknown>;
  readonly tools: WeakMap<readonly ToolDefinition[], PreparedTools>;
  /** JSON of the tools of a request. */
  readonly writtenTools: WeakMap<PreparedTools, string>;
  readonly tool: WeakMap<FunctionToolDefinition, PreparedTool>;
}
