import { inProcess } from "../routing/routed-process.ts";
import type { Stage } from "./stage.ts";
import type { Component } from "../world/component.ts";
import { exchange } from "../world/exchange.ts";
import type { SimulatedProcess } from "../world/simulated-process.ts";

/** Origin of the application's server, as browsers see it. */
export const chatOrigin = "https://chat.example";

/** Streams that the browser of each process reads. */
const open = new WeakMap<SimulatedProcess, Set<ReadableStreamDefaultReader<Uint8Array>>>();

/** Sizes of the requests of a stage's pages, beside the files and texts that the user added. */
const sizes = new WeakMap<Stage, Map<string, number>>();

/** The largest request of a tab, in characters. */
export function largestRequest(stage: Stage, tab: string): number {
  return sizes.get(stage)?.get(tab) ?? 0;
}

/**
 * The network between pages and the application's web process. Each request is a choice point, and so is each piece of a
 * stream: it can come late, or its connection breaks.
 *
 * @param stage - The play.
 */
export function chatNetwork(stage: Stage): (from: SimulatedProcess, request: Request) => Promise<Response> | undefined {
  const { world } = stage;
  return (from, request) => {
    const url = new URL(request.url);
    if (url.origin !== chatOrigin) return undefined;
    const server = world.component("server", { isOrdered: false, kinds: ["late", "lost", "away"] });
    const path = url.pathname.replace(/\/(chat|runs)\/[^/]+/u, "/$1/:id");
    return send(stage, from, server, request, path);
  };
}

async function send(
  stage: Stage,
  from: SimulatedProcess,
  server: Component,
  request: Request,
  path: string,
): Promise<Response> {
  const { world } = stage;
  const body = request.method === "GET" ? undefined : await request.text();
  if (body !== undefined) {
    const own = sizes.get(stage) ?? new Map<string, number>();
    sizes.set(stage, own.set(from.name, Math.max(own.get(from.name) ?? 0, withoutFiles(body).length)));
  }
  const failed = (): TypeError => new TypeError("fetch failed");
  let answered: Response | undefined;
  const response = await exchange(world, from, server, {
    operation: request.method,
    detail: path,
    work: async () => {
      const web = world.process("web");
      const serve = stage.apps.get("web")?.app.fetch;
      if (web === undefined || web.isDead || serve === undefined) throw failed();
      const sent = new Request(request.url, { method: request.method, headers: request.headers, body: body ?? null });
      return inProcess(web, async () => {
        answered = await serve(sent);
        if (isStream(answered)) return answered;
        // A whole answer is one message.
        const { status, headers } = answered;
        const bytes = await answered.arrayBuffer();
        return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
      });
    },
    refuse: failed,
    signal: request.signal,
    story: () => `sends ${request.method} ${path}`,
    onRefused: () => void (answered && isStream(answered) && answered.body?.cancel().catch(() => undefined)),
  });
  if (!isStream(response) || response.body === null) return response;
  return new Response(piped(stage, from, server, response.body), {
    status: response.status,
    headers: response.headers,
  });
}

/** Sends a stream piece by piece. */
function piped(
  { world }: Stage,
  from: SimulatedProcess,
  server: Component,
  source: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const own = open.get(from) ?? new Set();
  open.set(from, own.add(reader));
  const leave = (): void => {
    own.delete(reader);
    leaveStream(world.process("web"), reader);
  };
  return new ReadableStream(
    {
      async pull(controller): Promise<void> {
        try {
          const { done, value } = await exchange(world, from, server, {
            operation: "stream",
            work: async () => {
              const web = world.process("web");
              if (web === undefined || web.isDead) throw new TypeError("network error");
              return inProcess(web, () => reader.read());
            },
            refuse: () => new TypeError("network error"),
            story: () => "reads a stream",
          });
          if (!done) return controller.enqueue(value);
          own.delete(reader);
          controller.close();
        } catch (error) {
          leave();
          controller.error(error);
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

/** Closes the connections of a browser whose page is gone. */
export function closeConnections(stage: Stage, from: SimulatedProcess): void {
  for (const reader of open.get(from) ?? []) leaveStream(stage.world.process("web"), reader);
  open.delete(from);
}

function leaveStream(web: SimulatedProcess | undefined, reader: ReadableStreamDefaultReader<Uint8Array>): void {
  if (web === undefined || web.isDead) return;
  inProcess(web, () => void reader.cancel().catch(() => undefined));
}

function isStream({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/** A body without the bytes of its files. */
function withoutFiles(body: string): string {
  return body.replaceAll(/"data:[^"]*"/gu, '""');
}
