// Bundles programs that tests start as processes, and prints the file of each: a bundle starts in a third of the time
// that its sources take. A bundle is kept for the state of all sources, so that test files share it. Making one deletes
// those that no test has used for a day.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { filesBelow } from "./lib/files.mjs";
import { root } from "./lib/project.mjs";

// The store starts a thread from the file beside it.
const thread = join(root, "packages/store-sqlite/src/database.worker.ts");

/**
 * Packages of others stay where they are, and a module finds the files beside it.
 *
 * @type {import("esbuild").Plugin}
 */
const inPlace = {
  name: "in-place",
  setup({ onLoad, onResolve, resolve: find }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, kind, importer, resolveDir }) => {
      if (pluginData === inPlace || kind === "entry-point") return undefined;
      if (path.startsWith("node:")) return { path, external: true };
      const found = await find(path, { kind, importer, resolveDir, pluginData: inPlace });
      if (found.errors.length > 0) return { path, external: true };
      return found.path.includes("/node_modules/") ? { path: found.path, external: true } : found;
    });
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const url = text.includes(basename(thread)) ? "__output" : JSON.stringify(pathToFileURL(path).href);
      const head = text.includes("import.meta.url") ? `const __url = ${url};` : "";
      return { contents: head + text, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
};

const entries = process.argv.slice(2).map((path) => resolve(path));
const bundles = join(tmpdir(), "bailiwick-programs");
const folder = join(bundles, stateOf(entries));
if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
else await make();
for (const entry of entries) console.log(join(folder, basename(entry).replace(/\.ts$/, ".js")));

/**
 * @param {readonly string[]} programs
 * @returns {string} a name that changes with the programs and with any source
 */
function stateOf(programs) {
  const hash = createHash("sha256").update(programs.map((path) => relative(root, path)).join("\n"));
  // A folder with a dot is of a test that runs now.
  const isSource = (/** @type {string} */ path) =>
    /\.tsx?$/.test(path) && !/\.test(?:-d)?\.tsx?$/.test(path) && !path.includes("/.");
  const sources = ["package.json", "scripts/bundle-programs.mjs"].concat(
    filesBelow(["packages", "apps"], isSource),
    programs.map((path) => relative(root, path)),
  );
  for (const path of sources) {
    const { mtimeMs, size } = statSync(join(root, path));
    hash.update(`${join(root, path)} ${mtimeMs} ${size}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}

/** Makes the folder. Another process may do the same: the first one is kept. */
async function make() {
  mkdirSync(bundles, { recursive: true });
  deleteUnused();
  const made = mkdtempSync(`${folder}-`);
  await build({
    entryPoints: [...entries, thread],
    outdir: made,
    entryNames: "[name]",
    bundle: true,
    splitting: true,
    keepNames: true,
    format: "esm",
    platform: "node",
    target: "node24",
    conditions: ["@bailiwick/source"],
    define: { "import.meta.url": "__url" },
    banner: { js: "const __output = import.meta.url;" },
    logLevel: "error",
    plugins: [inPlace],
  });
  writeFileSync(join(made, "package.json"), `{"type":"module"}`);
  try {
    renameSync(made, folder);
  } catch {
    rmSync(made, { recursive: true });
  }
}

/** Deletes bundles of older states. A test run of another checkout may still use a new one. */
function deleteUnused() {
  const yesterday = Date.now() - 24 * 60 * 60 * 1000;
  for (const name of readdirSync(bundles)) {
    const { mtimeMs = yesterday } = statSync(join(bundles, name), { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < yesterday) rmSync(join(bundles, name), { recursive: true, force: true });
  }
}
