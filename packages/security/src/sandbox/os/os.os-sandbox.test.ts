import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";

import { createSandbox } from "../create-sandbox.ts";
import { codeOf, moduleFile, registered } from "../module-world.test.helper.ts";
import type { RegisteredModule } from "../module-world.test.helper.ts";

const timeout = 120_000;

const inOs = (source: string, config: object = {}): Promise<RegisteredModule> =>
  registered(source, { tier: "os", timeout, ...config });

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "bailiwick-granted-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

const errorCodes = `
  import * as fs from "node:fs";
  const tried = (what) => { try { what(); return "done"; } catch (error) { return error.code; } };
`;

describe("rights of code in the sandbox", () => {
  test("code runs as user 65534, without capabilities, in its own namespaces, with a minimal file tree [sandbox.os]", async () => {
    const tool = await inOs(`${errorCodes}
      import { hostname } from "node:os";
      export const run = (input, ctx) => {
        const status = fs.readFileSync("/proc/self/status", "utf8");
        const line = (name) => new RegExp(name + ":\\\\s+(.*)").exec(status)[1];
        fs.writeFileSync("/tmp/note", "kept");
        return {
          input, call: ctx.toolCallId, uid: process.getuid(), gid: process.getgid(), host: hostname(),
          capabilities: [line("CapEff"), line("CapPrm"), line("CapBnd")], noNewPrivileges: line("NoNewPrivs"), filter: line("Seccomp"),
          environment: process.env, arguments: process.execArgv.length > 0,
          etc: tried(() => fs.readdirSync("/etc")), home: tried(() => fs.readdirSync("/home")), root: tried(() => fs.readdirSync("/root")),
          writes: [tried(() => fs.mkdirSync("/made")), tried(() => fs.writeFileSync("/dev/made", "")), tried(() => fs.writeFileSync(new URL("made", import.meta.url), ""))],
          note: fs.readFileSync("/tmp/note", "utf8"),
          processes: fs.readdirSync("/proc").filter((name) => Number(name) > 0).length < 5,
          interfaces: fs.readFileSync("/proc/net/dev", "utf8").split("\\n").slice(2).map((text) => text.trim().split(":")[0]).filter(Boolean),
        };
      };`);
    expect(await tool.run({ a: 1 })).toEqual({
      input: { a: 1 },
      call: "call-1",
      uid: 65534,
      gid: 65534,
      host: "sandbox",
      capabilities: ["0000000000000000", "0000000000000000", "0000000000000000"],
      noNewPrivileges: "1",
      filter: "2",
      environment: {},
      arguments: true,
      etc: "ENOENT",
      home: "ENOENT",
      root: "ENOENT",
      writes: ["EROFS", "EROFS", "EROFS"],
      note: "kept",
      processes: true,
      interfaces: ["lo"],
    });
  });

  test("code gets only the granted environment variables [sandbox.os]", async () => {
    const tool = await inOs(`export const run = () => process.env;`, { env: { A: "1", EMPTY: "", TEXT: "a b\n$c" } });
    expect(await tool.run()).toEqual({ A: "1", EMPTY: "", TEXT: "a b\n$c" });
  });

  test("imports resolve from the module's folder, which is mounted read-only with its node_modules [sandbox.module-entry]", async () => {
    const module = await moduleFile(
      `import { twice } from "doubler"; import { one } from "./one.mjs"; export const run = () => twice(one);`,
    );
    const beside = dirname(fileURLToPath(module));
    await mkdir(join(beside, "node_modules", "doubler"), { recursive: true });
    await writeFile(
      join(beside, "node_modules", "doubler", "package.json"),
      `{"name":"doubler","type":"module","exports":"./i.js"}`,
    );
    await writeFile(join(beside, "node_modules", "doubler", "i.js"), `export const twice = (x) => 2 * x;`);
    await writeFile(join(beside, "one.mjs"), `export const one = 21;`);
    const sandbox = createSandbox();
    const terms = {
      entry: { module, export: "run" },
      config: { tier: "os", timeout },
      trustClass: "skill-untrusted",
      saidBy: "source",
    } as const;
    const { moduleHash } = await sandbox.resolve({ ...terms, name: "t", policy: "os" });
    const context = {
      toolCallId: "c",
      toolName: "t",
      runId: "r",
      step: 1,
      attempt: 1,
      metadata: {},
      log: () => undefined,
      reportProgress: () => undefined,
      fetch,
      secretHeader: () => Promise.reject(new Error("none")),
    };
    const call = { ...terms, moduleHash, input: {}, context, signal: new AbortController().signal, timeoutMs: 0 };
    expect(await sandbox.execute(call)).toBe(42);
  });

  test("a changed file is not run [sandbox.module-entry.hashed]", async () => {
    const tool = await inOs(`export const run = () => "first";`);
    expect(await tool.run()).toBe("first");
    await tool.rewrite(`export const run = () => "second";`);
    expect(await codeOf(tool.run())).toBe("SANDBOX_MODULE_CHANGED");
  });

  test("a sandbox that fills its /tmp with empty files is killed, one that creates a few is not [sandbox.os.files]", async () => {
    const tool = await inOs(`${errorCodes}
      export const run = ({ files }) => {
        for (let index = 0; index < files; index += 1) fs.closeSync(fs.openSync("/tmp/" + index, "w"));
        // Waits inside the call, so that only the bound can end it before its time is over.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, files > 16_384 ? 60_000 : 0);
        return files;
      };`);
    expect(await tool.run({ files: 8_000 })).toBe(8_000);
    expect(await codeOf(tool.run({ files: 40_000 }))).toBe("SANDBOX_ENDED");
  });

  test("no system call that reaches outside is allowed [sandbox.os]", async () => {
    const outside = join(await folder(), "socket");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(outside, resolve));
    onTestFinished(() => void server.close());
    const tool = await inOs(
      `
      import net from "node:net"; import dgram from "node:dgram"; import cp from "node:child_process";
      const said = (emitter) => new Promise((resolve) => emitter.on("error", (error) => resolve(error.code)).on("connect", () => resolve("connected")).on("listening", () => resolve("listening")));
      export const run = async ({ path }) => ({
        tcp: await said(net.connect(80, "127.0.0.1")), unix: await said(net.connect(path)),
        listen: await said(net.createServer().listen(0)), udp: await said(dgram.createSocket("udp4").bind(0)),
        child: cp.spawnSync(process.execPath, ["-e", "0"]).error?.code,
      });`,
      { allowFS: { readWrite: [dirname(outside)] } },
    );
    expect(await tool.run({ path: outside })).toEqual({
      tcp: "EPERM",
      unix: "EPERM",
      listen: "EPERM",
      udp: "EPERM",
      child: "EPERM",
    });
  });
});

describe("granted folders", () => {
  test("readable paths can be read, writable paths can be written, and all others are inaccessible [sandbox.config]", async () => {
    const root = await folder();
    for (const name of ["read", "write", "other"]) await mkdir(join(root, name));
    for (const name of ["read", "write", "other"]) await writeFile(join(root, name, "file"), name);
    const tool = await inOs(
      `${errorCodes}
      export const run = ({ root }) => ["read", "write", "other"].map((name) => [
        tried(() => fs.readFileSync(root + "/" + name + "/file")), tried(() => fs.writeFileSync(root + "/" + name + "/new", "new"))]);`,
      { allowFS: { readOnly: [join(root, "read")], readWrite: [join(root, "write")] } },
    );
    expect(await tool.run({ root })).toEqual([
      ["done", "EROFS"],
      ["done", "done"],
      ["ENOENT", "ENOENT"],
    ]);
    expect(await readFile(join(root, "write", "new"), "utf8")).toBe("new");
  });

  test("a link out of a granted folder cannot be followed, a link inside works [field-bug:PB-sandbox-01]", async () => {
    const [workspace, outside] = [await folder(), await folder()];
    await writeFile(join(outside, "secret"), "secret");
    await mkdir(join(workspace, "real"));
    await writeFile(join(workspace, "real", "file"), "inside");
    await symlink(outside, join(workspace, "escape"));
    await symlink("real", join(workspace, "alias"));
    const tool = await inOs(
      `${errorCodes}
      export const run = ({ workspace }) => ({
        write: tried(() => fs.writeFileSync(workspace + "/escape/evil", "evil")), read: tried(() => fs.readFileSync(workspace + "/escape/secret")),
        list: tried(() => fs.readdirSync(workspace + "/escape")), inside: fs.readFileSync(workspace + "/alias/file", "utf8"),
      });`,
      { allowFS: { readWrite: [workspace] } },
    );
    expect(await tool.run({ workspace })).toEqual({
      write: "ENOENT",
      read: "ENOENT",
      list: "ENOENT",
      inside: "inside",
    });
    await expect(readFile(join(outside, "evil"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("parent segments and folders with the same prefix are not granted [field-bug:PB-sandbox-03]", async () => {
    const root = await folder();
    for (const name of ["ws", "ws-evil"]) await mkdir(join(root, name));
    await writeFile(join(root, "ws-evil", "f"), "evil");
    await writeFile(join(root, "x"), "x");
    const ws = join(root, "ws");
    const tool = await inOs(
      `${errorCodes}
      export const run = ({ paths }) => paths.map((path) => tried(() => fs.readFileSync(path)));`,
      { allowFS: { readWrite: [ws] } },
    );
    const paths = [
      `${ws}/../../../etc/passwd`,
      `${ws}/../ws-evil/f`,
      `${ws}-evil/f`,
      `${ws}/./../x`,
      `${ws}/%2e%2e/x`,
      "/etc/passwd",
    ];
    expect(await tool.run({ paths })).toEqual(paths.map(() => "ENOENT"));
    const through = await inOs(`${errorCodes} export const run = ({ root }) => fs.readdirSync(root).toSorted();`, {
      allowFS: { readOnly: [`${ws}/../ws`] },
    });
    expect(await through.run({ root })).toEqual(["ws"]);
  });

  test("files are read by their real paths, through links to files and to folders [field-bug:PB-sandbox-04]", async () => {
    const [workspace, outside] = [await folder(), await folder()];
    await writeFile(join(outside, "secret"), "secret");
    await symlink(join(outside, "secret"), join(workspace, "file-link"));
    await symlink(outside, join(workspace, "folder-link"));
    const tool = await inOs(
      `${errorCodes}
      export const run = ({ workspace }) => [tried(() => fs.readFileSync(workspace + "/file-link")), tried(() => fs.readFileSync(workspace + "/folder-link/secret"))];`,
      { allowFS: { readOnly: [workspace] } },
    );
    expect(await tool.run({ workspace })).toEqual(["ENOENT", "ENOENT"]);
  });

  test("a granted link gives access to its target only [field-bug:PB-sandbox-04]", async () => {
    const root = await folder();
    for (const name of ["first", "second"]) {
      await mkdir(join(root, name));
      await writeFile(join(root, name, "file"), name);
    }
    await symlink("first", join(root, "granted"));
    const tool = await inOs(
      `import { readFileSync } from "node:fs"; export const run = ({ path }) => readFileSync(path, "utf8");`,
      {
        allowFS: { readOnly: [join(root, "granted")] },
      },
    );
    expect(await tool.run({ path: join(root, "granted", "file") })).toBe("first");
    expect(await tool.run({ path: join(root, "first", "file") })).toBe("first");
    await symlink("second", join(root, "next"));
    await rename(join(root, "next"), join(root, "granted"));
    await expect(
      inOs("export const run = () => 1;", { allowFS: { readOnly: [join(root, "granted")] } }),
    ).rejects.toThrow(/led to ".*first" and now leads to ".*second"/u);
  });

  test("a grant that cannot be mounted as named is refused when the tool is registered [sandbox.unavailable]", async () => {
    const refused = async (path: string): Promise<unknown> =>
      inOs(`export const run = () => 1;`, { allowFS: { readOnly: [path] } }).then(
        () => "registered",
        (error: Error) => error.message,
      );
    expect(await refused("relative/folder")).toMatch(/not an absolute path/u);
    expect(await refused("/no/such/folder")).toMatch(/ENOENT/u);
    expect(await refused("/")).toMatch(/whole machine/u);
    for (const path of ["/proc", "/proc/self/root", "/sys/kernel", "/dev", "/dev/null"])
      expect(await refused(path), path).toMatch(/kernel|whole machine/u);
    const hosts = inOs(`export const run = () => 1;`, { allowNetwork: ["https://api.example.com/"] });
    expect(await codeOf(hosts)).toBe("SANDBOX_UNAVAILABLE");
  });

  test("the whole file tree is mounted only if explicitly granted, and the sandbox still isolates [sandbox.config]", async () => {
    const outside = await folder();
    await writeFile(join(outside, "file"), "outside");
    const tool = await inOs(
      `import { readFileSync } from "node:fs"; import net from "node:net";
      export const run = async ({ path }) => [readFileSync(path, "utf8"), await new Promise((resolve) => net.connect(1, "127.0.0.1").on("error", (error) => resolve(error.code)))];`,
      { allowFS: true, acknowledgeUnrestricted: true },
    );
    expect(await tool.run({ path: join(outside, "file") })).toEqual(["outside", "EPERM"]);
  });
});
