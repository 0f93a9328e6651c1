import type { FunctionToolDefinition, Logger, ModelCapabilities, ToolDefinition } from "@bailiwick/core/provider";
import type { AiSdkModel } from "./ai-sdk-model.ts";
import type { PreparedTool, PreparedTools } from "./prepared-tools.ts";
import type { VendorTraits } from "./vendors.ts";

/** The model behind the bridge, and the values that are prepared once. */
export interface ModelContext {
  readonly provider: string;
  readonly api: string;
  readonly modelId: string;
  readonly version: AiSdkModel["specificationVersion"];
  readonly capabilities: ModelCapabilities;
  readonly vendor: VendorTraits;
  readonly logger: Logger | undefined;
  readonly tools: WeakMap<readonly ToolDefinition[], PreparedTools>;
  readonly tool: WeakMap<FunctionToolDefinition, PreparedTool>;
}
