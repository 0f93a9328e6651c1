import { expect, test } from "vitest";
import { temporarySchema, testUrl } from "../../store-postgres/src/temporary-schema.fixture.ts";
import { CommandFolder } from "./command.fixture.ts";

test("migrate creates a schema in PostgreSQL; runs and inbox read it with --store", async () => {
  await using folder = new CommandFolder();
  await using place = temporarySchema();
  const url = new URL(testUrl);
  url.searchParams.set("schema", place.schema);
  const store = ["--store", url.href, "--json"];

  const early = await folder.run(["runs", "list", ...store]);
  expect(early.exitCode, early.stdout).not.toBe(0);
  expect(early.stderr).toContain("migrate");

  const migrated = await folder.run(["migrate", ...store]);
  expect(migrated.exitCode, migrated.stderr).toBe(0);
  expect(JSON.parse(migrated.stdout)).toMatchObject({ migrated: true });
  expect(await folder.run(["migrate", ...store])).toMatchObject({ exitCode: 0 });

  expect(await folder.run(["runs", "list", ...store])).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  expect(await folder.run(["inbox", "list", ...store])).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  expect(await folder.run(["runs", "show", "none", ...store])).toMatchObject({ exitCode: 3 });
});
