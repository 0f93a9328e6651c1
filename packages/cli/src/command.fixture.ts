import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundled } from "../../testing/src/bundled.test.helper.ts";

/** The command as it is published. */
export const bin: string = fileURLToPath(new URL("../bin/bailiwick.cjs", import.meta.url));

const conditions = "--conditions=@bailiwick/source";
const [commandLine = "", startRun = "", desk = ""] = bundled(
  fileURLToPath(new URL("./command-line.fixture.ts", import.meta.url)),
  fileURLToPath(new URL("./start-run.fixture.ts", import.meta.url)),
  fileURLToPath(new URL("./desk.fixture.ts", import.meta.url)),
);

/** Entry module of the tests. */
export const deskEntry: string = desk;

/** A command that ended. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Code of the error that `--json` printed as the last line of the error stream. */
  readonly errorCode: string | undefined;
}

/** A running command. */
export interface RunningCommand {
  readonly child: ChildProcess;
  readonly result: Promise<CommandResult>;
  /** Resolves when standard output or the error stream has the text. */
  printed(text: string | RegExp): Promise<string>;
}

/** A temporary folder with its own store. Commands run in it as processes. */
export class CommandFolder implements AsyncDisposable {
  readonly path: string = mkdtempSync(join(tmpdir(), "bailiwick-cli-"));
  readonly store: string = `sqlite:${join(this.path, "desk.db")}`;
  readonly log: string = join(this.path, "desk.log");
  readonly #children = new Set<ChildProcess>();
  readonly #program: string;

  /** @param program - The command's program; default: its bundle, which starts faster than the sources of `bin`. */
  constructor(program: string = commandLine) {
    this.#program = program;
  }

  /** Starts a command; standard input, output and error stream are pipes. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
    return this.#spawn(process.execPath, [conditions, this.#program, ...args], env);
  }

  /** Starts the real binary at a terminal, which the program `script` of Linux makes. */
  startAtTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
    const words = [process.execPath, conditions, bin, ...args].map((word) => `'${word}'`);
    return this.#spawn("script", ["--quiet", "--return", "--command", words.join(" "), "/dev/null"], env);
  }

  /** Starts a run of the desk in another process, and resolves with its id as soon as it is printed. */
  async startRun(
    input: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<RunningCommand & { readonly runId: string }> {
    const running = this.#spawn(process.execPath, [conditions, startRun, input], env);
    const printed = await running.printed(/run \S+\n/);
    return { ...running, runId: /run (\S+)\n/.exec(printed)?.[1] ?? "" };
  }

  #spawn(file: string, args: readonly string[], env: Readonly<Record<string, string>>): RunningCommand {
    const child = spawn(file, args, {
      cwd: this.path,
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        HOME: this.path,
        NODE_NO_WARNINGS: "1",
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        DESK_DB: join(this.path, "desk.db"),
        DESK_LOG: this.log,
        ...env,
      },
    });
    this.#children.add(child);
    let stdout = "";
    let stderr = "";
    const waiting = new Set<() => void>();
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      for (const look of waiting) look();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      for (const look of waiting) look();
    });
    const result = new Promise<CommandResult>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (exitCode) => {
        this.#children.delete(child);
        resolve({ exitCode, stdout, stderr, errorCode: codeIn(stderr) });
      });
    });
    return {
      child,
      result,
      printed: (text) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            const all = `${stdout}\n${stderr}`;
            if (typeof text === "string" ? !all.includes(text) : !text.test(all)) return;
            waiting.delete(look);
            resolve(all);
          };
          waiting.add(look);
          void result.then(() => {
            look();
            if (waiting.has(look))
              reject(new Error(`The command ended without printing ${String(text)}: ${stdout}${stderr}`));
          });
          look();
        }),
    };
  }

  /** Runs a command to its end. */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
    const running = this.start(args, env);
    running.child.stdin?.end();
    return running.result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    await Promise.all([...this.#children].map((child) => new Promise((resolve) => child.once("close", resolve))));
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

function codeIn(stderr: string): string | undefined {
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  return last.startsWith("{")
    ? (JSON.parse(last) as { readonly error: { readonly code: string } }).error.code
    : undefined;
}
