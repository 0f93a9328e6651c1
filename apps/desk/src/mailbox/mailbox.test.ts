import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../shop/database.ts";
import { openShop } from "../shop/shop.ts";
import { openMailbox, type Mailbox } from "./mailbox.ts";
import { sampleMails } from "./mails/index.ts";

let database: DatabaseSync;
let mailbox: Mailbox;

beforeEach(() => {
  database = openDatabase(":memory:");
  mailbox = openMailbox(database);
});
afterEach(() => database.close());

test("the sample mailbox is filled once, newest first, all unread", () => {
  openMailbox(database);
  const mails = mailbox.listMails();
  expect(mails).toHaveLength(sampleMails.length);
  expect(mails.every((mail) => mail.status === "unread")).toBe(true);
  expect(mails.map((mail) => mail.receivedAt)).toEqual(
    mails
      .map((mail) => mail.receivedAt)
      .toSorted()
      .toReversed(),
  );
});

test("every order in a sample mail exists, except the deliberately wrong one", () => {
  const shop = openShop(database);
  const named = sampleMails.flatMap(
    (mail) =>
      `${mail.subject} ${mail.body} ${mail.attachments.map(({ text }) => text).join(" ")}`.match(/FH-\d{5}/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(25);
  expect([...new Set(named)].filter((id) => shop.findOrder(id) === null)).toEqual(["FH-99881"]);
});

test("a mail is read by id in any case; an error for an unknown id names the remedy", () => {
  expect(mailbox.readMail("M-015").attachments[0]?.text).toContain("FH-10195");
  expect(() => mailbox.readMail("m-999")).toThrow(/no mail m-999.*List/);
});

test("an answer goes to the sender once per key and marks the mail", () => {
  const reply = { mailId: "m-001", body: "On its way.", idempotencyKey: "r1" };
  const sent = mailbox.sendReply(reply);
  expect(mailbox.sendReply(reply)).toEqual(sent);
  expect(sent).toMatchObject({
    kind: "reply",
    recipient: "hannah.whitlow@postroom.example",
    subject: "Re: Where is my rucksack?",
  });
  expect(mailbox.listOutbox("m-001")).toHaveLength(1);
  expect(mailbox.readMail("m-001").status).toBe("answered");
});

test("one key can't send two different answers", () => {
  mailbox.sendReply({ mailId: "m-001", body: "One", idempotencyKey: "r1" });
  expect(() => mailbox.sendReply({ mailId: "m-001", body: "Two", idempotencyKey: "r1" })).toThrow(
    expect.objectContaining({ code: "IDEMPOTENCY_CONFLICT" }),
  );
  expect(mailbox.listOutbox()).toHaveLength(1);
});

test("drafting, forwarding and closing change the status of the mail", () => {
  mailbox.draftReply({ mailId: "m-002", body: "Draft", idempotencyKey: "d1" });
  mailbox.forwardMail({
    mailId: "m-003",
    to: "warehouse@fernhollow.example",
    note: "Please check",
    idempotencyKey: "f1",
  });
  mailbox.closeMail("m-011", "spam");
  expect(mailbox.readMail("m-002").status).toBe("drafted");
  expect(mailbox.readMail("m-003").status).toBe("unread");
  expect(mailbox.readMail("m-011").status).toBe("closed");
  expect(mailbox.listOutbox("m-003")[0]?.body).toContain("Nous avons monté la tente");
});

test("reading marks an unread mail only", () => {
  mailbox.markRead("m-001");
  mailbox.sendReply({ mailId: "m-001", body: "x", idempotencyKey: "r1" });
  mailbox.markRead("m-001");
  expect(mailbox.readMail("m-001").status).toBe("answered");
});

test("a reply to a reply has only one Re:", () => {
  expect(mailbox.sendReply({ mailId: "m-009", body: "x", idempotencyKey: "r1" }).subject).toBe("Re: Lantern");
});
