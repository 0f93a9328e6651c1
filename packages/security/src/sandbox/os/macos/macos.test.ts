import { expect, test } from "vitest";

import { createSandbox } from "../../create-sandbox.ts";
import { moduleFile } from "../../module-world.test.helper.ts";
import { macosProfile } from "./macos-profile.ts";

const rights = {
  node: "/opt/node",
  mounts: [
    { source: "/Users/a/tools", target: "/Users/a/tools", writable: false },
    { source: "/Users/a/out", target: "/Users/a/out", writable: true },
  ],
  temporary: "/private/tmp/sandbox",
  network: false,
};

test("a profile refuses everything except the granted names [sandbox.os.macos]", () => {
  const lines = macosProfile(rights).split("\n");
  expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  const line = (start: string): string => lines.find((text) => text.startsWith(start)) ?? "";
  expect(line("(allow file-read* ")).toContain(
    '(subpath "/Users/a/tools") (subpath "/Users/a/out") (subpath "/private/tmp/sandbox")',
  );
  expect(line("(allow file-write* ")).toBe(
    '(allow file-write* (subpath "/Users/a/out") (subpath "/private/tmp/sandbox") (literal "/dev/null"))',
  );
  expect(line("(allow process-exec ")).toBe('(allow process-exec (literal "/opt/node"))');
  expect(lines.filter((text) => text.includes("network"))).toEqual(["(deny network*)"]);
  expect(lines.some((text) => text.includes("process-fork") || text.includes("mach-lookup"))).toBe(false);
  expect(macosProfile({ ...rights, network: true })).toContain("(allow network-outbound (remote ip))");
});

test("a path cannot inject a rule into the profile [sandbox.os.macos]", () => {
  const evil = `/a") (subpath "/") (literal "\\`;
  const profile = macosProfile({ ...rights, mounts: [{ source: evil, target: evil, writable: true }] });
  expect(profile).toContain(String.raw`(subpath "/a\") (subpath \"/\") (literal \"\\")`);
});

test("an explicitly requested tier is refused if unavailable [sandbox.os.macos]", async () => {
  if (process.platform === "darwin") return;
  const sandbox = createSandbox({ experimentalMacos: true });
  const entry = { module: await moduleFile("export const run = () => 1;"), export: "run" };
  await expect(
    sandbox.resolve({
      name: "t",
      policy: "os",
      entry,
      config: { tier: "os" },
      trustClass: "skill-untrusted",
      saidBy: "source",
    }),
  ).rejects.toThrow(/experimentalMacos is on and \/usr\/bin\/sandbox-exec is not here/u);
});
