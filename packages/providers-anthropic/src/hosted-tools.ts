import { checkArgument, checkKnownNames } from "@bailiwick/core/provider";
import type { HostedTool, JsonValue, SideEffectClass } from "@bailiwick/core/provider";
import type Anthropic from "@anthropic-ai/sdk";

type Settings<Tool extends { readonly type: string; readonly name: string }> = Omit<Tool, "type" | "name"> & {
  /** The tool's version. Default: the one that every model supports. */
  readonly type?: Tool["type"] | undefined;
};

type WebSearch = Anthropic.WebSearchTool20250305 | Anthropic.WebSearchTool20260209 | Anthropic.WebSearchTool20260318;
type WebFetch =
  | Anthropic.WebFetchTool20250910
  | Anthropic.WebFetchTool20260209
  | Anthropic.WebFetchTool20260309
  | Anthropic.WebFetchTool20260318;
type CodeExecution =
  | Anthropic.CodeExecutionTool20250522
  | Anthropic.CodeExecutionTool20250825
  | Anthropic.CodeExecutionTool20260120
  | Anthropic.CodeExecutionTool20260521;

function hosted(name: string, settings: object, sideEffectClass: SideEffectClass, asksApproval?: boolean): HostedTool {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    type: "hosted",
    provider: "anthropic",
    name,
    args: Object.fromEntries(given) as Readonly<Record<string, JsonValue>>,
    sideEffectClass,
    ...(asksApproval === undefined ? {} : { asksApproval }),
  };
}

/**
 * Anthropic's web search. Reads only.
 *
 * @param settings - The vendor's settings: `max_uses`, `allowed_domains`, `blocked_domains`, `user_location`.
 * @example
 * ```ts
 * import { webSearch } from "@bailiwick/providers-anthropic";
 *
 * export const search = webSearch({ max_uses: 3, allowed_domains: ["example.com"] });
 * ```
 */
export function webSearch(settings: Settings<WebSearch> = {}): HostedTool {
  checkArgument(settings, "object", "webSearch(settings)");
  return hosted("web_search", { type: "web_search_20250305", name: "web_search", ...settings }, "read-only");
}

/**
 * Anthropic reads web pages and PDFs whose addresses are in the conversation. Reads only; the operators of those pages
 * see the requests.
 *
 * @param settings - The vendor's settings: `max_uses`, `allowed_domains`, `citations`, `max_content_tokens`.
 * @example
 * ```ts
 * import { webFetch } from "@bailiwick/providers-anthropic";
 *
 * export const read = webFetch({ allowed_domains: ["docs.example.com"], citations: { enabled: true } });
 * ```
 */
export function webFetch(settings: Settings<WebFetch> = {}): HostedTool {
  checkArgument(settings, "object", "webFetch(settings)");
  return hosted("web_fetch", { type: "web_fetch_20250910", name: "web_fetch", ...settings }, "read-only");
}

/**
 * Code in a container at Anthropic, which has no network. It changes its own container, in which a conversation continues.
 *
 * @param settings - The vendor's settings.
 * @example
 * ```ts
 * import { codeExecution } from "@bailiwick/providers-anthropic";
 *
 * export const python = codeExecution();
 * ```
 */
export function codeExecution(settings: Settings<CodeExecution> = {}): HostedTool {
  checkArgument(settings, "object", "codeExecution(settings)");
  return hosted(
    "code_execution",
    { type: "code_execution_20250825", name: "code_execution", ...settings },
    "side-effecting",
  );
}

/** A remote MCP server, and its offered tools. */
export interface McpSettings {
  /** Name of the server, unique in a request. */
  readonly name: string;
  /** Its address, reachable for Anthropic over https. */
  readonly url: string;
  /** OAuth token for the server. */
  readonly authorizationToken?: string | undefined;
  /** Names of the tools that are offered. Default: `reads`, else all. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Names of the tools that only read, as you declare. Default: none. */
  readonly reads?: readonly string[] | undefined;
}

/**
 * A remote MCP server that Anthropic calls. The vendor asks for no approval before a call, so a server with tools other
 * than its `reads` is refused when the agent is constructed, unless it sets `flow.allowUngovernedHostedTools`.
 *
 * @param settings - The server.
 * @example
 * ```ts
 * import { mcp } from "@bailiwick/providers-anthropic";
 *
 * export const crm = mcp({ name: "crm", url: "https://mcp.example.com", reads: ["find_customer"] });
 * ```
 */
export function mcp(settings: McpSettings): HostedTool {
  checkKnownNames(settings ?? null, ["name", "url", "authorizationToken", "reads", "allowedTools"], "mcp()");
  const { name, url, authorizationToken, reads, allowedTools = reads } = settings;
  const onlyReads = allowedTools?.every((tool) => reads?.includes(tool)) === true;
  const server = {
    type: "url",
    name,
    url,
    ...(authorizationToken === undefined ? {} : { authorization_token: authorizationToken }),
  };
  const allowed =
    allowedTools === undefined
      ? {}
      : {
          default_config: { enabled: false },
          configs: Object.fromEntries(allowedTools.map((tool) => [tool, { enabled: true }])),
        };
  return hosted(
    `mcp:${name}`,
    { type: "mcp_toolset", mcp_server_name: name, ...allowed, server },
    onlyReads ? "read-only" : "external-stateful",
    false,
  );
}

/** Search method of {@link toolSearch}. */
export interface ToolSearchSettings {
  /** Search by words, or by regular expressions that the model writes. Default `bm25`. */
  readonly by?: "bm25" | "regex" | undefined;
  /** Names of the agent's tools that the model sees at once. Default: none, each is found by search. */
  readonly shown?: readonly string[] | undefined;
}

/**
 * The model searches the agent's tools at Anthropic instead of being shown all of them. Reads only; a tool that it
 * finds runs like every tool of the agent.
 *
 * @param settings - The kind of search, and the tools that the model sees at once.
 * @example
 * ```ts
 * import { toolSearch } from "@bailiwick/providers-anthropic";
 *
 * export const search = toolSearch({ shown: ["look_up_order"] });
 * ```
 */
export function toolSearch(settings: ToolSearchSettings = {}): HostedTool {
  checkKnownNames(settings, ["by", "shown"], "toolSearch()");
  const { by = "bm25", shown } = settings;
  const name = `tool_search_tool_${by}`;
  return hosted(
    name,
    { type: `${name}_20251119`, name, shown: shown === undefined ? undefined : [...shown] },
    "read-only",
  );
}

/**
 * Describes one of the agent's own tools as the shell that the vendor trained its models on. The agent's tool named
 * `bash` runs the call and gets `{ command }` or `{ restart: true }`; its own declaration describes its effect.
 *
 * @example
 * ```ts
 * import { bash } from "@bailiwick/providers-anthropic";
 *
 * export const shell = bash();
 * ```
 */
export function bash(): HostedTool {
  return hosted("bash", { type: "bash_20250124", name: "bash" }, "pure");
}

/**
 * Describes one of the agent's own tools as the vendor's text editor. The agent's tool named
 * `str_replace_based_edit_tool` runs the call; its own declaration describes its effect.
 *
 * @param settings - The vendor's settings: `max_characters`.
 * @example
 * ```ts
 * import { textEditor } from "@bailiwick/providers-anthropic";
 *
 * export const editor = textEditor({ max_characters: 20_000 });
 * ```
 */
export function textEditor(settings: { readonly max_characters?: number | undefined } = {}): HostedTool {
  checkArgument(settings, "object", "textEditor({ max_characters })");
  const name = "str_replace_based_edit_tool";
  return hosted(name, { type: "text_editor_20250728", name, ...settings }, "pure");
}

/**
 * Describes one of the agent's own tools as the vendor's memory of files. The agent's tool named `memory` runs the
 * call; its own declaration describes its effect.
 *
 * @example
 * ```ts
 * import { memory } from "@bailiwick/providers-anthropic";
 *
 * export const notes = memory();
 * ```
 */
export function memory(): HostedTool {
  return hosted("memory", { type: "memory_20250818", name: "memory" }, "pure");
}
