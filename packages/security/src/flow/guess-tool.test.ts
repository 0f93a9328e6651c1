import { readFileSync } from "node:fs";
import type { ResolvedTool } from "@bailiwick/core";
import { expect, test } from "vitest";

import { sharedPrefixes } from "./guess-effect.ts";
import { guessTool, guessTools } from "./guess-tool.ts";
import { mcpServer, resolved } from "./resolved.test.helper.ts";

const text = { type: "string" } as const;

/** A tool with arguments of these names. */
function named(name: string, description = "", names: readonly string[] = []): ResolvedTool {
  const properties = Object.fromEntries(names.map((each) => [each, text]));
  return resolved({ name, description: description || name, inputSchema: { type: "object", properties } });
}

const effectOf = (name: string, description = ""): string => guessTool({ ...named(name), description }).effect;

/** The guess about a first-party tool. */
const guessed = (name: string, description: string, properties: object): ReturnType<typeof guessTool> =>
  guessTool(resolved({ name, description, inputSchema: { type: "object", properties } }));

test("a reader has a reading verb first or last in its name, and no writing verb [flow.guess.effect]", () => {
  for (const name of ["get_order", "searchEmails", "emails.search", "list-files", "order_lookup", "fetches_page"])
    expect(effectOf(name), name).toBe("reader");
  for (const name of ["weather", "get_or_create", "find_and_replace", "list_members_add", "load_balancer_delete"])
    expect(effectOf(name), name).toBe("writer");
  // Verbs that are also nouns decide nothing inside a name, but they do as the first word of the description.
  expect(effectOf("get_order", "Gets one order of a customer.")).toBe("reader");
  expect(effectOf("get_order", "Orders the item.")).toBe("writer");
  expect(effectOf("get_report", "Returns a report after it deletes the old one.")).toBe("writer");
  expect(effectOf("get_report", "Returns the newest report of all, which you may send on.")).toBe("reader");
  // A description alone does not make a tool a reader.
  expect(effectOf("crawler", "Reads a page.")).toBe("writer");
});

test("a prefix is skipped only if three tools of one source share it [flow.guess.effect]", () => {
  expect(sharedPrefixes(["acme_get_user", "acme_send", "acme_list_x"])).toEqual(new Set(["acme"]));
  const tools = ["AcmeSearchMails", "AcmeGetUser", "AcmeSendMail"].map((name) => named(name));
  expect([...guessTools(tools).values()].map(({ effect }) => effect)).toEqual(["reader", "reader", "writer"]);
  const two = tools.slice(1);
  expect([...guessTools(two).values()].map(({ effect }) => effect)).toEqual(["writer", "writer"]);
});

test("a server's tool is a writer, under any name [flow.guess.servers]", () => {
  expect(guessTool(resolved({ name: "get_issue", description: "Gets an issue." }, mcpServer))).toMatchObject({
    effect: "writer",
    why: expect.stringContaining("server") as string,
  });
});

test("arguments are content or decide, by the last word of their name [flow.guess.payload]", () => {
  const guess = guessTool(
    named("send_email", "", ["to", "body", "subjectLine", "mail_subject", "html_url", "file_id", "attachments"]),
  );
  expect(Object.fromEntries(guess.arguments.map(({ path, role }) => [path, role]))).toEqual({
    to: "decides",
    body: "payload",
    subjectLine: "decides",
    mail_subject: "payload",
    html_url: "decides",
    file_id: "decides",
    attachments: "decides",
  });
  expect(guess.arguments.filter(({ namesContent }) => namesContent).map(({ path }) => path)).toEqual([
    "file_id",
    "attachments",
  ]);
  const contentOf = (name: string): boolean | undefined =>
    guessTool(named(name, "", ["id", "to"])).arguments.find(({ path }) => path === "id")?.namesContent;
  // The tool's name says what a bare id refers to.
  expect(["forward_mail", "share_file", "send_invoice", "delete_file"].map(contentOf)).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(guessTool(named("delete_file", "", ["id"])).arguments[0]?.namesContent).toBe(false);
});

test("calls that reach others, or involve money, access or destruction, are detected [flow.guess.outward] [flow.guess.grave]", () => {
  const of = (name: string, names: readonly string[] = []): readonly boolean[] => {
    const { outward, grave } = guessTool(named(name, "", names));
    return [outward, grave];
  };
  expect(of("send_email", ["to"])).toEqual([true, false]);
  expect(of("save_note", ["text"])).toEqual([false, false]);
  expect(of("save_note", ["channelId"])).toEqual([true, false]);
  expect(of("pay_bill")).toEqual([true, true]);
  expect(of("delete_file", ["file_id"])).toEqual([false, true]);
  expect(of("update_entry", ["price"])).toEqual([false, true]);
});

const cases = JSON.parse(readFileSync(new URL("guess-names.fixture.json", import.meta.url), "utf8")) as {
  readonly writers: readonly { readonly name: string; readonly description: string }[];
  readonly sources: readonly { readonly name: string; readonly description: string }[];
  readonly readers: readonly { readonly name: string; readonly description: string }[];
};

test("the writers with hostile or unlucky names that pass as readers are exactly these [flow.guess.rates]", () => {
  const passed = cases.writers.filter(({ name, description }) => effectOf(name, description) === "reader");
  const asked = cases.readers.filter(({ name, description }) => effectOf(name, description) === "writer");
  console.info(
    `guessed effects: ${cases.writers.length - passed.length} of ${cases.writers.length} hostile writers are found, ` +
      `${cases.readers.length - asked.length} of ${cases.readers.length} readers are`,
  );
  expect(passed.map(({ name }) => name)).toEqual([
    "list_archive",
    "list_product",
    "query_database",
    "recommend_friend",
    "change_view",
  ]);
  expect(asked.map(({ name }) => name)).toEqual([]);
});

test("a plural in -ies counts as the word in -y [flow.guess.effect]", () => {
  expect(effectOf("queries_users")).toBe("reader");
});

test("an object with members is not a separate argument [flow.guess.payload]", () => {
  const inputSchema = { type: "object", properties: { mail: { type: "object", properties: { body: text } } } };
  const { arguments: found } = guessTool(resolved({ name: "send_email", inputSchema }));
  expect(found.map(({ path }) => path)).toEqual(["mail.body"]);
});

test.each([
  ["check_disk_space", "Checks the free space of the disk.", {}],
  ["check_order_status", "Returns the status of an order.", { orderId: text }],
  ["can_receive_calls", "Says if the phone can receive calls.", {}],
  ["can_delete_account", "True if the account may be deleted.", { userId: text }],
  ["run_latency_test", "Measures the latency.", {}],
  ["run_network_diagnostics", "Runs the diagnostics of the network.", {}],
])("a tool that only looks at something is a reader: %s [flow.guess.checks]", (name, description, properties) => {
  expect(guessed(name, description, properties).effect).toBe("reader");
});

test.each([
  ["check_in_guest", "Checks a guest in.", {}],
  ["check_out", "Checks the cart out.", {}],
  ["check_off_item", "Checks an item off.", {}],
  ["check", "Checks.", {}],
  ["check_page", "Checks a page.", { pageUrl: text }],
  ["check_config", "Checks a file.", { path: text }],
  ["check_expression", "Checks code.", { code: text }],
  ["check_and_repair", "Checks the disk.", {}],
  ["check_send_mail", "Checks mail.", {}],
  ["can_delete_account", "Deletes the account if it can.", {}],
  ["can_reach", "Says if a host can be reached.", { hostName: text }],
  ["run_unit_test", "Runs a test.", { file: text }],
  ["run_deploy_test", "Runs a test.", {}],
  ["run_test", "Runs a test.", {}],
  ["run_backup", "Runs the backup.", {}],
])("a tool that may do more than look is a writer: %s [flow.guess.checks]", (name, description, properties) => {
  expect(guessed(name, description, properties).effect).toBe("writer");
});

test.each([
  ["checkout_basket", { items: text }, true],
  ["check_out_cart", {}, true],
  ["exchange_currency", { currency: text }, true],
  ["book_flight", { flight: text, paymentMethod: text }, true],
  ["reserve_table", { guests: text, cardId: text }, true],
  ["book_room", { room: text }, false],
  ["show_card", { cardId: text }, false],
])("what charges a means of payment is grave: %s [flow.guess.grave]", (name, properties, isGrave) => {
  expect(guessed(name, "Does it.", properties).grave).toBe(isGrave);
});
