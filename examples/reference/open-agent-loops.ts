// The tool message of Open Agent Loops: one per call, linked by id.
import { Agent, tool } from "@bailiwick/agent";
import { toChatMessage, type ToolMessage } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { row } from "./row.ts";

const weather = tool({
  name: "weather",
  description: "Reads the weather of a city.",
  inputSchema: z.object({ city: z.string() }),
  sideEffectClass: "read-only",
  execute: ({ city }) => {
    if (city === "Nowhere") throw new Error("There is no such city.");
    return "72°F and sunny";
  },
});
const model = scriptedModel([
  {
    toolCalls: [
      { id: "call_abc123", name: "weather", arguments: { city: "Rome" } },
      { id: "call_def456", name: "weather", arguments: { city: "Nowhere" } },
    ],
  },
  "It is sunny.",
]);
const { messages } = await new Agent({ name: "guide", model, tools: [weather] }).run("Weather in Rome?");
const results = messages.filter((message): message is ToolMessage => message.role === "tool");
const [sunny, failed] = results;
if (sunny === undefined || failed === undefined) throw new Error("Two calls have two results.");

row("ToolMessage.role", sunny.role, "tool");
row("ToolMessage.content", sunny.content, "72°F and sunny");
row("ToolMessage.toolName", sunny.toolName, "weather");
row("ToolMessage.isError", failed.isError, true);
row("ToolMessage.timestamp", sunny.timestamp);
const wire = toChatMessage(sunny);
row("ToolMessage.tool_call_id", "tool_call_id" in wire ? wire.tool_call_id : undefined, "call_abc123");
row(
  "one message per call",
  results.map(({ toolCallId }) => toolCallId),
  ["call_abc123", "call_def456"],
);
row("the wire has the standard fields alone", Object.keys(wire).toSorted(), ["content", "role", "tool_call_id"]);
