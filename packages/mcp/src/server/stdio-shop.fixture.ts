// A server of one tool over stdio.
import { Agent, tool } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { mcpServer } from "./index.ts";

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const add = tool({
  name: "add",
  description: "Adds two numbers.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  sideEffectClass: "pure",
  output: { integrity: "verified" },
  execute: ({ a, b }) => a + b,
});
const agent = new Agent({ name: "shop", model: scriptedModel([]), tools: [add], logger: silent });
await mcpServer({ name: "shop", agent, tools: [add] }).stdio();
