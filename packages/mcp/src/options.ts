import { ConfigurationError, checkKnownNames, checkArgument } from "@bailiwick/core";
import type { ClassifyToolsOptions, IsolatedSandboxConfig } from "@bailiwick/core";
import { guardedFetch } from "@bailiwick/security";
import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import type { ElicitationMode } from "./questions.ts";
import { rootsMistake, samplingMistake } from "./sampling-options.ts";
import type { McpRoot, SamplingOptions } from "./sampling-options.ts";

/** Reconnection. Nothing runs in the background: the next run or call opens the connection. */
export interface ReconnectOptions {
  /** Delay before the second attempt, in milliseconds; each further delay is twice the one before. Default 500. */
  readonly initialDelayMs?: number | undefined;
  /** Longest delay, in milliseconds. Default 30,000. */
  readonly maxDelayMs?: number | undefined;
  /** Maximum number of attempts per use. Default 4. */
  readonly maxAttempts?: number | undefined;
}

/** Options of a server, for each transport. */
export interface McpCommonOptions extends Pick<
  ClassifyToolsOptions,
  "tools" | "trustAnnotations" | "pins" | "changed"
> {
  /** The local name of the server, with which its tools' full names begin. `A-Za-z0-9_-`, at most 48. */
  readonly name: string;
  /** Adds only tools whose name matches one of these; `*` means any characters. Default: all. */
  readonly include?: readonly string[] | undefined;
  /** Leaves out tools whose name matches one of these. Default: none. */
  readonly exclude?: readonly string[] | undefined;
  /**
   * True if agents run without the server while it cannot be reached, with a warning. Default `false`: their runs fail.
   */
  readonly optional?: boolean | undefined;
  /**
   * The protocol: `auto` requests 2026-07-28 and uses the version that the server supports, `legacy` opens a session as
   * in versions up to 2025-11-25, a version accepts no other. Default `auto`.
   */
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** Time limit of connecting and listing, in milliseconds. Default 30,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Time limit of a call, in milliseconds. Default: that of the agent's tools. */
  readonly timeoutMs?: number | undefined;
  /**
   * True if a server's progress reports restart `timeoutMs` (default 60,000), up to `maxTotalTimeoutMs`. Default
   * `false`.
   */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /** Time limit of a call with progress, in milliseconds. Default 600,000. */
  readonly maxTotalTimeoutMs?: number | undefined;
  /** Time for which a list of tools without a lifetime is cached, in milliseconds. Default 0: listed for each run. */
  readonly toolsTtlMs?: number | undefined;
  /** Number and timing of reconnection attempts. */
  readonly reconnect?: ReconnectOptions | undefined;
  /**
   * `true` gives agents `list_resources` and `read_resource` for the server's resources. They are tools of the server:
   * classify them as readers in `tools`. Default `false`.
   */
  readonly resources?: boolean | undefined;
  /** `true` gives agents `list_prompts` and `get_prompt` for the server's prompts, as `resources` does. Default `false`. */
  readonly prompts?: boolean | undefined;
  /**
   * Treatment of a server's questions to the user: `suspend` makes each a question of the run, which a person answers
   * in any process; a function answers at once. If it fails, or its answer does not fit the form, the question is
   * cancelled. The model never answers. Default: the server learns that questions are not supported.
   */
  readonly elicitation?: ElicitationMode | undefined;
  /**
   * Lets the server request answers of the agent's model during a call, under the run's budget and guardrails, without
   * tools and without the conversation. `true` uses the default limits. Default: servers learn that no model answers.
   */
  readonly sampling?: boolean | SamplingOptions | undefined;
  /** Folders and files that the server works in, by name. They grant nothing; a sandbox does. Default: none. */
  readonly roots?: readonly McpRoot[] | undefined;
}

/**
 * A server that is a program on this machine.
 *
 * @example
 * ```ts
 * import { mcp } from "@bailiwick/mcp";
 *
 * export const files = mcp({
 *   name: "files",
 *   command: "node",
 *   args: ["/srv/mcp/files-server.mjs", "/srv/documents"],
 *   // Its own code with node_modules, and the folder that it serves. It may read nothing else.
 *   sandbox: { tier: "os", allowFS: { readOnly: ["/srv/mcp", "/srv/documents"] } },
 *   tools: { read_file: { sideEffectClass: "read-only" } },
 * });
 * ```
 */
export interface McpStdioOptions extends McpCommonOptions {
  /** The program, found in `PATH` or an absolute path. */
  readonly command: string;
  /** Arguments of the program. Default: none. */
  readonly args?: readonly string[] | undefined;
  /**
   * Variables of the program, in addition to the few that every program needs. No other variable of this process is
   * passed on.
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Working directory, as an absolute path. Default: the directory of this process, or of the
   * sandbox.
   */
  readonly cwd?: string | undefined;
  /**
   * The program's sandbox, with the hosts and folders that it may use. Default: `os` with nothing granted. `"none"`
   * runs it with all rights of this process.
   */
  readonly sandbox?: "none" | IsolatedSandboxConfig | undefined;
  /** Always absent: a server over stdio has a `command`. */
  readonly url?: undefined;
}

/** A server that is reached over HTTP. */
export interface McpHttpOptions extends McpCommonOptions {
  /** The address of the server. */
  readonly url: string | URL;
  /** `http` is Streamable HTTP; `sse` is the transport before it, of servers of 2024. Default `http`. */
  readonly transport?: "http" | "sse" | undefined;
  /**
   * Sent with each request to the server's own origin, such as an API key; never to another address that the server
   * names.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends requests to the server's own origin and to `allowHosts`. Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Hosts that the server may name although they are not public, as `login.corp.example` or `*.corp.example`. Default none:
   * an address that the server names, such as its authorization server, must be public and use https. A server on loopback
   * may name other addresses on loopback.
   */
  readonly allowHosts?: readonly string[] | undefined;
  /** `oauth()`, or a provider of the protocol's own client. */
  readonly auth?: OAuthClientProvider | undefined;
  /** Always absent: a server over HTTP has a `url`. */
  readonly command?: undefined;
}

/** Options of `mcp()`. */
export type McpOptions = McpStdioOptions | McpHttpOptions;

const common =
  "name tools trustAnnotations pins changed include exclude optional protocol connectTimeoutMs timeoutMs resetTimeoutOnProgress maxTotalTimeoutMs toolsTtlMs reconnect elicitation sampling roots resources prompts".split(
    " ",
  );
const stdioOnly = ["command", "args", "env", "cwd", "sandbox"];
const httpOnly = ["url", "transport", "headers", "fetch", "allowHosts", "auth"];
const durations = ["connectTimeoutMs", "timeoutMs", "maxTotalTimeoutMs", "toolsTtlMs"] as const;

/**
 * Refuses options that cannot be honoured.
 *
 * @throws ConfigurationError `INVALID_MCP_OPTION`; `UNKNOWN_OPTION` with the nearest name
 */
export function checkOptions(options: McpOptions): void {
  checkArgument(options, "object", "mcp({ name, url })");
  const { name } = options;
  if (typeof name !== "string" || !/^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,46}[A-Za-z0-9])?$/u.test(name)) {
    throw refused(
      name,
      `its name is ${JSON.stringify(name)}; use 1 to 48 of A-Za-z0-9_-, with a letter or a digit at both ends`,
    );
  }
  checkKnownNames(options, [...common, ...stdioOnly, ...httpOnly], `mcp({ name: "${name}" })`);
  const isStdio = options.command !== undefined;
  if (isStdio === (options.url !== undefined))
    throw refused(name, "it needs a command, for a program on this machine, or a url; not both");
  const allowed = [...common, ...(isStdio ? stdioOnly : httpOnly)];
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || allowed.includes(key)) continue;
    throw refused(name, `it has no option "${key}" (it goes with a ${isStdio ? "url" : "command"})`);
  }
  checkValues(options);
  if (isStdio) checkStdio(options);
  else checkHttp(options);
}

function checkValues(options: McpOptions): void {
  const { name, protocol, elicitation, resetTimeoutOnProgress, maxTotalTimeoutMs } = options;
  for (const key of durations) {
    const value = options[key];
    const least = key === "toolsTtlMs" ? 0 : 1;
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least && value <= 2 ** 31 - 1))
      throw refused(name, `${key} is ${JSON.stringify(value)}; give milliseconds, a whole number from ${least}`);
  }
  if (protocol !== undefined && !["auto", "legacy", "2026-07-28"].includes(protocol))
    throw refused(name, `protocol is ${JSON.stringify(protocol)}; use "auto", "legacy" or "2026-07-28"`);
  if (elicitation !== undefined && elicitation !== "suspend" && typeof elicitation !== "function")
    throw refused(name, `elicitation is ${JSON.stringify(elicitation)}; use "suspend" or a function`);
  const mistake = samplingMistake(options.sampling) ?? rootsMistake(options.roots);
  if (mistake !== undefined) throw refused(name, mistake);
  for (const key of ["resources", "prompts"] as const)
    if (options[key] !== undefined && typeof options[key] !== "boolean")
      throw refused(name, `${key} is ${JSON.stringify(options[key])}; use true or false`);
  if (maxTotalTimeoutMs !== undefined && resetTimeoutOnProgress !== true)
    throw refused(name, "maxTotalTimeoutMs bounds calls that progress extends; add resetTimeoutOnProgress: true");
  checkNames(options);
  checkReconnect(options);
}

function checkNames(options: McpOptions): void {
  for (const key of ["include", "exclude"] as const) {
    const value: unknown = options[key];
    if (value !== undefined && !(Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "")))
      throw refused(options.name, `${key} is ${JSON.stringify(value)}; give a list of names or patterns`);
  }
}

function checkReconnect({ name, reconnect }: McpOptions): void {
  for (const [key, value] of Object.entries(reconnect ?? {})) {
    const isKnown = ["initialDelayMs", "maxDelayMs", "maxAttempts"].includes(key);
    if (!isKnown || !(value === undefined || (Number.isSafeInteger(value) && value >= 1)))
      throw refused(
        name,
        `reconnect.${key} is ${JSON.stringify(value)}; it has initialDelayMs, maxDelayMs and maxAttempts, whole numbers from 1`,
      );
  }
}

function checkStdio({ name, command, args, cwd, sandbox }: McpStdioOptions): void {
  if (typeof command !== "string" || command === "") throw refused(name, "its command is not text");
  if (args !== undefined && !args.every((one) => typeof one === "string"))
    throw refused(name, "args is a list of texts");
  if (cwd !== undefined && !/^(?:[\\/]|[A-Za-z]:[\\/])/u.test(cwd))
    throw refused(name, `cwd is ${JSON.stringify(cwd)}; give an absolute path`);
  if (sandbox === undefined || sandbox === "none") return;
  if (typeof sandbox !== "object" || sandbox === null || (sandbox.tier !== "os" && sandbox.tier !== "remote"))
    throw refused(
      name,
      `sandbox is ${JSON.stringify(sandbox)}; use { tier: "os", … }, or "none" for all rights of this process`,
    );
  if (sandbox.enabled === false)
    throw refused(
      name,
      `sandbox.enabled is false; a program that may have all rights of this process is run with sandbox: "none"`,
    );
}

function checkHttp({ name, url, transport, auth, fetch, allowHosts }: McpHttpOptions): void {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw refused(name, `its url is ${JSON.stringify(String(url))}, which is not a URL`);
  }
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
    throw refused(name, `its url begins with ${parsed.protocol}; use https, or http`);
  if (parsed.username !== "" || parsed.password !== "")
    throw refused(name, "its url holds a user name or a password; send them with headers");
  if (transport !== undefined && transport !== "http" && transport !== "sse")
    throw refused(name, `transport is ${JSON.stringify(transport)}; use "http" or "sse"`);
  if (fetch !== undefined && typeof fetch !== "function") throw refused(name, "fetch is not a function");
  if (allowHosts !== undefined && !(Array.isArray(allowHosts) && allowHosts.every((one) => typeof one === "string")))
    throw refused(name, `allowHosts is ${JSON.stringify(allowHosts)}; give a list of host names`);
  // Throws for an entry that can match no host.
  guardedFetch({ allowHosts });
  if (auth !== undefined && typeof auth.tokens !== "function")
    throw refused(name, "auth is made by oauth(), or is a provider of the protocol's own client");
}

function refused(name: string | undefined, why: string): ConfigurationError {
  return new ConfigurationError("INVALID_MCP_OPTION", `mcp()${name === undefined ? "" : ` of "${name}"`}: ${why}.`);
}
