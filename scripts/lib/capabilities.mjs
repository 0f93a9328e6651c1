// Capabilities of the machine that tests may need. A test file names its capability: `x.browser.test.ts`, `x.os-sandbox.test.ts`, …
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";

/**
 * @typedef {object} Capability
 * @property {string} name The word in the name of its test files.
 * @property {string} howToGet What to do where it is absent.
 * @property {() => boolean} detect Whether this machine has it.
 */

/** Recorded answers of vendors, which are stored next to the project. */
export const wireRecordings = join(root, "..", "shared", "fixtures", "wire");

/** The headless shell comes first, since it needs a third less of the processor than a whole browser. */
const browsers = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);

/** The browser that browser tests drive, or an empty string. */
export const chromium = process.env.BAILIWICK_CHROMIUM ?? browsers.find((path) => existsSync(path)) ?? "";

/** @type {readonly Capability[]} The closed list. */
export const capabilities = [
  {
    name: "browser",
    howToGet: "install Chromium (Debian: apt-get install chromium-headless-shell), or set BAILIWICK_CHROMIUM to one",
    detect: () => chromium !== "" && existsSync(chromium),
  },
  {
    name: "os-sandbox",
    howToGet: "install bubblewrap (Debian: apt-get install bubblewrap) on a Linux that allows user namespaces",
    detect: () =>
      spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"], { timeout: 120_000 }).status === 0,
  },
  {
    name: "postgres",
    howToGet:
      "install PostgreSQL and run under .ci/postgres, or set BAILIWICK_POSTGRES_URL to an empty database whose user is a superuser",
    detect: () => Boolean(process.env.BAILIWICK_POSTGRES_URL),
  },
  {
    name: "redis",
    howToGet: "install Redis (Debian: apt-get install redis-server); the tests start their own server",
    detect: () => spawnSync("redis-server", ["--version"], { timeout: 120_000 }).status === 0,
  },
  {
    name: "wire-recordings",
    howToGet: "put the recordings of vendors' answers at ../shared/fixtures/wire beside the project",
    detect: () => existsSync(wireRecordings),
  },
];

/** The names that BAILIWICK_REQUIRE lists: their absence is a failure. */
export function requiredCapabilities() {
  const names = (process.env.BAILIWICK_REQUIRE ?? "").split(",").map((name) => name.trim());
  const wanted = names.filter((name) => name !== "");
  for (const name of wanted) {
    if (!capabilities.some((capability) => capability.name === name))
      throw new Error(`BAILIWICK_REQUIRE names "${name}". Known: ${capabilities.map((one) => one.name).join(", ")}.`);
  }
  return wanted;
}

/** The capabilities that this machine lacks. */
export function absentCapabilities() {
  return capabilities.filter((capability) => !capability.detect());
}
