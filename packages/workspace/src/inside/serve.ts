import { createInterface } from "node:readline";
import { backgroundOutput, runCommand, startBackground, stopCommand, type Command } from "./commands.ts";
import { beginWrite, entriesOf, readPiece, removeFile, type FileToWrite } from "./files.ts";

/** A request on standard input: one line of JSON. */
interface Request extends Partial<Command>, Partial<FileToWrite> {
  readonly id: string;
  readonly op: string;
  readonly path?: string;
  readonly paths?: readonly string[];
  readonly root?: string;
  readonly recursive?: boolean;
  readonly offset?: number;
  readonly length?: number;
  readonly data?: string;
  readonly last?: boolean;
  readonly target?: string;
  readonly end?: boolean;
}

type Writing = Awaited<ReturnType<typeof beginWrite>>;

const writing = new Map<string, Writing>();

const text = (value: string | undefined): string => value ?? "";

/** The operations; an answer is one line of JSON. */
const operations: Readonly<Record<string, (request: Request) => unknown>> = {
  list: ({ paths = [] }) => Promise.all(paths.map(entriesOf)),
  async read({ path, offset = 0, length = 0, follow = false }) {
    const piece = await readPiece(text(path), { offset, length, follow });
    return piece === undefined ? null : { data: Buffer.from(piece.bytes).toString("base64"), size: piece.size };
  },
  async write({ id, target, path, type = "file", follow = false, durable = false, data = "", last = true }) {
    const key = target ?? id;
    const file = writing.get(key) ?? (await beginWrite(text(path), { type, follow, durable }));
    writing.set(key, file);
    await file.add(Buffer.from(data, "base64"));
    if (!last) return null;
    writing.delete(key);
    await file.finish();
    return null;
  },
  async remove({ paths = [], root = "/", recursive = false }) {
    for (const path of paths) await removeFile(path, root, recursive);
    return null;
  },
  exec: ({ id, command, cwd, timeoutMs = 0, outputBytes = 0 }) =>
    runCommand(id, { command: text(command), cwd: text(cwd), timeoutMs, outputBytes }),
  stop: ({ target }) => stopCommand(text(target)),
  start: ({ command, cwd }) => startBackground({ command: text(command), cwd: text(cwd) }),
  background: ({ target, end = false }) => backgroundOutput(text(target), end) ?? null,
};

/** Answers requests until the input ends. */
export function serve(): void {
  const say = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      const request = JSON.parse(line) as Request;
      const { id, op } = request;
      void (async () => operations[op]?.(request))().then(
        (value) => say({ id, value: value ?? null }),
        (error: unknown) => {
          const { code = "", message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
          say({ id, error: { code: String(code), message: String(message) } });
        },
      );
    })
    .on("close", () => process.exit(0));
}
