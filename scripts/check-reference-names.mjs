// Checks that every name of the reference pages is one of ours, or has a reason in docs/guides/names-elsewhere.md, and
// that examples/reference/rows.json lists every value, default and nested field of the pages: `node
// scripts/check-reference-names.mjs [folder of the pages]`. The table is compiled against our types; without the pages,
// which are not part of the repository, only this is checked.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { detailsOfPage, unlisted } from "./lib/reference-details.mjs";
import { moduleOf, namesOfPage, readNameTable, unaccounted } from "./lib/reference-names.mjs";
import { root } from "./lib/project.mjs";

const table = "docs/guides/names-elsewhere.md";
const pages = resolve(process.argv[2] ?? join(root, "..", "shared", "reference"));
const rows = readNameTable(readFileSync(join(root, table), "utf8"));
const texts = existsSync(pages)
  ? readdirSync(pages)
      .filter((file) => file.endsWith(".txt"))
      .map((file) => readFileSync(join(pages, file), "utf8"))
  : undefined;
const names = texts?.flatMap((text) => namesOfPage(text));
/** @type {Record<string, { page: string[] }>} */
const listed = JSON.parse(readFileSync(join(root, "examples/reference/rows.json"), "utf8"));
const failures = [...(names === undefined ? [] : unaccounted(names, rows)), ...compile()].map(
  (failure) => `${table}: ${failure}`,
);
if (texts !== undefined) {
  const details = texts.flatMap((text) => detailsOfPage(text));
  failures.push(
    ...unlisted(
      details,
      Object.values(listed).flatMap(({ page }) => page),
    ),
  );
}
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exit(1);
const count = rows.reduce((sum, row) => sum + row.names.length, 0);
const compared = names === undefined ? `no pages at ${pages} to compare with` : `all ${names.length} of the pages`;
console.log(`${count} names are names of ours or have a reason; ${compared}`);

/** @returns {string[]} the rows whose names are not ours */
function compile() {
  // Inside docs, because docs depends on the packages.
  const folder = join(root, "docs", ".cache", `reference-names-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, "names.ts"), moduleOf(rows));
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(root, "tsconfig.base.json"),
        compilerOptions: { isolatedDeclarations: false, declaration: false, declarationMap: false },
        files: ["names.ts"],
      }),
    );
    const { status, stdout } = spawnSync("tsc", ["-p", folder, "--noEmit", "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    if (status === 0) return [];
    const code = readFileSync(join(folder, "names.ts"), "utf8").split("\n");
    return stdout.split("\n").flatMap((line) => {
      const [, at, what = ""] = /^names\.ts\((\d+),\d+\): error (.*)/.exec(line) ?? [];
      if (at === undefined) return line.startsWith(" ") || line === "" ? [] : [line];
      const [, row, check] = /const line(\d+)_\d+: (\w+<.*>) = /.exec(code[Number(at) - 1] ?? "") ?? [];
      return [row === undefined ? what : `line ${row}: ${check} is not a name of ours`];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
