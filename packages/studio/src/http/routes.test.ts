import { sqliteStore } from "@bailiwick/store-sqlite";
import { studio } from "@bailiwick/studio";
import type * as HonoModule from "hono";
import { expect, test, vi } from "vitest";
import { lists, runRoutes, withoutOwner, writes } from "./routes.fixture.ts";

/** Apps that the test made. */
const made = vi.hoisted((): Pick<HonoModule.Hono, "routes">[] => []);
vi.mock("hono", async (load) => {
  const real = await load<typeof HonoModule>();
  return {
    ...real,
    Hono: class extends real.Hono {
      constructor() {
        super();
        made.push(this);
      }
    },
  };
});

test("each route of the studio is in the lists of the fixture, which other tenants and viewers try [studio.permissions] [studio.tenants]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  made.length = 0;
  studio({ store });
  const app = made.find(({ routes }) => routes.some(({ path }) => path === "/api/info"));
  const tried = [
    ...[...runRoutes("r1", 1), ...lists, ...withoutOwner, "memories/m1/history"].map((path) => `GET /api/${path}`),
    ...writes("r1").map(([, method, path]) => `${method} /api/${path.split("?")[0] ?? ""}`),
  ];
  const missing = (app?.routes ?? [])
    .filter(({ method, path }) => path.startsWith("/api/") && method !== "ALL")
    .map(({ method, path }) => [`${method} ${path}`, `${method} ${path.replaceAll(/:\w+(\{[^}]*\})?/gu, "[^/]+")}`])
    .filter(([, pattern]) => !tried.some((one) => new RegExp(`^${pattern}$`, "u").test(one)))
    .map(([route]) => `Add "${route}" to "writes", "runRoutes" or "lists", or to "withoutOwner".`);
  expect(app?.routes.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
