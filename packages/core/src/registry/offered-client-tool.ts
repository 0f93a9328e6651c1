import type { ClientToolDefinition } from "../contracts/client-tool-definition.ts";
import type { Tool } from "../contracts/tool.ts";
import { clientTool } from "../tools/client-tool.ts";
import { withSource } from "./tool-registration.ts";

/** A tool that a run's client offers, as a foreign tool with the operator's words on it. */
export function offeredClientTool(offered: ClientToolDefinition): Tool {
  const { name, description, inputSchema, sideEffectClass, needsApproval } = offered;
  // How far its output may be trusted follows from its source.
  const { output: _output, ...made } = clientTool({ name, description, inputSchema });
  return withSource(made, { kind: "client" }, { sideEffectClass, needsApproval });
}
