import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chatClients, features, withClients } from "./clients-table.mjs";
import { rowsOf } from "./hosts-table.mjs";
import { judgeClient } from "./lib/judge-client.mjs";

test("the table of clients is what the clients' folders say", () => {
  const text = readFileSync(new URL("../docs/guides/chat.md", import.meta.url), "utf8");
  expect(rowsOf(text)).toEqual(rowsOf(withClients(text)));
  expect(chatClients().map(({ folder }) => folder)).toContain("use-chat");
  for (const { client } of chatClients())
    for (const name of Object.keys(client.works)) expect(features).toContain(name);
});

test("a client whose table names a check that did not run fails", () => {
  const results = [{ name: "a message is answered", passed: true }];
  expect(judgeClient(results, {}, ["a message is answered"]).problems).toEqual([]);
  expect(judgeClient(results, {}, ["stop cancels the run"]).problems).toEqual([
    "client.json names the check stop cancels the run, which did not run.",
  ]);
});
