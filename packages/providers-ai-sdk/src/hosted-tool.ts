import { ConfigurationError, checkArgument } from "@bailiwick/core/provider";
import type { HostedTool, JsonValue, SideEffectClass } from "@bailiwick/core/provider";

/** The `provider` of hosted tools that go through the bridge. */
export const hostedProvider = "ai-sdk";

/** A tool as the helpers of AI SDK providers make it, such as `xai.tools.webSearch()`. */
export interface AiSdkProviderTool {
  /** Id that begins with the vendor's name, such as `xai.web_search`. */
  readonly id?: string | undefined;
  /** Settings of the tool, as the vendor's helper takes them. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A tool that the vendor runs, made by the helper of its AI SDK package.
 *
 * @param tool - The helper's result.
 * @param options - `sideEffectClass`: the effect of the tool, which the AI SDK does not declare. `name`: default the
 * last part of the tool's id.
 * @throws ConfigurationError `INVALID_OPTION` if no vendor runs the tool, or its class is missing.
 * @example
 * ```ts
 * import { hostedTool } from "@bailiwick/providers-ai-sdk";
 *
 * // `xai.tools.webSearch()` of @ai-sdk/xai makes an object like this one.
 * const search = hostedTool({ id: "xai.web_search", args: {} }, { sideEffectClass: "read-only" });
 * console.log(search.name); // "web_search"
 * ```
 */
export function hostedTool(
  tool: AiSdkProviderTool,
  options: { readonly sideEffectClass: SideEffectClass; readonly name?: string | undefined },
): HostedTool {
  checkArgument(tool, "object", "hostedTool(tool)");
  const { id } = tool;
  if (typeof id !== "string" || !/^[^.]+\../.test(id))
    throw new ConfigurationError(
      "INVALID_OPTION",
      'hostedTool() takes a tool that the vendor runs, with an "id" such as "xai.web_search". Register other tools with the agent.',
    );
  if (typeof options?.sideEffectClass !== "string")
    throw new ConfigurationError(
      "INVALID_OPTION",
      `hostedTool("${id}") needs its "sideEffectClass", such as "read-only".`,
    );
  return {
    type: "hosted",
    provider: hostedProvider,
    name: options.name ?? id.slice(id.indexOf(".") + 1),
    args: { id, args: JSON.parse(JSON.stringify(tool.args ?? {})) as JsonValue },
    sideEffectClass: options.sideEffectClass,
  };
}
