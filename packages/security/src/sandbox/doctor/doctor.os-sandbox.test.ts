import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

import { doctor } from "./doctor.ts";
import { probes } from "./probes.ts";

const patience = { timeout: 600_000 };

test("none of 25 classes of escapes reaches the host from os [proof.escapes] [sandbox.doctor]", patience, async () => {
  const { tiers, text } = await doctor({ tiers: ["os"] });
  const [tier] = tiers;
  expect(tier?.available, text).toBe(true);
  expect(tier?.probes.filter(({ held }) => !held)).toEqual([]);
  expect(tier?.probes.map(({ probe }) => probe)).toEqual(probes.map(({ name }) => name));
  expect(tier?.probes).toHaveLength(25);
  // Programs, such as the commands of a workspace, may start others.
  expect(tier?.programs?.filter(({ held }) => !held)).toEqual([]);
  expect(tier?.programs).toHaveLength(22);
});

test(
  "the doctor reports what a tier does not enforce: process restricts neither files nor network [sandbox.doctor]",
  patience,
  async () => {
    const { tiers, text } = await doctor({ tiers: ["process"] });
    const open = tiers[0]?.probes.filter(({ held }) => !held) ?? [];
    const names = open.map(({ probe }) => probe);
    expect(names).toEqual(
      expect.arrayContaining([
        "files",
        "TCP",
        "fetch",
        "http2",
        "dns",
        "WebSocket",
        "unix socket",
        "getBuiltinModule",
        "node:sqlite",
        "signals",
        "symlinks",
      ]),
    );
    for (const held of [
      "child process",
      "nested worker",
      "native addon",
      "forged results",
      "exit in mid-call",
      "CPU",
      "heap",
      "off-heap",
      "fork bombs",
    ])
      expect(names, held).not.toContain(held);
    expect(text).toMatch(
      /process: available.*\n {2}not held: files \(it read what was kept from it; it wrote written\)/u,
    );
  },
);

test(
  "doctor() reports os in a user namespace that does not map the sandbox user, instead of throwing [sandbox.doctor.unmapped]",
  patience,
  () => {
    const fixture = fileURLToPath(new URL("measuring-host.fixture.ts", import.meta.url));
    const node = [process.execPath, "--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", fixture];
    // Maps only root: a process can neither take another user's id nor create a namespace.
    const command = `echo 0 > /proc/sys/user/max_user_namespaces && exec ${node.map((word) => `'${word}'`).join(" ")}`;
    const { stdout, stderr } = spawnSync("unshare", ["--user", "--map-root-user", "sh", "-c", command], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({ tier: "os", available: false, reason: expect.any(String) as string });
  },
);
