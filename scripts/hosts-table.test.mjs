import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rowsOf, withTable } from "./hosts-table.mjs";

test("the table of hosts is what the clients' folders say", () => {
  const text = readFileSync(new URL("../docs/guides/hosts.md", import.meta.url), "utf8");
  expect(rowsOf(text)).toEqual(rowsOf(withTable(text)));
  for (const host of ["Node", "Cloudflare Workers", "Bun", "Deno"])
    expect(rowsOf(text).some((row) => row.startsWith(`| ${host} |`))).toBe(true);
});
