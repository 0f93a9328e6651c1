import { Buffer } from "node:buffer";
import { argv, env as environment } from "node:process";
import { tool } from "@bailiwick/core";
import { env } from "@bailiwick/security";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { Agent } from "../../src/index.ts";

/**
 * A process that crashes with a tool's error: `node crash-output.fixture.ts <how>`, with the secret
 * in `CANARY`.
 */
const how = argv[2];
const secret = environment["CANARY"] ?? "";

function failure(): Error {
  const error = new Error(`failed with ${secret}`, {
    cause: new Error(`because ${Buffer.from(secret).toString("hex")}`),
  });
  return Object.assign(error, { request: { headers: { authorization: `Bearer ${secret}` } } });
}

const leak = tool({
  name: "leak",
  description: "Leaks.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  secretsAllowed: ["CANARY"],
  execute: async () => {
    if (how === "later")
      setTimeout(() => {
        throw failure();
      }, 5);
    if (how === "text") void Promise.reject(secret);
    return "ok";
  },
});

const agent = new Agent({
  name: "agent",
  model: scriptedModel(
    how === "run"
      ? () => ({ faults: { error: { status: 400, message: `bad key ${secret}` } } })
      : [{ toolCalls: [{ name: "leak" }] }, "Done."],
  ),
  tools: [leak],
  secrets: env(),
});
const output = await agent.run("go", { verbose: true });
console.log(output.status);
await new Promise((resolve) => setTimeout(resolve, 200));
