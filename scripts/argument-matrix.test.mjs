import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

/**
 * Functions that still throw an error without a code, such as a TypeError: a check would exceed the limits of the
 * bundles, or they belong to a request that is under way. The list may only shrink.
 */
const open = ["checkHost", "codeFailure", "mayEnterSystemPrompt", "sealer", "stripText", "thrownAsErrors"];

/** Functions without an argument, or whose argument is a value or names and not options. */
const withoutOptions = [
  "agent declarationsFile",
  "agent modelRegistry",
  "core zod3",
  "evals attacks",
  "evals effects",
  "evals exact",
  "evals fields",
  "evals schema",
  "mcp anyone",
  "mcp memoryTokens",
  "providers-anthropic bash",
  "providers-anthropic cacheHere",
  "providers-anthropic memory",
  "security codeFailure",
  "security noSandbox",
  "security remoteRunner",
  "workspace localHost",
  "security approvalSigner",
  "security mayEnterSystemPrompt",
  "security stripText",
  "testing answeringFetch",
  "testing bitLeaker",
  "testing collectChunks",
  "testing component",
  "testing jsonAt",
];

/** Called by `security()`, which refuses other names. */
const calledByOthers = ["security flowPolicy"];

/** Settings that go to the vendor as they are; the vendor refuses those that it does not know. */
const settingsOfVendors = [
  "providers-anthropic anthropicOptions",
  "providers-anthropic codeExecution",
  "providers-anthropic textEditor",
  "providers-anthropic webFetch",
  "providers-anthropic webSearch",
  "providers-google codeExecution",
  "providers-google enterpriseWebSearch",
  "providers-google fileSearch",
  "providers-google googleMaps",
  "providers-google googleOptions",
  "providers-google googleSearch",
  "providers-google mcp",
  "providers-google retrieval",
  "providers-google urlContext",
  "providers-openai codeInterpreter",
  "providers-openai customTool",
  "providers-openai fileSearch",
  "providers-openai imageGeneration",
  "providers-openai mcp",
  "providers-openai openaiOptions",
  "providers-openai webSearch",
  "providers-openai xSearch",
];

test(
  "a missing or foreign argument of a public function is refused with a code, and an unknown option is refused",
  { timeout: 600_000 },
  () => {
    const program = join(root, "scripts/lib/argument-mistakes.mjs");
    const printed = execFileSync(process.execPath, ["--conditions=@bailiwick/source", program], { encoding: "utf8" });
    const { tried, failing, accepting } = JSON.parse(printed.trim().split("\n").at(-1) ?? "");
    expect(tried).toBeGreaterThan(150);
    expect(failing).toEqual(open);
    expect(accepting).toEqual([...withoutOptions, ...calledByOthers, ...settingsOfVendors].toSorted());
  },
);
