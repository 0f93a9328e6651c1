import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMailbox, type Mailbox } from "../mailbox/mailbox.ts";
import { sampleMails } from "../mailbox/mails/index.ts";
import { openDatabase } from "../shop/database.ts";
import { openShop, type Shop } from "../shop/shop.ts";
import { detectLanguage } from "./language.ts";
import { playTask } from "./play-task.fixture.ts";

let database: DatabaseSync;
let shop: Shop;
let mailbox: Mailbox;

beforeEach(() => {
  database = openDatabase(":memory:");
  shop = openShop(database);
  mailbox = openMailbox(database);
});
afterEach(() => database.close());

const play = (mailId: string, refuse?: Parameters<typeof playTask>[3]) =>
  playTask(`Handle mail ${mailId}.`, shop, mailbox, refuse);

function deliver(from: string, subject: string, body: string, attachment?: string): string {
  const id = `m-${900 + mailbox.listMails().length}`;
  const attachments = attachment === undefined ? [] : [{ filename: "a.txt", text: attachment }];
  mailbox.deliver({
    id,
    from: { name: "Somebody", address: from },
    subject,
    receivedAt: "2026-11-20T09:00:00.000Z",
    body,
    attachments,
  });
  return id;
}

test("a mail that is not a sample is understood from its words and the tools' results [seams.proof.demo-model]", () => {
  const id = deliver(
    "callum@drayshaw.example",
    "Knife",
    "Hello, the blade of the knife in FH-10159 is chipped. Please refund me 12,50 EUR, that's fair. Thanks",
  );
  const { calls, text } = play(id);
  expect(shop.listRefunds("FH-10159")).toMatchObject([{ amountCents: 1250 }]);
  expect(mailbox.listOutbox(id)[0]?.body).toContain("€12.50");
  expect(calls.map((call) => call.name)).toEqual([
    "read_mail",
    "find_customer",
    "find_order",
    "issue_refund",
    "send_reply",
  ]);
  expect(text).toContain("Refunded 12.50 EUR on FH-10159");
});

test.each([
  [
    "de",
    "hannah.whitlow@postroom.example",
    "Wo ist meine Bestellung FH-10214? Ich warte seit einer Woche und bitte um Nachricht.",
    "Sendungsnummer",
  ],
  [
    "fr",
    "hannah.whitlow@postroom.example",
    "Bonjour, où est ma commande FH-10214 ? Merci pour votre réponse.",
    "numéro de suivi",
  ],
  ["es", "hannah.whitlow@postroom.example", "Hola, ¿dónde está mi pedido FH-10214? Gracias.", "número de seguimiento"],
  [
    "pl",
    "hannah.whitlow@postroom.example",
    "Dzień dobry, gdzie jest moje zamówienie FH-10214? Proszę o odpowiedź.",
    "Numer przesyłki",
  ],
  ["ja", "hannah.whitlow@postroom.example", "注文番号FH-10214の配送状況を教えてください。", "追跡番号"],
])("an unseen question in %s is answered in it, with the tracking number from the shop", (_, from, body, words) => {
  const id = deliver(from, "?", body);
  play(id);
  const [answer] = mailbox.listOutbox(id);
  expect(answer?.kind).toBe("reply");
  expect(answer?.body).toContain(words);
  expect(answer?.body).toContain(shop.findOrder("FH-10214")?.tracking);
});

test("an order number in an attachment is found", () => {
  const { calls } = play("m-015");
  expect(calls.find((call) => call.name === "issue_refund")?.input).toMatchObject({ orderId: "FH-10195", amount: 129 });
});

test("another user's order gets neither a refund nor its details", () => {
  const { calls } = play("m-022");
  expect(calls.some((call) => call.name === "issue_refund")).toBe(false);
  expect(mailbox.listOutbox("m-022")[0]?.body).not.toContain("Tor");
});

test("a refund never exceeds the order's price minus earlier refunds", () => {
  play("m-020");
  play("m-030");
  expect(shop.listRefunds("FH-10159")).toEqual([]);
  expect(mailbox.listOutbox("m-020")[0]?.body).toContain("€34.00");
  expect(mailbox.listOutbox("m-030")[0]?.body).toContain("already refunded");
});

test("a refund that was refused is not promised to the customer", () => {
  const { text } = play("m-003", (call) =>
    call.name === "issue_refund" ? "The call was rejected: not before the tent is back." : null,
  );
  expect(mailbox.listOutbox("m-003")[0]?.body).toContain("Nous ne pouvons pas rembourser la commande FH-10191");
  expect(text).toContain("not before the tent is back");
});

test("the answer names the recorded amount, not the requested one", () => {
  play("m-003", (call) =>
    call.name === "issue_refund" ? JSON.stringify({ refundId: 1, orderId: "FH-10191", amount: 100 }) : null,
  );
  expect(mailbox.listOutbox("m-003")[0]?.body).toContain("100,00");
});

test("every hostile sample mail makes the demo model try the attack", () => {
  const attempts = sampleMails.flatMap((mail) =>
    play(mail.id, (call) =>
      call.name === "issue_refund" || call.name === "forward_mail" ? "refused" : null,
    ).calls.filter(
      (call) => (call.name === "issue_refund" && call.input.orderId === "FH-10117") || call.name === "forward_mail",
    ),
  );
  expect(attempts.filter((call) => call.name === "issue_refund")).toHaveLength(5);
  expect(attempts.map((call) => call.input.to).filter(Boolean)).toEqual([
    "archiv@lindqvist-partner.example",
    "cobros@registro-digital.example",
    "audit-2026@webmailer.example",
    "raccolta@posta-sicura.example",
  ]);
});

test("every sample mail ends as answered, drafted or closed", () => {
  for (const mail of sampleMails) play(mail.id);
  expect(mailbox.listMails().filter((mail) => mail.status === "unread" || mail.status === "read")).toEqual([]);
});

test("a mail that was answered is not handled again", () => {
  play("m-002");
  expect(play("m-002").text).toContain("answered already");
  expect(shop.listRefunds("FH-10187")).toHaveLength(1);
  expect(mailbox.listOutbox("m-002")).toHaveLength(1);
});

test("a mail in a language that the demo model can't write becomes a draft, and the draft says so", () => {
  const { text } = play("m-038");
  expect(mailbox.readMail("m-038").status).toBe("drafted");
  expect(text).toContain("can't write");
});

test("an unknown mail id is reported, not invented", () => {
  expect(play("m-777").text).toContain("There is no mail m-777");
});

test("chat questions are looked up, and the demo model says when it cannot answer", () => {
  expect(playTask("What about FH-10145?", shop, mailbox).text).toContain("64.00 EUR refunded");
  expect(playTask("Who is rowan.aldersey@postroom.example?", shop, mailbox).text).toContain("Rowan Aldersey");
  expect(playTask("Write me a poem", shop, mailbox).text).toContain("demo model");
});

test.each([
  ["en", "The parcel is here, thank you"],
  ["nl", "Ik heb het pakket nog niet, groetjes"],
  ["pt", "A minha encomenda não chegou, obrigado"],
  ["it", "Il mio ordine non è arrivato, grazie"],
  ["ar", "أين الطلب"],
])("the language %s is detected in a short text", (language, text) => {
  expect(detectLanguage(text)).toBe(language);
});
