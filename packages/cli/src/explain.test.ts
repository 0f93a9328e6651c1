import { expect, test } from "vitest";
import { CommandFolder } from "./command.fixture.ts";

test("explain says what happened, why, and what to do about an error code, with an example", async () => {
  await using folder = new CommandFolder();
  const text = await folder.run(["explain", "run_busy"]);
  expect(text).toMatchObject({ exitCode: 0, stderr: "" });
  expect(text.stdout).toMatch(/RUN_BUSY[\s\S]*Why: [\s\S]*What to do: [\s\S]*Example:\s+import /);
  const json = await folder.run(["explain", "RUN_BUSY", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ code: "RUN_BUSY", do: expect.any(String) as string });
});

test("explain names the nearest codes for an unknown one", async () => {
  await using folder = new CommandFolder();
  expect(await folder.run(["explain", "RUN_LOST"])).toMatchObject({
    exitCode: 3,
    stdout: "",
    stderr: expect.stringMatching(/RUN_\w+ or /) as string,
  });
});

test("explain prefers the misspelt code", async () => {
  await using folder = new CommandFolder();
  for (const [written, meant] of [
    ["UNKNOWN_OPTON", "UNKNOWN_OPTION"],
    ["RUNBUSY", "RUN_BUSY"],
    ["unknown_outcom", "UNKNOWN_OUTCOME"],
  ] as const)
    expect((await folder.run(["explain", written])).stderr).toContain(`Do you mean ${meant}`);
});
