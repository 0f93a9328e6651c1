// Calls of the `bailiwick` command in a created project, with the checks that apply to every command.
import { execute, startNode } from "../../lib/processes.mjs";

/**
 * A finished call.
 *
 * @typedef {object} Called
 * @property {string} stdout
 * @property {string} stderr
 * @property {any} value the JSON on standard output; `undefined` without `--json`
 * @property {string | undefined} errorCode the code of the error that `--json` printed
 */

/** The commands of one project. */
export class CommandWalk {
  /** Commands that were called, such as `runs list`. */
  called = new Set();
  #bin;
  #path;
  #env;

  /**
   * @param {string} bin the installed command's file
   * @param {import("../refund-script.mjs").TemplateProject} project
   */
  constructor(bin, { path, env }) {
    this.#bin = bin;
    this.#path = path;
    this.#env = env;
  }

  /**
   * Runs a command to its end, without a terminal.
   *
   * @param {readonly string[]} args
   * @param {{ exit?: number, env?: Readonly<Record<string, string>> }} [expected] the exit code; default 0
   * @returns {Promise<Called>}
   */
  async call(args, { exit = 0, env = {} } = {}) {
    this.#note(args);
    const ended = await execute(process.execPath, [this.#bin, ...args], this.#path, { ...this.#env, ...env });
    const { status, stdout, stderr } = ended;
    const title = `bailiwick ${args.join(" ")}`;
    const report = `${title} ended with ${status}\n--- stdout\n${stdout}\n--- stderr\n${stderr}`;
    if (status !== exit) throw new Error(`Expected exit code ${exit}. ${report}`);
    if (ended.output.includes("\u001B")) throw new Error(`Control characters without a terminal. ${report}`);
    if (/^\s+at /m.test(stderr)) throw new Error(`A stack trace. ${report}`);
    if (!args.includes("--json")) return { stdout, stderr, value: undefined, errorCode: undefined };
    const value = stdout === "" ? undefined : jsonOf(stdout, report);
    const last = stderr.trimEnd().split("\n").at(-1) ?? "";
    const error = value === undefined && exit !== 0 ? jsonOf(last, report).error : undefined;
    if (error !== undefined && !(error.code && error.message)) throw new Error(`An error without words. ${report}`);
    return { stdout, stderr, value, errorCode: error?.code };
  }

  /**
   * Runs a command that changes nothing, for people and for programs.
   *
   * @param {readonly string[]} args
   * @param {{ exit?: number }} [expected]
   * @returns {Promise<{ text: string, value: any }>}
   */
  async look(args, expected) {
    const { stdout } = await this.call(args, expected);
    const { value } = await this.call([...args, "--json"], expected);
    return { text: stdout, value };
  }

  /**
   * Starts a command that runs until it is stopped.
   *
   * @param {readonly string[]} args
   * @param {Readonly<Record<string, string>>} [env]
   */
  start(args, env = {}) {
    this.#note(args);
    return startNode([this.#bin, ...args], this.#path, { ...this.#env, ...env });
  }

  /** @returns {Promise<readonly string[]>} the commands that `--help` lists and no call has used */
  async uncalled() {
    const all = [];
    for (const name of namesIn((await this.call(["--help"])).stdout)) {
      const inner = namesIn((await this.call([name, "--help"])).stdout);
      all.push(...(inner.length === 0 ? [name] : inner.map((one) => `${name} ${one}`)));
    }
    return all.filter((name) => !this.called.has(name));
  }

  /** @param {readonly string[]} args */
  #note(args) {
    if (args.includes("--help")) return;
    this.called.add(args[0]);
    this.called.add(args.slice(0, 2).join(" "));
  }
}

/** @param {string} help */
function namesIn(help) {
  const [, list = ""] = help.split("Commands:\n");
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name ?? "").filter((name) => name !== "help");
}

/** @param {string} text @param {string} report @returns {any} */
function jsonOf(text, report) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`Not JSON. ${report}`);
  }
}
