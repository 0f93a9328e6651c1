import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";
import { publicCallbacks } from "./lib/public-callbacks.mjs";

/** The test that plays every failure of each function of these options; its rows are derived from the type. */
const matrices = {
  "mcp EnterpriseAssertionOptions": "packages/mcp/src/callback-failures.test.ts",
  "mcp JwtBearerOptions": "packages/mcp/src/callback-failures.test.ts",
  "mcp McpHttpOptions": "packages/mcp/src/callback-failures.test.ts",
  "mcp McpServerOptions": "packages/mcp/src/server/callback-failures.test.ts",
  "mcp McpStdioOptions": "packages/mcp/src/callback-failures.test.ts",
  "mcp OAuthOptions": "packages/mcp/src/callback-failures.test.ts",
  "mcp SamplingOptions": "packages/mcp/src/callback-failures.test.ts",
  "restate RestateOptions": "packages/restate/src/callback-failures.test.ts",
  "server RunRoutesOptions": "packages/server/src/http/callback-failures.test.ts",
  "server OpenaiRoutesOptions": "packages/server/src/http/callback-failures.test.ts",
  "store-durable-objects StoreObjectOptions": "packages/store-durable-objects/src/callback-failures.test.ts",
  "studio StudioOptions": "packages/studio/src/http/callback-failures.test.ts",
  "worker WorkerOptions": "packages/store-sqlite/src/workers/callback-failures.test.ts",
  "worker WebhookOptions": "packages/store-sqlite/src/workers/callback-failures.test.ts",
};

/** Functions without a matrix, and the test of their failures. */
const tested = {
  // The options of both transports, which have a matrix.
  "mcp McpCommonOptions.elicitation": "packages/mcp/src/callback-failures.test.ts",
  "mcp McpOptions.elicitation": "packages/mcp/src/callback-failures.test.ts",
  "mcp McpOptions.fetch": "packages/mcp/src/callback-failures.test.ts",
  // Called by the routes, which have a matrix.
  "server AgUiEncoderOptions.errorText": "packages/server/src/http/callback-failures.test.ts",
  "server UiEncoderOptions.errorText": "packages/server/src/http/callback-failures.test.ts",
  "server UiEncoderOptions.isAnswered": "packages/server/src/http/callback-failures.test.ts",
  // The options that a worker and one pass share.
  "worker DriveDueOptions.onRun": "packages/store-sqlite/src/workers/callback-failures.test.ts",
  "worker PassOptions.onRun": "packages/store-sqlite/src/workers/callback-failures.test.ts",
};

const packages = /\/(?:mcp|memory|restate|server|store-[\w-]+|studio|worker)$/u;

test("a new function in public options needs a test of its failures", () => {
  const callbacks = publicCallbacks((folder) => packages.test(folder));
  expect(callbacks.length).toBeGreaterThan(20);
  const inMatrix = (/** @type {string} */ name) =>
    Object.hasOwn(matrices, name.split(".")[0] ?? "") || Object.hasOwn(tested, name);
  expect(callbacks.filter((name) => !inMatrix(name))).toEqual([]);
  // An entry whose function is gone leaves the list.
  expect(Object.keys(tested).filter((name) => !callbacks.includes(name))).toEqual([]);
  for (const [options, file] of Object.entries(matrices)) {
    const [, type = ""] = options.split(" ");
    expect(readFileSync(join(root, file), "utf8"), file).toMatch(new RegExp(`\\b(?:FunctionsOf<)?${type}\\b`, "u"));
  }
});
