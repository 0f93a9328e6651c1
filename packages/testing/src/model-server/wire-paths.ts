import type { WireRoute } from "./wire.ts";

/** Matches `POST` to a path; the pattern's groups `model` and `method` make the route. */
export function postTo(pattern: RegExp): (method: string, url: URL) => WireRoute | undefined {
  return (method, url) => {
    const match = method === "POST" ? pattern.exec(url.pathname) : null;
    if (match === null) return undefined;
    const { model, method: called } = match.groups ?? {};
    return {
      model: model === undefined ? undefined : decodeURIComponent(model),
      stream: called === undefined ? undefined : called.startsWith("stream"),
    };
  };
}

/** The token of `Authorization: Bearer`. */
export function bearerToken(headers: Readonly<Record<string, string>>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers["authorization"] ?? "")?.[1];
}
