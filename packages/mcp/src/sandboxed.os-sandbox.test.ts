import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { agentWith } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const program = fileURLToPath(new URL("./sandboxed-server.fixture.ts", import.meta.url));

test("a server's program runs in the agent's OS sandbox with only the granted rights [mcp.stdio-in-os]", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bailiwick-mcp-"));
  process.env["BAILIWICK_MCP_SECRET"] = "s3cret";
  try {
    const granted = join(folder, "granted.txt");
    const secret = join(folder, "secret.txt");
    await writeFile(granted, "for you");
    await writeFile(secret, "not for you");
    await using outside = await loopback(() => new Response("reached"));
    await using sandboxed = mcp({
      name: "sandboxed",
      command: process.execPath,
      args: [program],
      env: { GIVEN: "yes" },
      sandbox: { tier: "os", allowFS: { readOnly: [root, granted] } },
      tools: { look: { sideEffectClass: "read-only" } },
      connectTimeoutMs: 120_000,
    });
    const look = { toolCalls: [{ name: "look", arguments: { granted, secret, url: outside.url } }] };
    const { toolCalls } = await agentWith([sandboxed], [look, "Done."], { flow: "off" }).agent.run("go");
    expect(toolCalls[0]?.error).toBeUndefined();
    const found = JSON.parse(String(toolCalls[0]?.output)) as Record<string, unknown>;
    expect(found).toMatchObject({
      granted: "for you",
      secret: "ENOENT",
      write: "EROFS",
      environment: [],
      given: "yes",
    });
    expect(found["network"]).not.toBe("200");
    expect(outside.requests).toEqual([]);
  } finally {
    delete process.env["BAILIWICK_MCP_SECRET"];
    await rm(folder, { recursive: true, force: true });
  }
});

test("the error for a program that ends in its sandbox names the reason [mcp.stdio-in-os]", async () => {
  const args = ["-e", `console.error("no token"); process.exit(3)`];
  await using ends = mcp({ name: "ends", command: process.execPath, args, connectTimeoutMs: 120_000 });
  await expect(ends.connect()).rejects.toMatchObject({
    code: "MCP_SERVER_ENDED",
    exitCode: 3,
    lastWords: "no token",
  });
});

test("a program that may not read its own files fails with the path and the option that grants it [mcp.stdio-in-os]", async () => {
  for (const granted of [[], ["/usr/share"]]) {
    await using sandboxed = mcp({
      name: "sandboxed",
      command: process.execPath,
      args: [program],
      protocol: "legacy",
      ...(granted.length > 0 && { sandbox: { tier: "os", allowFS: { readOnly: granted } } }),
      connectTimeoutMs: 120_000,
    });
    const failure: unknown = await sandboxed.connect().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "MCP_SERVER_ENDED" });
    const { message } = failure as Error;
    expect(message).toContain(`Its sandbox may not read ${JSON.stringify(program)}`);
    expect(message).toContain('sandbox: { tier: "os", allowFS: { readOnly: [');
    expect(message).toContain(JSON.stringify(dirname(program)));
    expect(message).toMatch(/Cannot find module/u);
    expect(message).not.toMatch(/ at \S+ \(/u);
  }
});
