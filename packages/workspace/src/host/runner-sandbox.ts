import type { WorkspaceCommand, WorkspaceEntry, WorkspaceExit, WorkspaceSandbox } from "./host.ts";
import { requestId, type RunnerClient } from "./runner-client.ts";

/** Bytes of a file in one message. */
const pieceBytes = 4 * 1024 * 1024;
/** Largest file that is read as a whole. */
const largestRead = 1024 * 1024 * 1024;

/**
 * The operations of a place over a connection to a runner.
 *
 * @param connect - Returns the connection, after starting the sandbox where it has ended.
 * @param root - Folder below which empty folders are removed.
 * @param durable - Waits until the disk has each written file.
 */
export function runnerSandbox(
  connect: () => Promise<RunnerClient>,
  root: string,
  durable = false,
): Omit<WorkspaceSandbox, "close"> {
  const ask = async (op: string, fields: object, id?: string): Promise<unknown> =>
    (await connect()).ask(op, fields, id);
  return {
    async exec(request) {
      const id = requestId();
      const stop = (): void => void ask("stop", { target: id }).catch(() => undefined);
      request.signal?.addEventListener("abort", stop, { once: true });
      try {
        const { signal: _here, ...fields } = request;
        return readExit(await ask("exec", fields, id), request);
      } finally {
        request.signal?.removeEventListener("abort", stop);
      }
    },
    start: async (request) => ({ id: textOf((await ask("start", request)) as object, "id") }),
    async background(id, end) {
      const state = await ask("background", { target: id, end });
      if (state === null) return undefined;
      return { output: textOf(state as object, "output"), status: textOf(state as object, "status") };
    },
    async list(paths) {
      const folders = await ask("list", { paths });
      if (!Array.isArray(folders)) return paths.map(() => []);
      return folders.map((entries: unknown) => (Array.isArray(entries) ? entries.flatMap(readEntry) : []));
    },
    async read(path, follow) {
      const pieces: Uint8Array[] = [];
      for (let offset = 0; offset < largestRead;) {
        const piece = await ask("read", { path, follow, offset, length: pieceBytes });
        if (piece === null) return undefined;
        const bytes = Buffer.from(textOf(piece as object, "data"), "base64");
        pieces.push(bytes);
        offset += bytes.length;
        if (bytes.length < pieceBytes) return Buffer.concat(pieces);
      }
      return undefined;
    },
    async write(path, content, { type, follow }) {
      const target = requestId();
      for (let offset = 0; ; offset += pieceBytes) {
        const last = offset + pieceBytes >= content.length;
        const data = Buffer.from(content.subarray(offset, offset + pieceBytes)).toString("base64");
        await ask("write", { path, type, follow, durable, target, data, last });
        if (last) return;
      }
    },
    remove: async (paths, recursive) => void (await ask("remove", { paths, root, recursive })),
  };
}

function textOf(value: object, name: string): string {
  const field = (Object(value) as Readonly<Record<string, unknown>>)[name];
  return typeof field === "string" ? field : "";
}

const kinds: readonly string[] = ["file", "folder", "link", "other"];

/** An entry in the form of the channel; anything else is left out. */
function readEntry(given: unknown): readonly WorkspaceEntry[] {
  if (!Array.isArray(given)) return [];
  const [name, kind, size, executable, stamp, changedAt] = given as readonly unknown[];
  if (typeof name !== "string" || name === "" || name === "." || name === ".." || /[/\0]/u.test(name)) return [];
  if (typeof kind !== "string" || !kinds.includes(kind) || typeof size !== "number") return [];
  return [
    {
      name,
      kind: kind as WorkspaceEntry["kind"],
      size,
      executable: executable === true,
      stamp: typeof stamp === "string" ? stamp : "",
      changedAt: typeof changedAt === "number" ? changedAt : 0,
    },
  ];
}

function readExit(given: unknown, { cwd, outputBytes }: WorkspaceCommand): WorkspaceExit {
  const { code, bytes, ended, output, file, cwd: after } = Object(given) as Readonly<Record<string, unknown>>;
  const text = typeof output === "string" ? output : "";
  return {
    code: typeof code === "number" ? code : null,
    ...(typeof ended === "string" && { ended: ended.slice(0, 40) }),
    output: text.slice(0, outputBytes + 4_096),
    bytes: typeof bytes === "number" ? bytes : text.length,
    ...(typeof file === "string" && { file: file.slice(0, 200) }),
    cwd: typeof after === "string" && after.startsWith("/") && after.length < 4_096 ? after : cwd,
  };
}
