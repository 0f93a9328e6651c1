import { checkArgument, ConfigurationError } from "@bailiwick/core";
import type { Effect, Effects } from "./effects.ts";

/** A request, as a route of a receiver gets it. */
export interface ReceivedRequest {
  /** Such as `POST`. */
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Values of the `:name` parts of the route. */
  readonly params: Readonly<Record<string, string>>;
  /** Values of the query. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as parsed JSON; an empty object if it is something else. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as text. */
  readonly text: string;
}

/** Functions of a route. */
export interface RouteContext {
  /**
   * Makes an effect in the world outside. With a key that the receiver knows, it returns the first one and makes none.
   *
   * @param name - Such as `payment`.
   * @param id - What the effect is about, such as the number of an invoice.
   * @param options - `key` is the idempotency key of the request.
   */
  effect(name: string, id: unknown, options?: { readonly key?: string | undefined }): Effect;
  /** Effects of this receiver so far. */
  readonly effects: Effects;
}

/**
 * Answers a request of a simulated process. A value becomes JSON with status 200, `{ status }` an answer with that
 * status, and a `Response` is sent as it is.
 *
 * @param request - The request.
 * @param context - Makes and finds effects.
 */
export type Route = (request: ReceivedRequest, context: RouteContext) => unknown;

/** A fake HTTP server of a simulation. */
export interface Receiver {
  /** Such as `https://bank.example`. */
  readonly origin: string;
  /** Routes by method and path. */
  readonly routes: Readonly<Record<string, Route>>;
}

/**
 * Defines a fake HTTP server. Each history has its own, with its own effects.
 *
 * @param origin - Such as `https://bank.example`.
 * @param routes - Routes by method and path, such as `GET /payments/:key`.
 * @throws ConfigurationError `INVALID_OPTION`
 * @example
 * ```ts
 * import { receiver, type Receiver } from "@bailiwick/testing/simulation";
 *
 * export const bank: Receiver = receiver("https://bank.example", {
 *   "POST /payments": ({ body, headers }, { effect }) =>
 *     effect("payment", body["invoice"], { key: headers["idempotency-key"] }),
 *   "GET /payments/:key": ({ params }, { effects }) => effects.find(params["key"]) ?? { status: 404 },
 * });
 * ```
 */
export function receiver(origin: string, routes: Readonly<Record<string, Route>>): Receiver {
  checkArgument(routes, "object", `receiver("https://bank.example", { "POST /payments": () => ({}) })`);
  if (!URL.canParse(origin) || new URL(origin).origin !== origin)
    throw new ConfigurationError(
      "INVALID_OPTION",
      `receiver(): "${origin}" is not an origin. Write it as "https://bank.example", without a path.`,
    );
  for (const [name, route] of Object.entries(routes)) {
    if (/^[A-Z]+ \/\S*$/.test(name) && typeof route === "function") continue;
    throw new ConfigurationError(
      "INVALID_OPTION",
      `receiver(): "${name}" is not a route. Write the method and the path, such as "POST /payments", and a function.`,
    );
  }
  return { origin, routes };
}

/** Finds the route of a request, and the values in its path. */
export function findRoute(
  { routes }: Receiver,
  method: string,
  path: string,
): { readonly name: string; readonly route: Route; readonly params: Readonly<Record<string, string>> } | undefined {
  for (const [name, route] of Object.entries(routes)) {
    const [wanted, pattern = ""] = name.split(" ");
    if (wanted !== method) continue;
    const params = pathParams(pattern, path);
    if (params !== undefined) return { name, route, params };
  }
  return undefined;
}

function pathParams(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  const isOpen = wanted.at(-1) === "*";
  if (isOpen ? given.length < wanted.length : given.length !== wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value && !(isOpen && index === wanted.length - 1)) return undefined;
  }
  return params;
}
