import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

interface Service {
  readonly command?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly replicas: number };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const docs = fileURLToPath(new URL("../../../../docs/", import.meta.url));
const page = readFileSync(join(docs, "guides/production.md"), "utf8");
const compose = parse(/```yaml\n# compose\.yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "") as Compose;
const program = /```ts\n\/\/ src\/main\.ts\n([\s\S]*?)```/.exec(page)?.[1] ?? "";

test("the compose file of the production guide is complete: every name it uses is defined", () => {
  expect(Object.keys(compose.services)).toEqual(["database", "web", "worker"]);
  for (const [name, service] of Object.entries(compose.services)) {
    for (const secret of service.secrets ?? []) expect(Object.keys(compose.secrets), name).toContain(secret);
    for (const volume of service.volumes ?? [])
      expect(Object.keys(compose.volumes), name).toContain(volume.split(":")[0]);
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(condition).toBe("service_healthy");
      expect(compose.services[needed]?.healthcheck?.test.length, needed).toBeGreaterThan(1);
    }
    // The server is not reachable from other machines.
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
  // The worker's `drainMs` is 20 seconds.
  expect(Number.parseInt(compose.services["worker"]?.stop_grace_period ?? "", 10)).toBeGreaterThan(20);
});

test("the services of the compose file, as plain processes, claim a run, drive it, and stop on SIGTERM", async () => {
  const cache = join(docs, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "compose-"));
  const place = temporarySchema();
  const children: ChildProcess[] = [];
  const model = await modelServer(() => "Sorted.");
  let printed = "";
  try {
    writeFileSync(join(folder, "database-password"), "none\n");
    const settings = {
      DATABASE_PASSWORD_FILE: join(folder, "database-password"),
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: model.baseURL("openai"),
    };
    const known = { ...settings, DATABASE_URL: testUrl };
    for (const name of ["web", "worker"])
      expect(Object.keys(known)).toEqual(
        expect.arrayContaining(Object.keys(compose.services[name]?.environment ?? { none: "" })),
      );

    /** Starts a service: what a container isolates is made different here, its port and its schema. */
    const start = async (name: string, port: string, number: number) => {
      const free = await freePort();
      const own = join(folder, `${name}-${number}`);
      mkdirSync(join(own, "dist"), { recursive: true });
      writeFileSync(join(own, "package.json"), `{ "type": "module" }`);
      const source = stripTypeScriptTypes(program)
        .replace(`.listen(${port})`, `.listen(${free}, "127.0.0.1")`)
        .replace("postgresStore({ ", `postgresStore({ schema: "${place.schema}", `);
      writeFileSync(join(own, "dist/main.js"), source);
      const [command = "", ...args] = (compose.services[name]?.command ?? "").split(" ");
      expect(command).toBe("node");
      const child = spawn(process.execPath, ["--conditions=@bailiwick/source", "--no-warnings", ...args], {
        cwd: own,
        env: { PATH: process.env["PATH"], ...known },
        stdio: ["ignore", "ignore", "pipe"],
      });
      children.push(child);
      child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
      const [, ...check] = (compose.services[name]?.healthcheck?.test ?? []).map((word) =>
        word.replace(port, String(free)),
      );
      /** Exit code of the health check. */
      const health = () =>
        new Promise<number>((resolve) => {
          const [, ...words] = check;
          execFile(process.execPath, words, (error) => resolve(error === null ? 0 : Number(error.code)));
        });
      return { child, url: `http://127.0.0.1:${free}/`, health };
    };

    const web = await start("web", "8080", 0);
    const replicas = compose.services["worker"]?.deploy?.replicas ?? 0;
    expect(replicas).toBe(2);
    const workers = await Promise.all([0, 1].map((number) => start("worker", "8081", number)));
    for (const { health } of workers) await expect.poll(async () => [await health(), printed]).toEqual([0, ""]);

    const ask = async (input: string, init?: RequestInit): Promise<string> => (await fetch(input, init)).text();
    await expect
      .poll(() =>
        fetch(web.url).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const run = await ask(web.url, { method: "POST", body: "Sort the mail." });
    await expect.poll(() => ask(`${web.url}${run}`)).toBe("completed");

    for (const { child, health } of workers) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const [code, signal] = (await ended) as [number | null, string | null];
      // The worker sends the signal to itself again after the drain; the first process of a container ignores that and ends.
      expect(code ?? signal).toBe(code === null ? "SIGTERM" : 0);
      expect(await health()).not.toBe(0);
    }
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await model.close();
    await place[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
