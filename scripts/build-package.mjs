// Builds the package in the working directory into a fresh dist: types file by file, and one module for each entry of
// package.json and each program of a thread (`src/*.worker.ts`), because a starting process has to find, read and link
// every module separately.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync("tsc", ["-p", "tsconfig.build.json", "--emitDeclarationOnly"], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status !== 0) process.exit(status ?? 1);

const manifest = readFileSync("package.json", "utf8");
const entries = new Set([...manifest.matchAll(/"\.\/dist\/([\w./-]+)\.js"/g)].map(([, name]) => `src/${name}.ts`));
for (const name of readdirSync("src")) if (name.endsWith(".worker.ts")) entries.add(`src/${name}`);
await build({
  entryPoints: [...entries],
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
