import { ConversationDeletedError, QueueFullError } from "@bailiwick/core";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { errorResponse } from "./error-response.ts";

test("a full queue answers 429 with the time of the next try, and a deleted conversation 410 [run.enqueue.max-queued] [memory.session-store.delete]", async () => {
  const logged: unknown[] = [];
  const app = new Hono();
  app.get("/full", (context) =>
    errorResponse(new QueueFullError("a", 5, 1_500), context, (error) => logged.push(error)),
  );
  app.get("/gone", (context) =>
    errorResponse(new ConversationDeletedError("r1", "memory"), context, (error) => logged.push(error)),
  );
  const full = await app.request("/full");
  expect([full.status, full.headers.get("retry-after")]).toEqual([429, "2"]);
  expect(await full.json()).toMatchObject({ error: { code: "QUEUE_FULL" } });
  const gone = await app.request("/gone");
  expect([gone.status, gone.headers.get("retry-after")]).toEqual([410, null]);
  expect(logged).toEqual([]);
});
