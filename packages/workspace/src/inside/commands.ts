import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

import { root } from "../host/root.ts";

/** Folder of outputs and working directories inside. */
const place = "/tmp/.workspace";
/** Bytes of one output file: `/tmp` is memory. */
const longestFile = 32 * 1024 * 1024;
/** Unread output of a background process that is kept. */
const longestUnread = 256 * 1024;

/** Time for the last output of a command that has ended, in milliseconds. */
const lastOutputMs = 500;

/** A command from the channel. */
export interface Command {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

/** Keeps the first and the last part of an output, and the whole of it in a file. */
class Output {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #file: number | undefined;
  #saved = 0;
  bytes = 0;
  readonly path: string;
  readonly #half: number;

  constructor(path: string, most: number) {
    this.path = path;
    this.#half = Math.max(256, Math.floor(most / 2));
  }

  add(piece: Buffer): void {
    this.bytes += piece.length;
    const room = Math.max(0, this.#half - this.#head.length);
    if (room > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, room)]);
    this.#tail = Buffer.concat([this.#tail, piece.subarray(room)]);
    if (this.#tail.length > this.#half * 2) this.#tail = this.#tail.subarray(-this.#half);
    if (this.#saved >= longestFile) return;
    this.#file ??= openSync(this.path, "w");
    writeSync(this.#file, piece.subarray(0, longestFile - this.#saved));
    this.#saved += piece.length;
  }

  end(): { readonly output: string; readonly bytes: number; readonly file?: string } {
    if (this.#file !== undefined) closeSync(this.#file);
    const left = this.bytes - this.#head.length - Math.min(this.#tail.length, this.#half);
    if (left <= 0) {
      rmSync(this.path, { force: true });
      return { output: Buffer.concat([this.#head, this.#tail]).toString(), bytes: this.bytes };
    }
    const output = `${this.#head.toString()}\n[… ${left} bytes are left out; the whole output is in ${this.path} …]\n${this.#tail.subarray(-this.#half).toString()}`;
    return { output, bytes: this.bytes, file: this.path };
  }
}

interface Background {
  readonly child: ChildProcess;
  unread: Buffer;
  dropped: number;
  status: string;
}

let count = 0;
const running = new Map<string, ChildProcess>();
const backgrounds = new Map<string, Background>();

function shell(command: string, cwd: string, cwdFile: string): ChildProcess {
  mkdirSync(place, { recursive: true });
  const script = `trap 'pwd -P > ${cwdFile}' EXIT\n${command}\n`;
  // The folder of the last command may be gone.
  const folder = existsSync(cwd) ? cwd : root;
  return spawn("bash", ["-c", script], { cwd: folder, detached: true, stdio: ["ignore", "pipe", "pipe"] });
}

/** Ends a command with all processes of its group. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}

/** Runs a command to its end. */
export function runCommand(id: string, { command, cwd, timeoutMs, outputBytes }: Command): Promise<object> {
  count += 1;
  const cwdFile = `${place}/cwd-${count}`;
  mkdirSync(place, { recursive: true });
  const output = new Output(`${place}/output-${count}.txt`, outputBytes);
  return new Promise((resolve) => {
    const child = shell(command, cwd, cwdFile);
    let ended: string | undefined;
    running.set(id, child);
    const timer = setTimeout(() => {
      ended = "timeout";
      endGroup(child);
    }, timeoutMs);
    child.stdout?.on("data", (piece: Buffer) => output.add(piece));
    child.stderr?.on("data", (piece: Buffer) => output.add(piece));
    const finish = (code: number | null, signal: string | null): void => {
      if (!running.delete(id)) return;
      clearTimeout(timer);
      // Processes that the command left behind end with it; `run_in_background` is for those that stay.
      endGroup(child);
      const say = (): void => {
        clearTimeout(late);
        resolve({
          code: ended === undefined ? code : null,
          ended: ended ?? signal ?? undefined,
          ...output.end(),
          cwd: readCwd(cwdFile, cwd),
        });
      };
      // A process that left the group can keep the output open forever: what it prints later is not read.
      const late = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, lastOutputMs);
      if (child.stdout?.readableEnded === true && child.stderr?.readableEnded === true) say();
      else child.once("close", say);
    };
    child.once("exit", finish);
    child.once("error", (error) => {
      output.add(Buffer.from(`${error.message}\n`));
      if (child.pid === undefined) {
        running.delete(id);
        clearTimeout(timer);
        resolve({ code: 127, ...output.end(), cwd });
      } else finish(127, null);
    });
  });
}

/** Stops a command that runs. */
export function stopCommand(id: string): void {
  const child = running.get(id);
  if (child !== undefined) endGroup(child);
}

function readCwd(file: string, before: string): string {
  try {
    const text = readFileSync(file, "utf8").trim();
    rmSync(file, { force: true });
    return text.startsWith("/") ? text : before;
  } catch {
    return before;
  }
}

/** Starts a command that outlives the call. */
export function startBackground({ command, cwd }: Pick<Command, "command" | "cwd">): { readonly id: string } {
  count += 1;
  const id = `bash_${count}`;
  const child = shell(command, cwd, `${place}/cwd-${count}`);
  const state: Background = { child, unread: Buffer.alloc(0), dropped: 0, status: "running" };
  const add = (piece: Buffer): void => {
    state.unread = Buffer.concat([state.unread, piece]);
    const over = state.unread.length - longestUnread;
    if (over <= 0) return;
    state.unread = state.unread.subarray(over);
    state.dropped += over;
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  child.once("exit", (code, signal) => void (state.status = `exited with ${code ?? signal}`));
  child.once("error", (error) => void (state.status = `failed: ${error.message}`));
  backgrounds.set(id, state);
  return { id };
}

/** New output of a background process. */
export function backgroundOutput(
  id: string,
  end: boolean,
): { readonly output: string; readonly status: string } | undefined {
  const state = backgrounds.get(id);
  if (state === undefined) return undefined;
  if (end && state.status === "running") {
    endGroup(state.child);
    state.status = "killed";
  }
  const cut = state.dropped > 0 ? `[… ${state.dropped} bytes are left out …]\n` : "";
  const output = cut + state.unread.toString();
  state.unread = Buffer.alloc(0);
  state.dropped = 0;
  return { output, status: state.status };
}
