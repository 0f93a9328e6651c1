// Builds the package in the working directory into a fresh dist: types file by file, and one module for each entry of
// package.json and each program of a thread (`*.worker.ts`), because a starting process has to find, read and link
// every module separately. Modules that find a program by their own address are beside it in `dist`.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync("tsc", ["-p", "tsconfig.build.json", "--emitDeclarationOnly"], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status !== 0) process.exit(status ?? 1);

/** @type {Record<string, string>} name in `dist` → source */
const entries = {};
JSON.parse(readFileSync("package.json", "utf8"), (_key, value) => {
  const { "@bailiwick/source": source, default: built } = value ?? {};
  const name = typeof source === "string" && /^\.\/dist\/(.+)\.js$/.exec(built)?.[1];
  if (name) entries[name] = source;
  return value;
});
for (const name of readdirSync("src", { recursive: true, encoding: "utf8" }))
  if (name.endsWith(".worker.ts")) entries[basename(name, ".ts")] = `src/${name}`;
await build({
  entryPoints: entries,
  outdir: "dist",
  bundle: true,
  splitting: true,
  packages: "external",
  external: ["#*"],
  format: "esm",
  platform: "neutral",
  target: "es2023",
  sourcemap: true,
  logLevel: "warning",
});
