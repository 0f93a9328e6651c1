import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { grantedRights, meetRights, rightsOf } from "./rights.ts";
import type { SandboxRights, FileRight, NetworkRight } from "./rights.ts";

const names = (all: readonly string[]): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...all), { maxLength: 3 });
const paths = ["/a", "/a/b", "/c", "/data"];
const hosts = ["a.test", "b.test", "b.test:8080"];
const anyMount = fc.record({
  source: fc.constantFrom("/a", "/c"),
  target: fc.constantFrom("/x", "/y"),
  readOnly: fc.boolean(),
});

const anyRights: fc.Arbitrary<SandboxRights> = fc
  .record({
    allowNetwork: fc.oneof(fc.boolean(), names(hosts), fc.record({ hosts: names(hosts), loopback: fc.boolean() })),
    allowFS: fc.oneof(
      fc.boolean(),
      fc.record({ readOnly: names(paths), readWrite: names(paths), mounts: fc.array(anyMount, { maxLength: 3 }) }),
    ),
    env: fc.dictionary(fc.constantFrom("HOME", "TZ", "__proto__"), fc.constantFrom("", "1", "2")),
  })
  .map((asked) => rightsOf({ tier: "os", acknowledgeUnrestricted: true, ...asked }));

function isWithin(less: SandboxRights, more: SandboxRights): boolean {
  return (
    networkWithin(less.network, more.network) &&
    (!less.loopback || more.loopback) &&
    filesWithin(less.files, more.files) &&
    Object.entries(less.env).every(([name, value]) => Object.hasOwn(more.env, name) && more.env[name] === value)
  );
}

function networkWithin(less: NetworkRight, more: NetworkRight): boolean {
  if (less === "none" || more === "all") return true;
  return less !== "all" && more !== "none" && less.every((host) => more.includes(host));
}

function filesWithin(less: FileRight, more: FileRight): boolean {
  if (less === "none" || more === "all") return true;
  if (less === "all" || more === "none") return false;
  const read = [...more.readOnly, ...more.readWrite];
  return (
    less.mounts.every((mount) =>
      more.mounts.some(
        ({ source, target, readOnly }) =>
          source === mount.source && target === mount.target && (mount.readOnly || !readOnly),
      ),
    ) &&
    less.readWrite.every((path) => more.readWrite.includes(path)) &&
    less.readOnly.every((path) => read.includes(path))
  );
}

describe("the meet of rights [sandbox.rights-meet]", () => {
  test("is within both, and contains everything that is within both", () => {
    fc.assert(
      fc.property(anyRights, anyRights, anyRights, (left, right, third) => {
        const met = meetRights(left, right);
        expect(isWithin(met, left) && isWithin(met, right)).toBe(true);
        if (isWithin(third, left) && isWithin(third, right)) expect(isWithin(third, met)).toBe(true);
      }),
    );
  });

  test("does not depend on order, and is idempotent", () => {
    fc.assert(
      fc.property(anyRights, anyRights, anyRights, (left, right, third) => {
        expect(meetRights(left, right)).toEqual(meetRights(right, left));
        expect(meetRights(meetRights(left, right), third)).toEqual(meetRights(left, meetRights(right, third)));
        expect(meetRights(left, left)).toEqual(left);
      }),
    );
  });
});

describe("grants of a trust class [sandbox.rights-meet]", () => {
  const asked = {
    tier: "os",
    allowNetwork: ["api.test"],
    allowFS: { readOnly: ["/data"] },
    env: { A: "1" },
  } as const;
  const everything = { tier: "os", allowNetwork: true, allowFS: true, acknowledgeUnrestricted: true } as const;
  const nothing = { network: "none", loopback: false, files: "none", env: {} };

  test("untrusted code cannot grant itself rights, and the user is shown each right", () => {
    for (const trustClass of ["skill-untrusted", "mcp-derived", "web-search"] as const) {
      const { rights, notes } = grantedRights(asked, trustClass, "tool");
      expect(rights).toEqual(nothing);
      expect(notes.map((note) => /asks for (\w+)/u.exec(note)?.[1])).toEqual(["network", "files", "env"]);
    }
  });

  test("a server gets only the rights granted by its operator", () => {
    expect(grantedRights(asked, "skill-untrusted", "operator")).toEqual({ rights: rightsOf(asked), notes: [] });
    const { rights, notes } = grantedRights(everything, "skill-untrusted", "operator");
    expect(rights).toEqual(nothing);
    expect(notes).toHaveLength(3);
  });

  test("a trusted skill may grant itself named rights; its operator and first-party code may grant all", () => {
    expect(grantedRights(asked, "skill-trusted", "tool").rights).toEqual(rightsOf(asked));
    expect(grantedRights(everything, "skill-trusted", "tool").rights).toEqual(nothing);
    expect(grantedRights(everything, "skill-trusted", "operator").rights).toEqual(rightsOf(everything));
    expect(grantedRights(everything, "first-party-user-defined", "tool").rights).toEqual(rightsOf(everything));
  });

  test("granted rights are always within the requested ones", () => {
    const classes = ["first-party-built-in", "skill-trusted", "skill-untrusted", "mcp-derived", "web-search"] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(asked, everything),
        fc.constantFrom(...classes),
        fc.constantFrom("tool", "operator", "agent", "source"),
        (config, trustClass, saidBy) => {
          expect(isWithin(grantedRights(config, trustClass, saidBy).rights, rightsOf(config))).toBe(true);
        },
      ),
    );
  });
});
