import type { DatabaseSync } from "node:sqlite";
import { Hono } from "hono";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMailbox } from "../mailbox/mailbox.ts";
import { openDatabase } from "../shop/database.ts";
import { openShop } from "../shop/shop.ts";
import { deskRoutes } from "./desk-routes.ts";
import { onlyThisMachine } from "./only-this-machine.ts";

let database: DatabaseSync;
let app: Hono;

beforeEach(() => {
  database = openDatabase(":memory:");
  const config = {
    model: { kind: "demo", label: "Embedded demo model" },
    approvalLimit: 100,
    restarts: false,
  } as const;
  const runs = { list: async () => [], ofMail: async () => [] };
  const parts = { config, mailbox: openMailbox(database), shop: openShop(database), runs };
  app = new Hono().use(onlyThisMachine()).route("/api", deskRoutes(parts));
});
afterEach(() => database.close());

const host = { host: "127.0.0.1:4310" };
const get = (path: string, headers: Record<string, string> = host) => app.request(path, { headers });

test("a server without a supervisor is not killed", async () => {
  expect((await app.request("/api/desk/kill", { method: "POST", headers: host })).status).toBe(404);
});

test("the page learns which model is used", async () => {
  expect(await (await get("/api/config")).json()).toMatchObject({ model: { kind: "demo" } });
});

test("mails are listed, shown and marked as read", async () => {
  expect(await (await get("/api/mails")).json()).toHaveLength(41);
  await app.request("/api/mails/m-003/read", { method: "POST", headers: host });
  expect(await (await get("/api/mails/m-003")).json()).toMatchObject({
    mail: { id: "m-003", status: "read" },
    outbox: [],
    runs: [],
  });
});

test("an unknown mail is a 404 with a typed body", async () => {
  const response = await get("/api/mails/m-999");
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: "MAIL_NOT_FOUND" } });
});

test.each([
  [{ host: "127.0.0.1:4310", origin: "http://elsewhere.example" }],
  [{ host: "elsewhere.example:4310" }],
  [{ host: "127.0.0.1:4310", origin: "null" }],
])("a page of another site gets nothing: %j", async (headers) => {
  expect((await get("/api/mails", headers)).status).toBe(403);
});

test("the desk's page is served under each name of this machine", async () => {
  for (const name of ["127.0.0.1:4310", "localhost:4310", "[::1]:4310"]) {
    expect((await get("/api/mails", { host: name, origin: `http://${name}` })).status).toBe(200);
  }
});
