import type { RunContext } from "./run-context.ts";
import type { Interruption } from "./interruption.ts";
import type { HostedTool } from "./model-provider.ts";
import type { ResolvedTool } from "./resolved-tool.ts";
import type { RunOutput } from "./run-output.ts";
import type { ToolCallResult } from "./tool-call-result.ts";

/** A call of the turn, as a tool-use behaviour sees it. */
export type FunctionToolResult =
  | {
      readonly type: "function_output";
      readonly tool: ResolvedTool;
      readonly output: unknown;
      readonly runItem: ToolCallResult;
      /** The nested run, when the tool is an agent. */
      readonly agentRunResult?: RunOutput | undefined;
      /** Interruptions collected while the nested agent ran. */
      readonly interruptions?: readonly Interruption[] | undefined;
    }
  | { readonly type: "function_approval"; readonly tool: ResolvedTool; readonly runItem: Interruption }
  | { readonly type: "hosted_mcp_tool_approval"; readonly tool: HostedTool; readonly runItem: Interruption };

/** A tool-use behaviour's verdict: continue, or end with this text. */
export type ToolUseVerdict =
  | { readonly isFinalOutput: false }
  | { readonly isFinalOutput: true; readonly finalOutput: string };

/** Decides how the run continues after the tools of a turn. Default `run_llm_again`. */
export type ToolUseBehavior =
  | "run_llm_again"
  | "stop_on_first_tool"
  | { readonly stopAtToolNames: readonly string[] }
  | ((results: readonly FunctionToolResult[], ctx: RunContext) => ToolUseVerdict | Promise<ToolUseVerdict>);
