// A program as a bundler makes it for browsers: one file that loads at the start, and others for later imports.
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { root } from "./project.mjs";

/**
 * Builds a program without writing it: the entry is `stdin.js`.
 *
 * @param {string} program - A module's text; it may import the packages.
 * @param {string} [checkout] - Folder of the repository; default: this one.
 */
export function buildForBrowser(program, checkout = root) {
  return build({
    stdin: { contents: program, resolveDir: `${checkout}/apps/desk`, loader: "ts" },
    outdir: `${checkout}/.cache/bundle`,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["browser", "@bailiwick/source"],
    external: ["@napi-rs/keyring"],
    absWorkingDir: checkout,
    logLevel: "silent",
  });
}

/**
 * @param {string} program - A module's text.
 * @param {string} [checkout] - Folder of the repository; default: this one.
 * @returns Gzipped bytes of all files that load at the start; what each part that loads later adds to what is there then;
 * whether one of its files imports a module of Node; and `with`, what the start and some parts weigh together.
 */
export async function bundleForBrowser(program, checkout = root) {
  const { outputFiles, metafile } = await buildForBrowser(program, checkout);
  const { outputs } = metafile;
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [path.slice(checkout.length + 1), gzipSync(contents).length]),
  );
  const start = new Set();
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "<stdin>");
  if (entry !== undefined) addFiles(entry, start);
  const later = Object.entries(outputs).flatMap(([path, { entryPoint }]) => {
    if (entryPoint === undefined || start.has(path)) return [];
    const before = loadedBefore(path);
    return [{ name: entryPoint, bytes: weight(addFiles(path, new Set(before))) - weight(before) }];
  });
  return {
    start: weight(start),
    later: later.toSorted((a, b) => b.bytes - a.bytes),
    with: (/** @type {readonly string[]} */ parts) => weight(partsWithStart(parts)),
    needsNode: Object.values(outputs).some(({ imports }) => imports.some(({ path }) => path.startsWith("node:"))),
  };

  /**
   * A file with all files that must be loaded before it runs.
   *
   * @param {string} path
   * @param {Set<string>} files
   */
  function addFiles(path, files) {
    files.add(path);
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? [])
      if (kind === "import-statement" && external !== true && !files.has(imported)) addFiles(imported, files);
    return files;
  }

  /**
   * The files that are loaded when a part is asked for: the start, and the parts that ask for it.
   *
   * @param {string} part
   */
  function loadedBefore(part) {
    const files = new Set(start);
    for (const [path, { imports }] of Object.entries(outputs))
      if (imports.some((imported) => imported.kind === "dynamic-import" && imported.path === part))
        addFiles(path, files);
    return files;
  }

  /** @param {readonly string[]} parts - Ends of the parts' first modules. */
  function partsWithStart(parts) {
    const files = new Set(start);
    for (const part of parts) {
      const file = Object.keys(outputs).find((path) => outputs[path]?.entryPoint?.endsWith(part));
      if (file === undefined) throw new Error(`No late part begins with ${part}.`);
      addFiles(file, files);
    }
    return files;
  }

  /** @param {ReadonlySet<string>} files */
  function weight(files) {
    return [...files].reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  }
}
