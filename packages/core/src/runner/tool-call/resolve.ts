import { fail } from "./call.ts";
import type { PipelineCall } from "./call.ts";

/** How many names an error about an unknown tool holds, whatever the size of the catalogue. */
const namesShown = 5;

/** Finds the tool. An unknown name is the model's to mend: it is told the nearest ones. */
export function resolve(call: PipelineCall): void {
  const { catalogue } = call.run;
  const tool = catalogue.get(call.toolName);
  if (tool === undefined) {
    fail(call, "unknown_tool", unknownTool(call));
    return;
  }
  if (!catalogue.isCallable(call.toolName)) {
    fail(
      call,
      "unknown_tool",
      catalogue.get("tool_search") === undefined
        ? `The tool "${call.toolName}" is not offered in this turn. Use one of the tools that are.`
        : `The tool "${call.toolName}" has not been loaded yet. Call tool_search with what you want to do; the tools it finds can be called after that.`,
    );
    return;
  }
  call.tool = tool;
}

function unknownTool(call: PipelineCall): string {
  const { catalogue } = call.run;
  const nearest = catalogue.nearest(call.toolName, namesShown);
  const name = call.toolName.slice(0, 128);
  const hints = [`There is no tool "${name}".`];
  if (nearest.length > 0) hints.push(`The nearest names are: ${nearest.join(", ")}.`);
  else hints.push(`Tools that exist: ${firstNames(call)}.`);
  if (catalogue.get("tool_search") !== undefined) hints.push("Other tools can be found with tool_search.");
  return hints.join(" ");
}

function firstNames(call: PipelineCall): string {
  const offered = call.run.catalogue.advertised();
  if (offered.length === 0) return "none";
  const names = offered.slice(0, namesShown).map((tool) => tool.name);
  const rest = offered.length - names.length;
  return rest > 0 ? `${names.join(", ")}, and ${rest} more` : names.join(", ");
}
