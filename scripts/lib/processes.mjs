// Processes that a check starts, waits for and ends.
import { spawn } from "node:child_process";
import { root } from "./project.mjs";

/**
 * Runs a command to its end, at most twenty minutes.
 *
 * @param {string} title names the step in the error
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} [cwd] default: the root
 * @param {Readonly<Record<string, string>>} [env] added to the environment
 * @returns {Promise<string>} what it prints on standard output
 * @throws {Error} with its output when it fails
 */
export async function runStep(title, file, args, cwd = root, env = {}) {
  const { status, stdout, output } = await execute(file, args, cwd, env);
  if (status !== 0) throw new Error(`${title} failed with ${status}\n${output}`);
  return stdout;
}

/**
 * Runs a command to its end. A server of this process answers meanwhile.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} [cwd] default: the root
 * @param {Readonly<Record<string, string>>} [env] added to the environment
 * @param {number} [minutes] after which it is ended; default 20
 * @returns {Promise<{ status: number | string, stdout: string, stderr: string, output: string }>}
 */
export function execute(file, args, cwd = root, env = {}, minutes = 20) {
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: minutes * 60_000,
  });
  // Processes that the command started may live longer and hold its pipes open.
  child.once("exit", () => child.killed && [child.stdout, child.stderr].forEach((stream) => stream.destroy()));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve({ status: "no start", stdout, stderr, output: message }));
    child.once("close", (code, signal) =>
      resolve({ status: code ?? signal ?? "no status", stdout, stderr, output: `${stdout}${stderr}`.trim() }),
    );
  });
}

/**
 * A process that runs.
 *
 * @typedef {object} Started
 * @property {(text: RegExp) => Promise<RegExpExecArray>} printed resolves when a whole line of its output has the text
 * @property {() => Promise<void>} announced resolves when standard output has a line: warnings go to the other stream
 * @property {() => Promise<void>} kill ends it with SIGKILL, and waits for the end
 * @property {() => Promise<number | null>} stop asks it to end with SIGTERM, and resolves with its exit code
 */

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/** Ends the processes of `startNode` that still run, such as those of a check that failed. */
export function endStarted() {
  for (const child of running) child.kill("SIGKILL");
}

/**
 * @param {readonly string[]} args of this Node
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} env added to the environment
 * @returns {Started}
 */
export function startNode(args, cwd, env) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const command = args.join(" ");
  let output = "";
  let announced = "";
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  child.stdout.on("data", (chunk) => (announced += chunk));
  /** @type {(read: () => string, text: RegExp) => Promise<RegExpExecArray>} */
  const printed = (read, text) =>
    until(`${command} prints ${text}`, () => {
      // The rest of the last line may still arrive.
      const found = text.exec(ended ? read() : read().slice(0, read().lastIndexOf("\n") + 1));
      if (found === null && ended) throw new Error(`${command} ended without printing ${text}:\n${output}`);
      return found ?? undefined;
    });
  /** @type {Promise<number | null>} */
  const end = new Promise((resolve) =>
    child.once("close", (code) => {
      ended = true;
      running.delete(child);
      resolve(code);
    }),
  );
  return {
    printed: (text) => printed(() => output, text),
    announced: async () => void (await printed(() => announced, /./)),
    async kill() {
      child.kill("SIGKILL");
      await end;
    },
    async stop() {
      child.kill("SIGTERM");
      return end;
    },
  };
}

/**
 * Waits, at most five minutes, for a value.
 *
 * @template T
 * @param {string} title names what is waited for in the error
 * @param {() => T | undefined | Promise<T | undefined>} read
 * @returns {Promise<T>}
 */
export async function until(title, read) {
  for (let count = 0; count < 6_000; count += 1) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`This did not happen within five minutes: ${title}`);
}
