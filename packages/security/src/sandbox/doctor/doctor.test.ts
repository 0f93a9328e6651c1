import { sandboxedTool, tool } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";

import { SandboxSpawnFailedError, SandboxUnavailableError } from "../sandbox-errors.ts";
import type { SandboxDriver } from "../driver.ts";
import { doctor } from "./doctor.ts";

const patience = { timeout: 600_000 };
const input = z.object({});
const described = { description: "d", inputSchema: input };

test(
  "none of 25 classes of escapes reaches the host from wasm [proof.escapes] [sandbox.doctor]",
  patience,
  async () => {
    const { tiers, text } = await doctor({ tiers: ["wasm"] });
    expect(
      tiers[0]?.probes.filter(({ held }) => !held),
      text,
    ).toEqual([]);
    expect(tiers[0]?.probes).toHaveLength(25);
  },
);

test("an unavailable tier is listed with its reason and its fix [sandbox.doctor]", patience, async () => {
  const driver: SandboxDriver = {
    tier: "remote",
    check: () => Promise.reject(new SandboxUnavailableError("remote", "no server answers", "Start one.")),
    register: () => Promise.resolve({ moduleHash: "" }),
    run: () => Promise.resolve(undefined),
  };
  const { tiers, text } = await doctor({ tiers: ["remote"], sandbox: { drivers: { remote: driver } } });
  expect(tiers).toEqual([
    { tier: "remote", available: false, reason: "no server answers", fix: "Start one.", probes: [] },
  ]);
  expect(text).toContain("remote: not available, no server answers.\n  Start one.");
});

test(
  "a tier that does not start is reported, and the other tiers are measured [sandbox.doctor]",
  patience,
  async () => {
    const driver: SandboxDriver = {
      tier: "remote",
      check: () => Promise.resolve(),
      register: () => Promise.resolve({ moduleHash: "" }),
      run: () => Promise.reject(new SandboxSpawnFailedError("remote", "it ended with code 137")),
    };
    const { tiers } = await doctor({ tiers: ["remote", "wasm"], sandbox: { drivers: { remote: driver } } });
    expect(tiers).toMatchObject([
      { tier: "remote", available: false, reason: "it could not be started: it ended with code 137" },
      { tier: "wasm", available: true },
    ]);
  },
);

test("a sandbox that isolates nothing is detected [sandbox.doctor]", patience, async () => {
  // Runs the probes in this process, except for those that would end it.
  const driver: SandboxDriver = {
    tier: "remote",
    check: () => Promise.resolve(),
    register: () => Promise.resolve({ moduleHash: "" }),
    async run({ entry, input: given }) {
      if (["exit", "cpu", "heap", "offHeap", "forkBomb", "writers", "signals", "forged"].includes(entry.export))
        return "went on";
      const loaded = (await import(entry.module.href)) as Readonly<Record<string, (to: unknown) => unknown>>;
      return loaded[entry.export]?.(given);
    },
  };
  const { tiers } = await doctor({ tiers: ["remote"], sandbox: { drivers: { remote: driver } } });
  const open = tiers[0]?.probes.filter(({ held }) => !held).map(({ probe }) => probe) ?? [];
  expect(open).toEqual(
    expect.arrayContaining([
      "files",
      "environment",
      "child process",
      "TCP",
      "fetch",
      "http2",
      "dns",
      "WebSocket",
      "unix socket",
      "getBuiltinModule",
      "nested worker",
      "native addon",
      "node:sqlite",
      "WASI",
      "/proc",
      "symlinks",
      "forged results",
      "exit in mid-call",
      "CPU",
      "heap",
      "off-heap",
    ]),
  );
});

test("gaps of a configuration are reported with a fix [sandbox.doctor]", patience, async () => {
  const module = new URL("tool.js", import.meta.url);
  const { gaps, text } = await doctor({
    tiers: [],
    agent: {
      tools: [
        tool({ ...described, name: "closure", execute: () => 1 }),
        sandboxedTool({
          ...described,
          name: "wide",
          sideEffectClass: "pure",
          execute: { module, export: "run" },
          sandboxPolicy: { tier: "os", allowNetwork: true, allowFS: true, acknowledgeUnrestricted: true },
        }),
        sandboxedTool({
          ...described,
          name: "tight",
          sideEffectClass: "pure",
          execute: { module, export: "run" },
          sandboxPolicy: "wasm",
        }),
      ],
      flow: { mode: "shadow" },
      secrets: { name: "s", has: () => false, get: () => "" },
    },
  });
  expect(gaps.map(({ subject }) => subject)).toEqual([
    "closure",
    "closure",
    "wide",
    "wide",
    "flow.mode",
    "keys.sign",
    "keys.seal",
  ]);
  expect(gaps.every(({ gap, fix }) => gap !== "" && fix !== "")).toBe(true);
  expect(text).toContain("wide: It may reach every host");
  const none = await doctor({
    tiers: [],
    agent: { tools: [], flow: { mode: "enforce" }, keys: { sign: "k".repeat(32) } },
  });
  expect(none.gaps).toEqual([]);
});
