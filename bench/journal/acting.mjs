// Tools and a model for measuring: no network, no waiting.
import { tool } from "../../packages/core/src/index.ts";
import { scriptedModel } from "../../packages/testing/src/index.ts";
import { z } from "../../packages/store-sqlite/node_modules/zod/index.js";

/** One reader and the given number of writers. */
export function actingTools(writers) {
  const inputSchema = z.object({ n: z.number() });
  const reader = tool({ name: "read", description: "Reads.", inputSchema, sideEffectClass: "read-only", execute: ({ n }) => `value ${n}` });
  const writer = tool({ name: "write", description: "Writes.", inputSchema, sideEffectClass: "external-stateful", execute: ({ n }) => `wrote ${n}` });
  return writers > 0 ? [reader, writer] : [reader];
}

/** Calls tools for so many turns, then answers. */
export function answersAfter(turns, calls) {
  let turn = 0;
  return scriptedModel((request) => {
    turn += 1;
    if (turn > turns) return "Done.";
    const name = request.tools?.some((offered) => offered.name === "write") ? "write" : "read";
    return { toolCalls: Array.from({ length: calls }, (_, index) => ({ name, arguments: { n: turn * 100 + index } })) };
  });
}
