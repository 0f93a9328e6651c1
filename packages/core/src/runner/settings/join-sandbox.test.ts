import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { SandboxConfig, TierlessSandboxConfig } from "../../contracts/sandbox-config.ts";
import { isHosts } from "../../registry/sandbox-of.ts";
import { joinSandbox, joinSandboxInside, stricterSandbox } from "./join-sandbox.ts";

type Sandbox = SandboxConfig | TierlessSandboxConfig;

const limit = fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined });
const limits = fc.record({ timeout: limit, maxMemoryMB: limit });
const names = fc.subarray(["a.test", "b.test", "c.test"]);
const hosts = fc.oneof(
  fc.constant(false),
  names,
  fc.record({ hosts: names, loopback: fc.boolean() }),
  fc.constant(true),
);
const paths = fc.subarray(["/data", "/data/in", "/data/in/deep", "/database", "/data/../etc"]);
const mount = fc.record({
  source: fc.constantFrom("/data", "/in"),
  target: fc.constantFrom("/x", "/y"),
  readOnly: fc.boolean(),
});
const mounts = fc.uniqueArray(mount, { maxLength: 2, selector: ({ source, target }) => source + target });
const files = fc.oneof(fc.constant(false), fc.record({ readOnly: paths, readWrite: paths, mounts }), fc.constant(true));
const isolated = fc
  .tuple(limits, fc.constantFrom(undefined, "os" as const, "remote" as const), hosts, files)
  .map(([more, tier, allowNetwork, allowFS]) => ({
    ...more,
    tier,
    allowNetwork,
    allowFS,
    acknowledgeUnrestricted: true,
  }));
const anySandbox: fc.Arbitrary<Sandbox> = fc.oneof(
  limits.map((more) => ({ ...more, tier: "none" as const })),
  limits.map((more) => ({ ...more, tier: "wasm" as const })),
  limits.map((more) => ({ ...more, tier: "process" as const, allowNetwork: true as const, allowFS: true as const })),
  isolated as unknown as fc.Arbitrary<Sandbox>,
);

const strengths = { none: 0, process: 1, os: 2, wasm: 2, remote: 3 };
const strength = ({ tier = "os" }: Sandbox): number => strengths[tier];

/** Tells if code in a sandbox can reach a host, read a file or write one. */
function reaches(
  sandbox: Sandbox,
  what: "network" | "loopback" | "readOnly" | "readWrite" | "mount" | "writable mount",
  one: string,
): boolean {
  if (sandbox.tier === "none" || sandbox.tier === "process") return true;
  if (sandbox.tier === "wasm") return false;
  const { allowNetwork = false, allowFS = false } = sandbox;
  if (what === "network" || what === "loopback") {
    if (typeof allowNetwork === "boolean") return allowNetwork;
    const asked = isHosts(allowNetwork) ? { hosts: allowNetwork } : allowNetwork;
    return what === "network" ? asked.hosts?.includes(one) === true : asked.loopback === true;
  }
  if (what === "mount" || what === "writable mount") {
    if (typeof allowFS === "boolean") return allowFS;
    const [source, target] = one.split(":");
    return (allowFS.mounts ?? []).some(
      (mount) => mount.source === source && mount.target === target && (what === "mount" || mount.readOnly !== true),
    );
  }
  if (typeof allowFS === "boolean") return allowFS;
  const roots = [...(allowFS.readWrite ?? []), ...(what === "readOnly" ? (allowFS.readOnly ?? []) : [])];
  const real = (path: string): string => new URL(path, "file:///").pathname;
  return roots.some((root) => `${real(one)}/`.startsWith(`${real(root)}/`));
}

test("the join of two sandboxes is at least as strict as each: tier, limits and rights [sandbox.inside]", () => {
  fc.assert(
    fc.property(anySandbox, anySandbox, (demanded, wanted) => {
      const warned: string[] = [];
      const both = stricterSandbox(demanded, wanted, (option) => void warned.push(option));
      expect(strength(both)).toBe(Math.max(strength(demanded), strength(wanted)));
      for (const name of ["timeout", "maxMemoryMB"] as const) {
        const given = [demanded[name], wanted[name]].filter((one) => one !== undefined);
        expect(both[name]).toBe(given.length === 0 ? undefined : Math.min(...given));
      }
      for (const one of ["a.test", "b.test", "c.test", "d.test"])
        if (reaches(both, "network", one))
          expect([reaches(demanded, "network", one), reaches(wanted, "network", one)]).toEqual([true, true]);
      if (reaches(both, "loopback", ""))
        expect([reaches(demanded, "loopback", ""), reaches(wanted, "loopback", "")]).toEqual([true, true]);
      for (const what of ["mount", "writable mount"] as const)
        for (const one of ["/data:/x", "/data:/y", "/in:/x", "/in:/y"])
          if (reaches(both, what, one))
            expect([reaches(demanded, what, one), reaches(wanted, what, one)]).toEqual([true, true]);
      for (const what of ["readOnly", "readWrite"] as const)
        for (const one of ["/data", "/data/in/deep/x", "/data/in", "/database", "/etc", "/home"])
          if (reaches(both, what, one))
            expect([reaches(demanded, what, one), reaches(wanted, what, one)]).toEqual([true, true]);
      if (strength(wanted) < strength(demanded)) expect(warned).toContain("sandbox.tier");
      // An inner sandbox that is equally strict is unchanged, without a warning.
      const again: string[] = [];
      expect(stricterSandbox(demanded, both, (option) => void again.push(option))).toEqual(both);
      expect(again).toEqual([]);
    }),
  );
});

test("rights belong to one agent: an inner agent without a default has none [sandbox.inside]", () => {
  const outer = { tier: "os", allowNetwork: ["a.test"], env: { A: "1" }, timeout: 5 } as const;
  const never = { weaker: () => expect.unreachable() };
  expect(joinSandboxInside(undefined, outer, never)).toEqual({ tier: "os", timeout: 5 });
  expect(joinSandboxInside({ tier: "os", env: { B: "2" } }, outer, never)).toEqual({
    tier: "os",
    env: { B: "2" },
    timeout: 5,
  });
  expect(joinSandboxInside(outer, undefined, never)).toEqual(outer);
});

test("a run cannot grant rights to untrusted code that its agent does not grant [sandbox.inside]", () => {
  const refused: string[] = [];
  const weaker = (option: string): void => void refused.push(option);
  joinSandbox(undefined, { tier: "os", allowNetwork: ["a.test"], allowFS: { readOnly: ["/data"] } }, weaker);
  joinSandbox({ tier: "os", allowNetwork: ["a.test"] }, { tier: "os", allowNetwork: ["b.test"] }, weaker);
  expect(refused).toEqual(["sandbox.allowNetwork", "sandbox.allowFS", "sandbox.allowNetwork"]);
  expect(joinSandbox({ tier: "os" }, { tier: "wasm" }, weaker)).toEqual({ tier: "wasm" });
});
