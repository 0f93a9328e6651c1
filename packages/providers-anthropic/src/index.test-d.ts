import type { HostedTool, ModelProvider } from "@bailiwick/core";
import { expectTypeOf, test } from "vitest";
import { anthropic, anthropicOptions, cacheHere, storedFile, webSearch } from "./index.ts";

test("a model is a provider, and settings are checked where they are written", () => {
  expectTypeOf(anthropic("claude-opus-5-5")).toEqualTypeOf<ModelProvider>();
  expectTypeOf(webSearch({ max_uses: 2, type: "web_search_20260318" })).toEqualTypeOf<HostedTool>();
  // @ts-expect-error a version that does not exist
  webSearch({ type: "web_search_1999" });
  // @ts-expect-error a setting of another vendor
  anthropicOptions({ verbosity: "low" });
  // @ts-expect-error an effort that does not exist
  anthropicOptions({ effort: "minimal" });
  expectTypeOf(cacheHere({ type: "text", text: "x" }).type).toEqualTypeOf<"text">();
  expectTypeOf(storedFile("file_1", "application/pdf").url).toEqualTypeOf<string>();
});
