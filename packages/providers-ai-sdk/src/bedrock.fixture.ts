import { createRequire, registerHooks } from "node:module";
import type * as Bedrock from "@ai-sdk/amazon-bedrock";

// The test runner sets the condition `module`, for which a dependency of the package names files that Node cannot load.
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: context.conditions.filter((name) => name !== "module") }),
});
const bedrock = createRequire(import.meta.url)("@ai-sdk/amazon-bedrock") as typeof Bedrock;
hooks.deregister();

/** The package's own function. */
export const createAmazonBedrock: typeof Bedrock.createAmazonBedrock = bedrock.createAmazonBedrock;
