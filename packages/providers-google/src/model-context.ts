import type {
  FunctionToolDefinition,
  Logger,
  Message,
  ModelCapabilities,
  ToolDefinition,
  UnreadableState,
} from "@bailiwick/core/provider";
import type { ModelTraits } from "./capabilities.ts";
import type { PreparedTool, PreparedTools } from "./prepared-tools.ts";

/** The known facts about the called model, and values that are computed once. */
export interface ModelContext {
  readonly modelId: string;
  /** The API: Gemini's, or Vertex AI's. */
  readonly api: "generate" | "vertex";
  readonly capabilities: ModelCapabilities;
  readonly traits: ModelTraits;
  /** True if schemas are sent in Google's own subset of OpenAPI, for backends without support for JSON Schema. */
  readonly openApiSchemas: boolean;
  readonly logger: Logger | undefined;
  /** Thoughts and signatures that the vendor refused. */
  readonly unreadable: UnreadableState;
  /** Wire form of messages: they are compiled once and sent in each turn. */
  readonly messages: WeakMap<Message, unknown>;
  readonly tools: WeakMap<readonly ToolDefinition[], PreparedTools>;
  readonly tool: WeakMap<FunctionToolDefinition, PreparedTool>;
}
