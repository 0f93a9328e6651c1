import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundled } from "../../../packages/testing/src/bundled.test.helper.ts";
import { buildPage } from "./build-page.ts";

const appFolder = fileURLToPath(new URL("..", import.meta.url));
const startLimitMs = 240_000;

/** The desk's programs. */
const programs = ["src/cli.ts", "src/main.ts", "src/supervise.ts"] as const;
type Program = (typeof programs)[number];

/** A desk's server in its own process. */
export interface DeskProcess {
  readonly url: string;
  /** Ends the process like a power failure: no handler runs. */
  kill(): Promise<void>;
}

/** Outcome of a command of the command line. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the command line that runs. */
interface Command {
  readonly ended: Promise<CommandResult>;
  kill(): Promise<CommandResult>;
}

/** A data folder for one test, and the processes that work on it. */
export class DeskFolder implements AsyncDisposable {
  readonly path: string = mkdtempSync(join(tmpdir(), "desk-"));
  readonly #children = new Set<ChildProcess>();
  readonly #env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env;
  }

  /** Starts the server, on a free port unless one is given, and waits until it prints its address. */
  async start(port = 0, program: Program = "src/main.ts"): Promise<DeskProcess> {
    await buildPage();
    const child = this.#spawn(program, [], { PORT: String(port) });
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const url = await new Promise<string>((resolve, reject) => {
      let printed = "";
      const timer = setTimeout(() => reject(new Error(`The desk did not start: ${printed}`)), startLimitMs);
      const read = (chunk: Buffer): void => {
        printed += chunk.toString();
        const found = /open at (http:\S+)\s/.exec(printed)?.[1];
        if (found !== undefined) {
          clearTimeout(timer);
          resolve(found);
        }
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      void exited.then(() => reject(new Error(`The desk ended before it was open: ${printed}`)));
    });
    return {
      url,
      kill: async () => {
        child.kill("SIGKILL");
        await exited;
      },
    };
  }

  /** Runs a command of the command line to its end. */
  run(...args: string[]): Promise<CommandResult> {
    return this.command(...args).ended;
  }

  /** Starts a command of the command line. */
  command(...args: string[]): Command {
    const child = this.#spawn("src/cli.ts", args, {});
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<CommandResult>((resolve) =>
      child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr })),
    );
    return {
      ended,
      kill: () => {
        child.kill("SIGKILL");
        return ended;
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.path, { recursive: true, force: true });
  }

  #spawn(program: Program, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    const { OPENAI_API_KEY: _key, BAILIWICK_BASE_URL: _url, BAILIWICK_MODEL: _model, ...inherited } = process.env;
    const bundle = bundled(...programs.map((path) => join(appFolder, path)))[programs.indexOf(program)] ?? "";
    const child = spawn(process.execPath, ["--conditions=@bailiwick/source", bundle, ...args], {
      cwd: appFolder,
      env: { ...inherited, DESK_DATA: this.path, DESK_DEMO_PACE: "1", ...this.#env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children.add(child);
    return child;
  }
}
