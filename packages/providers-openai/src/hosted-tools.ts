import { ConfigurationError, checkArgument, checkKnownNames } from "@bailiwick/core/provider";
import type { HostedTool, JsonValue, SideEffectClass } from "@bailiwick/core/provider";
import type OpenAI from "openai";

type ToolType = OpenAI.Responses.Tool["type"];
/** The vendor's tools of a type; some have several names. */
type VendorTool<Type extends ToolType, Tool = OpenAI.Responses.Tool> = Tool extends { type: infer Known }
  ? Type extends Known
    ? Tool
    : never
  : never;
type SettingsOf<Type extends ToolType> = Omit<VendorTool<Type>, "type">;

function hosted(
  type: string,
  name: string,
  settings: object,
  sideEffectClass: SideEffectClass,
  asksApproval?: boolean,
): HostedTool {
  const given = Object.entries({ ...settings, type }).filter(([, value]) => value !== undefined);
  return {
    type: "hosted",
    provider: "openai",
    name,
    args: Object.fromEntries(given) as Readonly<Record<string, JsonValue>>,
    sideEffectClass,
    ...(asksApproval === undefined ? {} : { asksApproval }),
  };
}

/**
 * OpenAI's web search. Reads only.
 *
 * @param settings - The vendor's settings: `filters`, `search_context_size`, `user_location`.
 * @example
 * ```ts
 * import { webSearch } from "@bailiwick/providers-openai";
 *
 * export const search = webSearch({ search_context_size: "low" });
 * ```
 */
export function webSearch(settings: SettingsOf<"web_search"> = {}): HostedTool {
  checkArgument(settings, "object", "webSearch(settings)");
  return hosted("web_search", "web_search", settings, "read-only");
}

/** Settings of {@link xSearch}, as xAI names them. */
export interface XSearchSettings {
  /** Handles to which the search is limited, at most 10. Not together with `excluded_x_handles`. */
  readonly allowed_x_handles?: readonly string[] | undefined;
  /** Handles whose posts are left out, at most 10. */
  readonly excluded_x_handles?: readonly string[] | undefined;
  /** First day of the search, such as `2026-01-31`. */
  readonly from_date?: string | undefined;
  /** Last day of the search. */
  readonly to_date?: string | undefined;
  /** True if the model sees pictures in posts. Default `false`. */
  readonly enable_image_understanding?: boolean | undefined;
  /** True if the model sees videos in posts. Default `false`. */
  readonly enable_video_understanding?: boolean | undefined;
}

/**
 * xAI's search in posts, users and threads on X, for models with `compat: "xai"`. Reads only.
 *
 * @param settings - Handles, days, and media of the search.
 * @throws ConfigurationError `INVALID_HOSTED_TOOL` if handles are both allowed and excluded, or more than 10 are given.
 * @example
 * ```ts
 * import { openai, webSearch, xSearch } from "@bailiwick/providers-openai";
 *
 * export const grok = openai("grok-4.3", { compat: "xai" });
 * export const tools = [webSearch(), xSearch({ from_date: "2026-01-01" })];
 * ```
 */
export function xSearch(settings: XSearchSettings = {}): HostedTool {
  checkArgument(settings, "object", "xSearch(settings)");
  const { allowed_x_handles: allowed, excluded_x_handles: excluded } = settings;
  if (allowed !== undefined && excluded !== undefined) {
    throw new ConfigurationError(
      "INVALID_HOSTED_TOOL",
      "xSearch() has both allowed_x_handles and excluded_x_handles, and xAI takes one of them. Leave one out.",
    );
  }
  const handles = allowed ?? excluded ?? [];
  if (handles.length > 10) {
    throw new ConfigurationError(
      "INVALID_HOSTED_TOOL",
      `xSearch() has ${handles.length} handles, and xAI takes at most 10. Leave some out.`,
    );
  }
  return { ...hosted("x_search", "x_search", settings, "read-only"), provider: "xai" };
}

/**
 * Search in OpenAI's vector stores. Reads only.
 *
 * @param settings - `vector_store_ids`, and the vendor's filters and ranking.
 * @example
 * ```ts
 * import { fileSearch } from "@bailiwick/providers-openai";
 *
 * export const manuals = fileSearch({ vector_store_ids: ["vs_manuals"], max_num_results: 5 });
 * ```
 */
export function fileSearch(settings: SettingsOf<"file_search">): HostedTool {
  checkArgument(settings, "object", "fileSearch(settings)");
  return hosted("file_search", "file_search", settings, "read-only");
}

/**
 * Python in a container at OpenAI. It changes its own container; with a network policy that allows hosts, it can change
 * anything.
 *
 * @param settings - The container; default a new one without network.
 * @example
 * ```ts
 * import { codeInterpreter } from "@bailiwick/providers-openai";
 *
 * export const python = codeInterpreter({ container: { type: "auto", memory_limit: "4g" } });
 * ```
 */
export function codeInterpreter(settings: Partial<SettingsOf<"code_interpreter">> = {}): HostedTool {
  checkArgument(settings, "object", "codeInterpreter(settings)");
  const container = settings.container ?? { type: "auto" as const };
  // An existing container may have any network.
  const isClosed = typeof container === "object" && container.network_policy?.type !== "allowlist";
  return hosted(
    "code_interpreter",
    "code_interpreter",
    { ...settings, container },
    isClosed ? "side-effecting" : "external-stateful",
  );
}

/**
 * Pictures made by OpenAI; they arrive as files of the answer. Changes nothing.
 *
 * @param settings - The vendor's settings: `quality`, `size`, `output_format`, ….
 * @example
 * ```ts
 * import { imageGeneration } from "@bailiwick/providers-openai";
 *
 * export const draw = imageGeneration({ output_format: "webp" });
 * ```
 */
export function imageGeneration(settings: SettingsOf<"image_generation"> = {}): HostedTool {
  checkArgument(settings, "object", "imageGeneration(settings)");
  return hosted("image_generation", "image_generation", settings, "read-only");
}

/** Options of {@link mcp}: the vendor's settings, and the server's tools that only read. */
export type McpSettings = SettingsOf<"mcp"> & {
  /**
   * The tools that only read, as you declare: the vendor runs these without an approval, and asks before every other
   * one. `"annotated"` trusts the server's `readOnlyHint`. Not together with `require_approval`. Default none.
   */
  readonly reads?: readonly string[] | "annotated" | undefined;
};

/**
 * A remote MCP server or connector that OpenAI calls. It can change anything, so the vendor asks before each call, and
 * a person or the agent's approval policy answers; list tools that only read in `reads`. A `require_approval` that lets
 * other tools run without approval is refused when the agent is constructed, unless it sets
 * `flow.allowUngovernedHostedTools`.
 *
 * @param settings - `server_label`, `server_url` or `connector_id`, `authorization`, `allowed_tools`, `reads`, or
 *   `require_approval` as the vendor has it (default `"always"`).
 * @throws ConfigurationError `INVALID_HOSTED_TOOL` if both `reads` and `require_approval` are given.
 * @example
 * ```ts
 * import { mcp } from "@bailiwick/providers-openai";
 *
 * export const crm = mcp({ server_label: "crm", server_url: "https://mcp.example.com", reads: ["find_customer"] });
 * ```
 */
export function mcp(settings: McpSettings): HostedTool {
  checkArgument(settings, "object", "mcp({ server_label, server_url })");
  const { reads, ...sent } = settings;
  const wanted = sent.require_approval ?? undefined;
  if (reads !== undefined && wanted !== undefined) {
    throw new ConfigurationError(
      "INVALID_HOSTED_TOOL",
      `The MCP server "${sent.server_label}" has both reads and require_approval. Name the tools that only read in reads, and leave require_approval out.`,
    );
  }
  const approval = wanted ?? approvalBut(reads);
  return hosted(
    "mcp",
    `mcp:${sent.server_label}`,
    { ...sent, require_approval: approval },
    readsOnly(sent.allowed_tools, reads) ? "read-only" : "external-stateful",
    asksForWrites(approval, reads),
  );
}

type Approval = NonNullable<SettingsOf<"mcp">["require_approval"]>;

function approvalBut(reads: McpSettings["reads"]): Approval {
  if (reads === undefined || reads.length === 0) return "always";
  return { never: reads === "annotated" ? { read_only: true } : { tool_names: [...reads] } };
}

/** True if only reads run without approval: an exemption in the vendor's own form may name writers. */
function asksForWrites(approval: Approval, reads: McpSettings["reads"]): boolean {
  if (approval === "always" || reads !== undefined) return true;
  if (approval === "never" || approval.always !== undefined) return false;
  const { never } = approval;
  return never === undefined || (never.read_only === true && (never.tool_names?.length ?? 0) === 0);
}

function readsOnly(allowed: SettingsOf<"mcp">["allowed_tools"], reads: McpSettings["reads"]): boolean {
  if (!Array.isArray(allowed) || !Array.isArray(reads)) return false;
  return (allowed as readonly string[]).every((name) => (reads as readonly string[]).includes(name));
}

/**
 * A shell in a container at OpenAI.
 *
 * @param settings - The container; default a new one. For a local shell, write your own tool with a sandbox.
 * @example
 * ```ts
 * import { shell } from "@bailiwick/providers-openai";
 *
 * export const bash = shell();
 * ```
 */
export function shell(
  settings: { readonly environment?: Exclude<SettingsOf<"shell">["environment"], { type: "local" } | null> } = {},
): HostedTool {
  checkKnownNames(settings, ["environment"], "shell()");
  return hosted(
    "shell",
    "shell",
    { environment: settings.environment ?? { type: "container_auto" } },
    "external-stateful",
  );
}

/** Name and input of a {@link customTool}. */
export interface CustomToolSettings {
  /** Name of the agent's own tool that runs the call. */
  readonly name: string;
  /** Shown to the model. */
  readonly description?: string | undefined;
  /** Free text, or a grammar that the text follows. Default free text. */
  readonly format?: SettingsOf<"custom">["format"] | undefined;
}

/**
 * Offers one of the agent's own tools as a custom tool: the model writes free text, or text of a grammar, instead of
 * JSON. The tool of that name runs it and gets `{ input: text }`; its schema should be an object with that one string.
 * The vendor runs nothing; the tool's own declaration describes its effect.
 *
 * @param settings - The tool's name, and the format of its text.
 * @example
 * ```ts
 * import { customTool } from "@bailiwick/providers-openai";
 *
 * export const sql = customTool({ name: "query", format: { type: "grammar", syntax: "regex", definition: "SELECT .*" } });
 * ```
 */
export function customTool(settings: CustomToolSettings): HostedTool {
  checkArgument(settings, "object", "customTool({ name })");
  const { name, description, format } = settings;
  return hosted("custom", name, { name, description, format }, "pure");
}
