import { Hono } from "hono";
import type { RunRows } from "../agent/run-rows.ts";
import type { DeskConfig, MailDetail } from "../desk-api.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import type { Shop } from "../shop/shop.ts";
import { errorResponse } from "./error-response.ts";

/** Facts about the desk for the page. */
export interface DeskRouteParts {
  readonly config: DeskConfig;
  readonly mailbox: Mailbox;
  readonly shop: Pick<Shop, "listRefunds">;
  readonly runs: RunRows;
}

/** The routes about mails: the rest of the page's API is the framework's. */
export function deskRoutes({ config, mailbox, shop, runs }: DeskRouteParts): Hono {
  return new Hono()
    .onError((error, context) => errorResponse(error, context))
    .get("/config", (context) => context.json(config))
    .get("/mails", (context) => context.json(mailbox.listMails()))
    .get("/mails/:id", async (context) => {
      const mail = mailbox.readMail(context.req.param("id"));
      const detail: MailDetail = {
        mail,
        outbox: mailbox.listOutbox(mail.id),
        runs: await runs.ofMail(mail.id),
        refunds: ordersIn(`${mail.subject} ${mail.body}`)
          .flatMap((orderId) => shop.listRefunds(orderId))
          .map(({ orderId, amountCents }) => ({ orderId, amountCents })),
      };
      return context.json(detail);
    })
    .post("/mails/:id/read", (context) => {
      mailbox.markRead(context.req.param("id"));
      return context.json({});
    })
    .post("/desk/kill", (context) => {
      if (!config.restarts)
        return context.json({ error: { code: "NOT_FOUND", message: "Nothing would start this server again." } }, 404);
      // Like a power cut: no handler runs. The answer has been sent by then.
      setTimeout(() => process.kill(process.pid, "SIGKILL"), 50);
      return context.json({}, 202);
    })
    .get("/desk/runs", async (context) => context.json(await runs.list()));
}

/** Orders that a text names. */
const ordersIn = (text: string): readonly string[] => [...new Set(text.match(/\bFH-\d{5}\b/gu))];
