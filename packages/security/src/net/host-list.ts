/**
 * Tests if a URL's host is in a list.
 *
 * @param url - URL of the request.
 * @param hosts - Such as `api.example.com`, `*.example.com` for all below it, or `localhost:4310` for one port.
 */
export function hostIsListed(url: URL, hosts: readonly string[]): boolean {
  const name = url.hostname.toLowerCase();
  const port = url.port === "" ? { "http:": "80", "https:": "443" }[url.protocol] : url.port;
  return hosts.some((entry) => {
    const bound = entry.toLowerCase();
    if (bound.startsWith("*.")) return name.endsWith(bound.slice(1)) && name.length > bound.length - 1;
    return name === bound || `${name}:${port}` === bound;
  });
}

/**
 * The error of an entry in a list of hosts, as a clause; `undefined` if the entry is valid.
 *
 * @param entry - A host such as `api.example.com`, a pattern such as `*.example.com`, or either with a port.
 */
export function hostEntryProblem(entry: string): string | undefined {
  const bare = entry.startsWith("*.") ? entry.slice(2) : entry;
  let url: URL;
  try {
    url = new URL(`ftp://${bare}`);
  } catch {
    return "is not a host";
  }
  const isHost = url.host === bare.toLowerCase() && bare !== "" && !bare.includes("*");
  return isHost ? undefined : "is not a host (a name such as api.example.com, *.example.com or localhost:4310)";
}
