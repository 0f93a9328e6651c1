import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the page of models matches the records, and each record names its page [providers.openai-chat.compat.table]", () => {
  const script = fileURLToPath(new URL("models-page.mjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, ["--conditions=@bailiwick/source", script, "--check"], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
