import { askForRequest, checkedCaller, defaultHasher } from "@bailiwick/core/extension";
import { checkHost, RequestError } from "@bailiwick/server";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { StudioAction, StudioOptions, StudioViewer } from "./options.ts";

/** The checks of every request. */
export interface Gate {
  /** Token of the link; absent with `authorize`. */
  readonly token: string | undefined;
  /** @throws RequestError `HOST_REFUSED`, `ORIGIN_REFUSED` */
  checkCaller(context: Context): void;
  /** Moves the token of a link into a cookie, so that it does not stay in the address; `undefined` if there is none. */
  enter(context: Context): Response | undefined;
  /** @throws RequestError `TOKEN_MISSING`, `FORBIDDEN` */
  permit(context: Context, action: StudioAction): Promise<StudioViewer>;
}

/** Makes the checks. */
export function createGate({ authorize, token: given }: StudioOptions): Gate {
  const token = authorize === undefined ? (given ?? randomToken()) : undefined;
  // Ports of one host share their cookies, so each studio has its own name. Processes with one token share the name: a
  // page stays open when its process is replaced.
  const cookie = `bailiwick-studio-${defaultHasher()
    .sha256(token ?? "")
    .slice(0, 8)}`;
  return {
    token,
    checkCaller: (context) => checkHost(context, authorize === undefined, []),
    enter(context) {
      const shown = context.req.query("token");
      if (token === undefined || shown === undefined || !isSame(shown, token)) return undefined;
      setCookie(context, cookie, token, { httpOnly: true, sameSite: "Strict", path: "/" });
      return context.redirect("./");
    },
    async permit(context, action) {
      if (authorize === undefined) {
        const bearer = /^Bearer (.+)$/u.exec(context.req.header("authorization") ?? "")?.[1];
        const shown = bearer ?? getCookie(context, cookie) ?? "";
        if (token !== undefined && isSame(shown, token)) return { allTenants: true };
        throw new RequestError(
          403,
          "TOKEN_MISSING",
          "The studio needs its token. Open the link that was printed when it started, with ?token= in it.",
        );
      }
      const viewer = checkedCaller(
        await askForRequest("authorize", context.req.raw.signal, () => authorize(context.req.raw, { action })),
        "studio()",
        ["allTenants"],
      );
      if (viewer === undefined) throw new RequestError(403, "FORBIDDEN", "You may not do this.");
      return viewer;
    },
  };
}

function randomToken(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Compares in constant time, wherever the first difference is. */
function isSame(shown: string, token: string): boolean {
  const encoder = new TextEncoder();
  const [one, other] = [encoder.encode(shown), encoder.encode(token)];
  let differs = one.length ^ other.length;
  for (const [index, byte] of other.entries()) differs |= byte ^ (one[index] ?? 0);
  return differs === 0;
}
