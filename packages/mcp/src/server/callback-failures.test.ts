import { tool } from "@bailiwick/agent";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { McpHttpServing, McpServerOptions } from "./index.ts";
import { connected, eras, serve } from "./served.test.helper.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => {
  process.off("unhandledRejection", keep);
  logged.mockRestore();
});

const boom = (): never => {
  throw new Error("boom");
};

/** An object with a member that throws when it is read. */
const trap = (name: string): object => Object.defineProperty({}, name, { enumerable: true, get: boom });

const behaviours: Readonly<Record<string, () => unknown>> = {
  throws: boom,
  "throws no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "never settles": () => new Promise(() => undefined),
  "returns nonsense": () => 7,
  "returns false": () => false,
  "returns nothing": () => undefined,
  "returns null": () => null,
  "returns a list": () => [],
  "returns an error": () => new Error("No session."),
  "returns a map": () => new Map([["userId", "eve"]]),
  "returns a record without userId": () => ({ id: "eve", tenantId: "acme" }),
  "returns a misspelt userId": () => ({ userID: "eve" }),
  "returns other ids": () => ({ userId: 5 }),
  "returns an empty id": () => ({ userId: "" }),
  "returns a getter that throws": () => trap("userId"),
  "returns a then that throws": () => trap("then"),
};

/** Names of the functions that options take: a function without a row does not compile. */
type FunctionsOf<Options> = {
  [Name in keyof Options]-?: [Extract<NonNullable<Options[Name]>, (...given: never[]) => unknown>] extends [never]
    ? never
    : Name;
}[keyof Options] &
  string;

/** Effect of a failing function: the request is refused, or nothing. */
const rows: Readonly<Record<FunctionsOf<McpServerOptions> | FunctionsOf<McpHttpServing>, "refused" | "none">> = {
  onError: "none",
  authorize: "refused",
};

async function unhandledRejections(): Promise<readonly unknown[]> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return unhandled.splice(0);
}

const cases = Object.entries(rows).flatMap(([name, effect]) =>
  Object.entries(behaviours).flatMap(([how, bad]) => eras.map((era) => [name, how, era, effect, bad] as const)),
);

test.each(cases)(
  "%s of an MCP server that %s lets no client of %s in, and shows it no detail [hooks.one-call.unawaited]",
  async (name, how, era, effect, bad) => {
    const ran: string[] = [];
    const look = tool({
      name: "look",
      description: "Looks.",
      inputSchema: { type: "object" },
      sideEffectClass: "read-only",
      execute: () => {
        ran.push("look");
        throw new Error("A secret of the server.");
      },
    });
    const terms = { uri: "shop://terms", name: "terms", content: boom };
    if (effect === "none") {
      await using shop = await serve({ tools: [look], resources: [terms], [name]: bad });
      await using client = await connected(shop.url, era);
      const error: unknown = await client.readResource({ uri: "shop://terms" }).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain("failed inside the server");
      expect(String(error)).not.toContain("boom");
      expect((await client.callTool({ name: "look", arguments: {} })).isError).toBe(true);
      expect(ran).toEqual(["look"]);
    } else {
      await using shop = await serve({ tools: [look], onError: () => undefined }, { [name]: bad });
      if (how === "never settles") {
        // The caller's disconnect, and a limit of time, end the wait.
        const request = fetch(shop.url, { method: "POST", body: "{}", signal: AbortSignal.timeout(200) });
        await expect(request).rejects.toThrow("timeout");
      } else {
        const response = await fetch(shop.url, { method: "POST", body: "{}" });
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(await response.text()).not.toContain("boom");
        await expect(connected(shop.url, era)).rejects.toThrow(/failed|does not accept this caller|HTTP/iu);
      }
      expect(ran).toEqual([]);
    }
    expect(await unhandledRejections()).toEqual([]);
  },
);
