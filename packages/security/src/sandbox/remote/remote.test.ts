import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Duplex } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";

import { createSandbox } from "../create-sandbox.ts";
import { bareContext, codeOf, moduleFile } from "../module-world.test.helper.ts";
import { SandboxUnavailableError } from "../sandbox-errors.ts";
import { remoteDriver, remoteRunner } from "./remote-driver.ts";
import type { RemoteSandbox, RemotePlace, RemoteRequest } from "./remote-driver.ts";

/** A host of sandboxes on a port: it receives a module, and connects the caller to a process that runs it. */
async function hostOfSandboxes(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "bailiwick-remote-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const runner = fileURLToPath(await remoteRunner());
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (first) => {
      void (async () => {
        const { source, fileName } = JSON.parse(first.toString()) as RemoteRequest;
        const at = join(await mkdtemp(join(folder, "call-")), fileName);
        await writeFile(at, source);
        const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", runner, "fetch-by-host"], {
          stdio: ["ignore", "ignore", "ignore", "pipe"],
          env: {},
        });
        const channel = child.stdio[3] as unknown as Duplex;
        channel.on("error", () => undefined);
        socket.write(`${pathToFileURL(at).href}\n`);
        socket.on("close", () => child.kill("SIGKILL"));
        socket.pipe(channel).pipe(socket);
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Sandboxes of that host. */
function placeAt(port: number): RemotePlace {
  return {
    check: async ({ files }) => {
      if (files !== "none") throw new SandboxUnavailableError("remote", "it has no files of yours", "Grant none.");
    },
    async open(request): Promise<RemoteSandbox> {
      const socket = await new Promise<Socket>((resolve, reject) => {
        const made = connect(port, "127.0.0.1", () => resolve(made)).once("error", reject);
      });
      socket.on("error", () => undefined);
      socket.write(JSON.stringify(request));
      const pieces = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      const first = ((await pieces.next()).value as Buffer).toString();
      const [module = "", ...rest] = first.split("\n");
      return {
        module: new URL(module),
        send: (line) => void socket.write(line),
        frames: (async function* () {
          yield Buffer.from(rest.join("\n"));
          for (;;) {
            const { done, value } = await pieces.next();
            if (done === true) return;
            yield value;
          }
        })(),
        ended: new Promise((resolve) => socket.on("close", () => resolve({ code: null, signal: null }))),
        kill: () => void socket.destroy(),
      };
    },
  };
}

async function remotely(
  source: string,
  place: RemotePlace,
  config: object = {},
): Promise<(timeoutMs?: number) => Promise<unknown>> {
  const sandbox = createSandbox({ drivers: { remote: remoteDriver(place) } });
  const terms = {
    entry: { module: await moduleFile(source), export: "run" },
    config: { tier: "remote", timeout: 120_000, ...config },
    trustClass: "skill-untrusted",
    saidBy: "operator",
  } as const;
  const { moduleHash } = await sandbox.resolve({ ...terms, name: "t", policy: "remote" });
  return (timeoutMs = 0) =>
    sandbox.execute({
      ...terms,
      moduleHash,
      input: { a: 1 },
      signal: new AbortController().signal,
      timeoutMs,
      context: { ...bareContext, fetch: () => Promise.resolve(new Response("from here")) },
    });
}

describe("a sandbox elsewhere", () => {
  test("a call is executed remotely, and its requests to the host are answered here [sandbox.remote]", async () => {
    const place = placeAt(await hostOfSandboxes());
    const run = await remotely(
      `export const run = async (input, ctx) => ({ input, call: ctx.toolCallId, answer: await (await ctx.fetch("https://api.example.com/")).text() });`,
      place,
      { allowNetwork: ["api.example.com"] },
    );
    expect(await run()).toEqual({ input: { a: 1 }, call: "call-1", answer: "from here" });
    expect(await run()).toEqual({ input: { a: 1 }, call: "call-1", answer: "from here" });
  });

  test("the call settles, however the remote sandbox ends [sandbox.remote]", async () => {
    const place = placeAt(await hostOfSandboxes());
    const ends: Readonly<Record<string, unknown>> = {
      "return 1;": { returned: 1 },
      "process.exit(0);": "SANDBOX_ENDED",
      "for (;;);": "SANDBOX_TIMEOUT",
      "throw new Error('failed');": "TOOL_ERROR",
      "return 'x'.repeat(9000000);": "SANDBOX_OUTPUT_EXCEEDED",
    };
    for (const [body, expected] of Object.entries(ends)) {
      const run = await remotely(`export async function run() { ${body} }`, place);
      expect(await codeOf(run(body.startsWith("for") ? 2_000 : 0)), body).toEqual(expected);
    }
  });

  test("a limit that the remote sandbox cannot enforce is reported before anything has run [sandbox.remote]", async () => {
    const place = placeAt(await hostOfSandboxes());
    expect(await codeOf(remotely("export const run = () => 1;", place, { allowFS: { readOnly: ["/srv"] } }))).toBe(
      "SANDBOX_UNAVAILABLE",
    );
    const gone = await remotely("export const run = () => 1;", {
      ...place,
      open: () => Promise.reject(new Error("no room")),
    });
    expect(await codeOf(gone())).toBe("SANDBOX_SPAWN_FAILED");
    await expect(
      createSandbox().resolve({
        name: "t",
        policy: "remote",
        entry: { module: await moduleFile(""), export: "run" },
        config: { tier: "remote" },
        trustClass: "skill-untrusted",
        saidBy: "source",
      }),
    ).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
  });
});
