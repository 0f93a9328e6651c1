/** The settings of a process that decide about its proxy. */
export interface ProxySettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv: readonly string[];
}

const flag = "--use-env-proxy";

/**
 * True if the platform's `fetch` sends requests through a proxy that the environment names. It also reads `NO_PROXY`,
 * so it then sends every request.
 *
 * @see https://nodejs.org/api/cli.html#node_use_env_proxy1
 */
export function usesProxy({ env, execArgv }: ProxySettings): boolean {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
  if (!names.some((name) => env[name] !== undefined && env[name] !== "")) return false;
  const options = (env["NODE_OPTIONS"] ?? "").split(/\s+/);
  return env["NODE_USE_ENV_PROXY"] === "1" || execArgv.includes(flag) || options.includes(flag);
}
