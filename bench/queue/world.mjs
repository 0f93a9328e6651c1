// The agent and the stores of the queue's measurements.
import { createAgentRuntime, tool } from "../../packages/core/src/index.ts";
import { postgresStore } from "../../packages/store-postgres/src/index.ts";
import { sqliteStore } from "../../packages/store-sqlite/src/index.ts";
import { scriptedModel } from "../../packages/testing/src/index.ts";

export const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** @param {string} place `postgres:SCHEMA` or `sqlite:FILE` */
export function openStore(place) {
  const at = place.indexOf(":");
  const name = place.slice(at + 1);
  if (place.startsWith("sqlite:")) return sqliteStore({ path: name });
  return postgresStore({ url: process.env.BAILIWICK_POSTGRES_URL, schema: name });
}

/** An agent that answers at once. With `waiting`, each run stays in a tool until it is aborted. */
export function benchAgent(store, waiting = false) {
  const hold = tool({
    name: "hold",
    description: "Holds.",
    inputSchema: { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) } },
    inputJsonSchema: { type: "object" },
    sideEffectClass: "read-only",
    execute: () => new Promise(() => {}),
  });
  const model = scriptedModel(() => (waiting ? { toolCalls: [{ name: "hold", arguments: {} }] } : "Done."));
  return createAgentRuntime({ name: "bench", model, tools: waiting ? [hold] : [], store, logger: quiet, flow: "off" });
}
