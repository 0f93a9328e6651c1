import { describe, expect, test } from "vitest";
import { z } from "zod";

import { sandboxedTool, tool } from "../index.ts";
import type { SandboxPort, Tool } from "../index.ts";
import { aRegistry, aTool, resolved, sources } from "./registry.fixture.ts";

/** A program without types. */
const loose = (changes: Record<string, unknown>): Partial<Tool> => changes;

const sandbox: Pick<SandboxPort, "resolve"> = { resolve: async () => ({ moduleHash: "m1" }) };
const entry = { module: new URL("file:///tools/run.js"), export: "run" };

describe("names and texts", () => {
  test.each(["", "a b", "x".repeat(129), "résumé", "../x"])("the name %j is refused [tool.field.name]", (name) => {
    expect(() => resolved({ name })).toThrow(/1 to 128/u);
    expect(() => resolved({ name }, sources.mcp)).toThrow(/1 to 128/u);
  });

  test.each([undefined, ""])("an error about a tool whose name is %j quotes no name", (name) => {
    expect(() => resolved(loose({ name }))).toThrow(/^A tool: name must be 1 to 128/u);
  });

  test("names of 128 letters, digits, dots, dashes and underscores are accepted [tool.field.name]", () => {
    const name = `a.B-9_${"x".repeat(122)}`;
    expect(resolved({ name }).name).toBe(name);
  });

  test.each(["", "  \n"])("the description %j is refused [tool.field.description]", (description) => {
    expect(() => resolved({ description })).toThrow(/description/u);
  });

  test("a misspelt field is refused, and the error suggests the right one [tool.unenforceable-refused]", () => {
    expect(() => resolved(loose({ needApproval: true }))).toThrow(
      /no field "needApproval" \(did you mean "needsApproval"/u,
    );
    expect(() => resolved(loose({ flow: { authorty: ["id"] } }))).toThrow(/"authorty" \(did you mean "authority"/u);
  });
});

describe("closed vocabularies", () => {
  test.each([
    ["tool.vocabulary.sandbox-policy", "sandboxPolicy", "docker"],
    ["tool.vocabulary.side-effect-class", "sideEffectClass", "writes"],
    ["tool.vocabulary.changes", "changes", "writes"],
    ["tool.vocabulary.returns", "returns", "verified"],
    ["tool.field.decides", "decides", "orderId"],
    ["tool.field.confirms", "confirms", "checkout"],
    ["tool.vocabulary.sensitivity", "sensitivity", "private"],
    ["tool.vocabulary.memory-guard-tier", "memoryGuardTier", "open"],
    ["tool.vocabulary.inbound-sanitization", "inboundSanitization", "strip"],
    ["tool.vocabulary.truncation-strategy", "truncationStrategy", "head"],
    ["tool.vocabulary.model-hint", "preferredModel", "cheap"],
    ["tool.field.execution-mode", "executionMode", "serial"],
    ["tool.field.streaming-hint", "streamingHint", false],
    ["tool.field.strict", "strict", "yes"],
    ["tool.field.tags", "tags", "billing"],
    ["tool.field.timeout-ms", "timeoutMs", -1],
    ["tool.field.max-result-tokens", "maxResultTokens", 1.5],
  ])("[%s] %s: an unknown value throws", (_id, field, value) => {
    expect(() => resolved(loose({ [field]: value }))).toThrow(new RegExp(`"look_up": ${field} must be `, "u"));
  });

  test.each([
    ["tool.vocabulary.sandbox-policy", "sandboxPolicy", "none wasm process os remote"],
    ["tool.vocabulary.side-effect-class", "sideEffectClass", "pure read-only side-effecting external-stateful"],
    ["tool.vocabulary.sensitivity", "sensitivity", "public internal secret"],
    ["tool.vocabulary.memory-guard-tier", "memoryGuardTier", "frozen approve labelled isolated"],
    [
      "tool.vocabulary.inbound-sanitization",
      "inboundSanitization",
      "pass-through detect-and-flag detect-and-strip detect-and-wrap detect-and-strip-and-wrap",
    ],
    ["tool.vocabulary.truncation-strategy", "truncationStrategy", "middle tail spill summarize"],
    ["tool.vocabulary.model-hint", "preferredModel", "fast balanced smart"],
    ["tool.field.execution-mode", "executionMode", "parallel sequential"],
  ])("[%s] %s: each value of the vocabulary is accepted", (_id, field, values) => {
    for (const value of values.split(" ")) {
      let message = "";
      try {
        resolved(loose({ [field]: value }));
      } catch (error) {
        // Some values need more, such as a module for a sandbox.
        message = String(error);
      }
      expect(message).not.toContain(`${field} must be`);
    }
  });

  test("the record tells a declared effect from an assumed one [tool.field.side-effect-class]", () => {
    for (const sideEffectClass of ["pure", "read-only", "side-effecting", "external-stateful"] as const)
      expect(resolved({ sideEffectClass })).toMatchObject({
        __sideEffectClass: sideEffectClass,
        __effectDeclared: true,
      });
    expect(resolved(loose({ sideEffectClass: undefined }))).toMatchObject({
      __sideEffectClass: "side-effecting",
      __effectDeclared: false,
    });
  });

  test("an unknown value throws, and the error lists the valid values [tool.field.side-effect-class]", () => {
    expect(() => resolved(loose({ sideEffectClass: "write" }))).toThrow(
      /"pure", "read-only", "side-effecting", "external-stateful"/u,
    );
  });

  test("accepts a hint, a provider/model string and nothing else [tool.field.preferred-model]", () => {
    expect(resolved({ preferredModel: "smart" }).__preferredModel).toBe("smart");
    expect(resolved({ preferredModel: "openai/gpt-5.5" }).__preferredModel).toBe("openai/gpt-5.5");
  });
});

describe("defaults", () => {
  test("the record is frozen and every default is filled in [tool.resolved.frozen]", () => {
    const record = resolved();
    expect(Object.isFrozen(record)).toBe(true);
    expect(record).toMatchObject({
      needsApproval: false,
      sandboxPolicy: "none",
      executionMode: "parallel",
      secretsAllowed: [],
      sensitivity: "internal",
      isEnabled: true,
      memoryGuardTier: "labelled",
      inboundSanitization: "detect-and-flag",
      failClosed: false,
      defer_loading: false,
      examplesEagerlyRendered: true,
      idempotencyScope: "tenant",
      idempotencyTtlMs: 86_400_000,
      __source: { kind: "first-party" },
      __trustClass: "first-party-user-defined",
      __effectiveDeferLoading: false,
      __sideEffectClass: "read-only",
      __isWriter: false,
      __hasIdempotencyKey: false,
      __streamingHint: false,
      __exampleCount: 0,
      __preferredModel: undefined,
    });
    expect(() => Object.assign(record, { __sideEffectClass: "pure" })).toThrow(TypeError);
  });

  test("agents used as tools are bounded by the run [tool.field.timeout-ms.composition]", () => {
    expect(resolved({ composition: { kind: "agent" } }).timeoutMs).toBe(0);
    expect(resolved({ composition: { kind: "agent" }, timeoutMs: 5 }).timeoutMs).toBe(5);
    expect(resolved().timeoutMs).toBeUndefined();
  });

  test('a function\'s key counts in the tenant, "call" in the run [tool.field.idempotency-key.scope]', () => {
    expect(resolved({ idempotencyKey: () => "k" }).idempotencyScope).toBe("tenant");
    expect(resolved({ idempotencyKey: "call" }).idempotencyScope).toBe("run");
    expect(resolved({ idempotencyKey: "call", idempotencyScope: "session" }).idempotencyScope).toBe("session");
    expect(resolved({ idempotencyKey: "call" }).idempotencyTtlMs).toBe(24 * 3_600_000);
  });

  test("the hash depends on name, description and schema, and nothing else [tool.resolved.definition-hash]", () => {
    const hash = resolved().__definitionHash;
    expect(resolved({ tags: ["x"], timeoutMs: 5 }).__definitionHash).toBe(hash);
    expect(resolved({ name: "other" }).__definitionHash).not.toBe(hash);
    expect(resolved({ description: "Other." }).__definitionHash).not.toBe(hash);
    expect(resolved({ inputSchema: z.object({ id: z.number() }) }).__definitionHash).not.toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/u);
  });
});

describe("sandboxes", () => {
  test.each(["wasm", "process", "os", "remote"] as const)(
    "a closure in %s [tool.field.sandbox-policy.closure-refused]",
    (tier) => {
      expect(() => resolved({ sandboxPolicy: tier }, undefined, undefined, { sandbox })).toThrow(
        /closure.*sandboxedTool\(\)/u,
      );
    },
  );

  test("a module entry uses its own tier, or the agent's default [tool.field.sandbox-policy]", () => {
    const module = sandboxedTool({
      name: "run",
      description: "Runs.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      sandboxPolicy: "os",
      execute: entry,
    });
    const registry = aRegistry({ sandbox: { tier: "wasm", timeout: 500 } }, { sandbox });
    registry.register(module);
    registry.register({ ...module, name: "default", sandboxPolicy: undefined });
    expect(registry.get("run")?.sandboxPolicy).toBe("os");
    expect(registry.get("default")?.sandboxConfig).toEqual({ tier: "wasm", timeout: 500 });
  });

  test("a module entry is refused without a sandbox, and without a tier [tool.unenforceable-refused]", () => {
    expect(() => resolved({ execute: entry, sandboxPolicy: "wasm" })).toThrow(/this agent has none/u);
    expect(() => resolved({ execute: entry }, undefined, undefined, { sandbox })).toThrow(/no sandbox is asked for/u);
  });

  test("an author may only request a tier at least as strict as the source requires [tool.vocabulary.sandbox-order]", () => {
    const ask = (sandboxPolicy: Tool["sandboxPolicy"]): string =>
      resolved({ execute: entry, sandboxPolicy }, sources.untrustedSkill, undefined, { sandbox }).sandboxPolicy;
    expect(ask(undefined)).toBe("os");
    expect(ask("remote")).toBe("remote");
    expect(ask("wasm")).toBe("wasm");
    expect(ask({ tier: "remote", enabled: false })).toBe("os");
    expect(() => ask("process")).toThrow(/"process" is weaker than "os"/u);
  });

  test("a tier's configuration accepts only limits that the tier can enforce", () => {
    const ask = (sandboxPolicy: unknown): unknown =>
      resolved(loose({ execute: entry, sandboxPolicy }), undefined, undefined, { sandbox });
    expect(() => ask({ tier: "wasm", allowNetwork: true })).toThrow(/cannot honour "allowNetwork"/u);
    expect(() => ask({ tier: "process" })).toThrow(/allowNetwork: true and allowFS: true/u);
    expect(() => ask({ tier: "os", allowFS: true })).toThrow(/acknowledgeUnrestricted/u);
    expect(() => ask({ tier: "os", timeout: 0 })).toThrow(/above 0/u);
    expect(() =>
      resolved({ execute: { module: new URL("https://x.example/t.js"), export: "run" }, sandboxPolicy: "os" }),
    ).toThrow(/file: URL/u);
  });

  test('with a default sandbox a closure must declare sandboxPolicy "none"', () => {
    const registry = aRegistry({ sandbox: { tier: "wasm" } }, { sandbox });
    expect(() => registry.register(aTool())).toThrow(/Set sandboxPolicy: "none"/u);
    registry.register(aTool({ sandboxPolicy: "none" }));
    expect(registry.get("look_up")?.sandboxPolicy).toBe("none");
  });

  test("a changed module changes the definition, and an unavailable sandbox fails before the first run", async () => {
    const register = async (resolve: SandboxPort["resolve"]): Promise<string | undefined> => {
      const registry = aRegistry({}, { sandbox: { resolve } });
      registry.register(aTool({ execute: entry, sandboxPolicy: "os" }));
      await registry.ready();
      return registry.get("look_up")?.__definitionHash;
    };
    expect(await register(async () => ({ moduleHash: "a" }))).not.toBe(
      await register(async () => ({ moduleHash: "b" })),
    );
    await expect(register(() => Promise.reject(new Error("no bwrap here")))).rejects.toThrow("no bwrap here");
  });
});

describe("rules between fields", () => {
  test("needs an idempotencyKey [tool.field.lookup]", () => {
    expect(() => resolved({ lookup: async () => ({ status: "absent" }) })).toThrow(/lookup needs idempotencyKey/u);
    expect(() => resolved({ idempotencyTtlMs: 5 })).toThrow(/idempotencyTtlMs needs idempotencyKey/u);
  });

  test("is refused on a writer, declared or assumed, and its scope is the user by default [tool.field.cache]", () => {
    const cache = { ttlMs: 1000 };
    expect(resolved({ cache }).cache).toEqual({ ttlMs: 1000, scope: "user" });
    expect(() => resolved({ cache, sideEffectClass: "side-effecting" })).toThrow(
      /cache is only for tools that change nothing/u,
    );
    expect(() => resolved({ cache, sideEffectClass: undefined })).toThrow(/declare "pure" or "read-only"/u);
    expect(() => resolved(loose({ cache: {} }))).toThrow(/ttlMs/u);
  });

  test("a tenant-wide cache needs a public payload or an explicit permission [tool.field.cache.tenant]", () => {
    const cache = { ttlMs: 1000, scope: "tenant" } as const;
    expect(() => resolved({ cache })).toThrow(/"tenant" shows one user's result to others/u);
    expect(resolved({ cache, sensitivity: "public" }).cache?.scope).toBe("tenant");
    expect(resolved({ cache: { ...cache, shared: true } }).cache?.scope).toBe("tenant");
    expect(() => resolved({ cache: { ttlMs: 1, shared: true } })).toThrow(/"tenant" only/u);
  });

  test("retries are allowed only for tools that change nothing or have a key [tool.field.retry]", () => {
    const retry = { maxAttempts: 3, initialDelayMs: 10 };
    expect(resolved({ retry }).retry).toEqual(retry);
    expect(resolved({ retry, sideEffectClass: "external-stateful", idempotencyKey: "call" }).retry).toEqual(retry);
    expect(() => resolved({ retry, sideEffectClass: "external-stateful" })).toThrow(/retry could repeat its effect/u);
    expect(() => resolved(loose({ retry: { maxAttempts: 0, initialDelayMs: 1 } }))).toThrow(/maxAttempts/u);
  });

  test("a path that is not in the schema throws [tool.field.flow.unknown-path]", () => {
    const inputSchema = z.object({
      to: z.array(z.object({ mail: z.string() })),
      "x.y": z.string(),
      body: z.string().optional(),
    });
    const ask = (authority: readonly string[]): unknown => resolved({ inputSchema, flow: { authority } });
    expect(ask(["to", "to[]", "to[].mail", '["x.y"]', "body"])).toBeDefined();
    expect(() => ask(["too"])).toThrow(/flow.authority names "too", which is not in inputSchema/u);
    expect(() => ask(["to[].name"])).toThrow(/not in inputSchema/u);
    expect(() => ask(["to.mail"])).toThrow(/not in inputSchema/u);
    expect(() => ask(["to["])).toThrow(/is not a path/u);
    expect(() => resolved({ flow: { payload: ["id"], authority: ["id"] } })).toThrow(/as payload and as authority/u);
    expect(() => resolved({ flow: { undeclared: "gate" } })).toThrow(/flow.undeclared/u);
  });

  test("declared output fields must be in the output schema [tool.field.output]", () => {
    const outputSchema = z.object({ rows: z.array(z.object({ id: z.string() })) });
    const fields = { "rows[].id": { integrity: "verified" } } as const;
    expect(resolved({ outputSchema, output: { fields } }).output?.fields).toEqual(fields);
    expect(() => resolved({ outputSchema, output: { fields: { "rows[].no": { integrity: "verified" } } } })).toThrow(
      /"rows\[\].no", which is not in outputSchema/u,
    );
    expect(() => resolved(loose({ output: { integrity: "user" } }))).toThrow(/"system", "verified", "untrusted"/u);
  });

  test("allowed secret names need a source that declares them [tool.field.secrets-allowed]", () => {
    expect(() => resolved({ secretsAllowed: ["KEY"] })).toThrow(/no source of secrets/u);
    const check = (_tool: string, names: readonly string[]): void => {
      if (names.includes("NO")) throw new Error("unknown secret NO");
    };
    expect(resolved({ secretsAllowed: ["KEY"] }, undefined, undefined, { secrets: { check } }).secretsAllowed).toEqual([
      "KEY",
    ]);
    expect(() => resolved({ secretsAllowed: ["NO"] }, undefined, undefined, { secrets: { check } })).toThrow(
      "unknown secret NO",
    );
  });

  test("memoryGuardTier needs a memory; its default depends on the source [tool.field.memory-guard-tier]", () => {
    expect(() => resolved({ memoryGuardTier: "labelled" })).toThrow(/Give Agent\(\{ memory \}\)/u);
    expect(resolved({ memoryGuardTier: "approve" }, undefined, undefined, { hasMemory: true }).memoryGuardTier).toBe(
      "approve",
    );
    expect(resolved({}, sources.mcp).memoryGuardTier).toBe("isolated");
  });

  test("an explicit inbound policy needs a sanitizer, a default does not [tool.unenforceable-refused]", () => {
    const none = { sanitizer: undefined };
    expect(() => resolved({ inboundSanitization: "detect-and-wrap" }, undefined, undefined, none)).toThrow(
      /needs a sanitizer/u,
    );
    expect(() => resolved({}, sources.mcp, undefined, none)).toThrow(/needs a sanitizer/u);
    expect(() => resolved({ failClosed: true }, undefined, undefined, none)).toThrow(/failClosed needs a sanitizer/u);
    expect(resolved({}, undefined, undefined, none).inboundSanitization).toBe("pass-through");
  });

  test("an idempotencyKey or a cache needs a ledger", () => {
    expect(() => resolved({ idempotencyKey: "call" }, undefined, undefined, { hasLedger: false })).toThrow(
      /needs a ledger/u,
    );
  });
});

describe("examples", () => {
  const outputSchema = z.object({ total: z.number() });
  const example = { input: { id: "1" }, output: { total: 1 } };

  test("an example that does not match is named with its path [tool.field.examples]", () => {
    expect(() => resolved({ outputSchema, examples: [example, { input: { id: 5 } }] })).toThrow(
      expect.objectContaining({ code: "INVALID_EXAMPLE", toolName: "look_up", index: 1, path: "input.id" }),
    );
    expect(() => resolved({ outputSchema, examples: [{ input: { id: "1" }, output: {} }] })).toThrow(
      expect.objectContaining({ index: 0, path: "output.total" }),
    );
    expect(() => resolved({ examples: [] })).toThrow(/1 to 5/u);
  });

  test("more than 5 warns and keeps 5 [tool.field.examples]", () => {
    const registry = aRegistry();
    registry.register(aTool({ examples: Array.from({ length: 7 }, () => ({ input: { id: "1" } })) }));
    expect(registry.get("look_up")?.__exampleCount).toBe(5);
    expect(registry.warnings.map((warning) => warning.code)).toEqual(["too_many_examples"]);
  });

  test("an asynchronous schema's example fails before the first run", async () => {
    const registry = aRegistry();
    const inputSchema = z.object({ id: z.string().refine(async (id) => id !== "bad") });
    registry.register(aTool({ inputSchema, examples: [{ input: { id: "bad" } }] }));
    await expect(registry.ready()).rejects.toMatchObject({ code: "INVALID_EXAMPLE", path: "input.id" });
  });

  test("the model reads tags below the description, also those of a deferred tool [tool.field.tags.shown]", () => {
    const tags = ["orders", "read"];
    expect(resolved({ tags }).__advertisedDescription).toBe("Looks something up.\n\nTags: orders, read");
    expect(resolved({ tags, defer_loading: true }).__advertisedDescription).toContain("Tags: orders, read");
    expect(resolved({ tags, examples: [example] }).__advertisedDescription).toContain("orders, read\n\nExamples:");
    expect(resolved({}).__advertisedDescription).toBe("Looks something up.");
  });

  test("the record has the default limit of results, and tells if the tool set it [tool.resolved.result-limit]", () => {
    expect(resolved({})).toMatchObject({ maxResultTokens: 16_384, __resultLimitDeclared: false });
    expect(resolved({ maxResultTokens: 16_384 }).__resultLimitDeclared).toBe(true);
    expect(resolved({ maxResultTokens: 10 }).maxResultTokens).toBe(10);
  });

  test("examples are in the advertised description, unless the tool is deferred [tool.field.examples-eagerly-rendered]", () => {
    const examples = [example];
    expect(resolved({ examples }).__advertisedDescription).toContain('input: {"id":"1"}\noutput: {"total":1}');
    expect(resolved({ examples, defer_loading: true }).__advertisedDescription).toBe("Looks something up.");
    expect(
      resolved({ examples, defer_loading: true, examplesEagerlyRendered: true }).__advertisedDescription,
    ).toContain("Examples");
    expect(resolved({ examples, examplesEagerlyRendered: false }).__advertisedDescription).toBe("Looks something up.");
  });
});

test("sandboxedTool() refuses an unknown field, as tool() does", () => {
  const misspelt = { name: "run", description: "Runs.", inputSchema: z.object({}), sandboxPolcy: "os", execute: entry };
  expect(() => sandboxedTool(misspelt)).toThrow(/sandboxPolcy.*sandboxPolicy/u);
});

test("tool() and sandboxedTool() give frozen tools", () => {
  expect(Object.isFrozen(aTool())).toBe(false);
  expect(Object.isFrozen(tool({ name: "a", description: "a", inputSchema: z.object({}), execute: () => 1 }))).toBe(
    true,
  );
});
