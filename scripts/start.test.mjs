// The first command of a newcomer.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

test("`npm start` opens the sample app with no key: the page loads, and the demo model handles a mail [feature:X112]", async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [node, ...command] = scripts.start.split(" ");
  expect(node).toBe("node");
  const data = mkdtempSync(join(tmpdir(), "start-"));
  const keys = /_API_KEY$|^BAILIWICK_(?!NODE)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !keys.test(name)));
  const child = spawn(process.execPath, command, {
    cwd: root,
    // The dependencies are installed, or this test would not run.
    env: {
      ...env,
      BAILIWICK_NODE: join(root, "node_modules/node/bin/node"),
      PORT: "0",
      DESK_DATA: data,
      DESK_DEMO_PACE: "1",
    },
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  try {
    let printed = "";
    const line = await new Promise((resolve, reject) => {
      const read = (/** @type {Buffer} */ chunk) => {
        printed += chunk.toString();
        const found = /open at (http:\S+) \((.*)\)/.exec(printed);
        if (found !== null) resolve(found);
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      void closed.then(() => reject(new Error(`It ended before it was open: ${printed}`)));
    });
    const [, url, model] = line;
    expect(model).toBe("Embedded demo model");
    const page = await fetch(url);
    expect([page.status, (await page.text()).includes("<script")]).toEqual([200, true]);
    const answer = await fetch(`${url}/api/chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ mailId: "m-001", text: "Handle mail m-001." }),
    });
    const stream = await answer.text();
    expect(stream).toContain("tool-output-available");
    expect(stream).toContain('"finish"');
  } finally {
    child.kill("SIGTERM");
    await closed;
    rmSync(data, { recursive: true, force: true });
  }
});
