import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { chatClients, features, rowsOf, tables, withTable } from "./clients-table.mjs";
import { judgeClient } from "./lib/judge-client.mjs";

const root = new URL("../", import.meta.url);

test.each(tables.map((table) => [table.mark, table]))("the table of %s matches the clients' folders", (_, table) => {
  const text = readFileSync(new URL(table.page, root), "utf8");
  expect(rowsOf(text)).toEqual(rowsOf(withTable(text, table)));
  expect(table.rows().length).toBeGreaterThan(3);
});

test("every folder in clients/ is in a table, or judges no page and no host", () => {
  const others = ["lib", "mcp-conformance", "mcp-inspector", "mcp-servers", "otel-exporters"];
  const folders = readdirSync(new URL("clients/", root), { withFileTypes: true }).filter((one) => one.isDirectory());
  const isShown = (/** @type {string} */ name) =>
    ["client.json", "host.json"].some((file) => existsSync(new URL(`clients/${name}/${file}`, root)));
  expect(folders.map(({ name }) => name).filter((name) => !isShown(name))).toEqual(others);
  for (const { entry } of chatClients()) for (const name of Object.keys(entry.works)) expect(features).toContain(name);
});

test("a client whose table names a check that did not run fails", () => {
  const results = [{ name: "a message is answered", passed: true }];
  expect(judgeClient(results, {}, ["a message is answered"]).problems).toEqual([]);
  expect(judgeClient(results, {}, ["stop cancels the run"]).problems).toEqual([
    "client.json names the check stop cancels the run, which did not run.",
  ]);
});
