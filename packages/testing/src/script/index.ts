export type { Script, ScriptFunction } from "./script.ts";
export type { ScriptFinish, ScriptStep, ScriptUsage } from "./script-step.ts";
export type {
  ScriptFile,
  ScriptFilePart,
  ScriptPart,
  ScriptRawPart,
  ScriptReasoning,
  ScriptReasoningPart,
  ScriptRefusalPart,
  ScriptSource,
  ScriptTextPart,
  ScriptToolCall,
  ScriptToolCallPart,
} from "./script-part.ts";
export type { ScriptError, ScriptFaults } from "./script-faults.ts";
export type {
  ScriptMessage,
  ScriptRequest,
  ScriptRequestTool,
  ScriptRequestToolCall,
  ScriptRequestToolResult,
  ScriptWire,
} from "./script-request.ts";
export { ScriptFaultError, type ScriptFaultCode } from "./script-error.ts";
