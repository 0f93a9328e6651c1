import { expect, test } from "vitest";
import { call, coderOf, openProject, resultsOf } from "./project.test.helper.ts";

const files = { "package.json": "{}", "package-lock.json": "{}", "src/secret.js": "source", "sub/package.json": "{}" };

test("setup sees manifests alone, and what it makes is mounted read-only [workspace.setup]", async () => {
  const { ws } = await openProject(files, {
    setup:
      "find . -type f | sort > /tmp/seen; mkdir -p node_modules/x sub/node_modules; cp /tmp/seen node_modules/x/seen; echo y > sub/node_modules/y",
  });
  const { coder } = coderOf(ws, [
    call("bash", { command: "cat node_modules/x/seen sub/node_modules/y; echo evil > node_modules/evil" }),
    "Done.",
  ]);
  const [result] = resultsOf(await coder.run("Go."));
  expect(result).toContain("./package-lock.json\n./package.json\n./sub/package.json\ny\n");
  expect(result).toContain("Read-only file system");
});

test("a setup that fails shows its last lines, and the run continues [workspace.setup]", async () => {
  const { ws } = await openProject(files, { setup: "echo no registry; exit 7" });
  const { coder } = coderOf(ws, [call("bash", { command: "ls" }), "Done."]);
  const [result] = resultsOf(await coder.run("Go."));
  expect(result).toContain("WORKSPACE_SETUP_FAILED: setup ended with code 7:\nno registry");
});
