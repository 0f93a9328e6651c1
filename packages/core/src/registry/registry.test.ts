import { systemClock, defaultHasher } from "../journal/default-ports.ts";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { Catalogue } from "./catalogue.ts";
import { disabledTools } from "../runner/start/run-catalogue.ts";
import type { RunContext, Tool, ToolExecutionContext } from "../index.ts";
import { aRegistry, aTool, sources } from "./registry.fixture.ts";

const names = (list: readonly { readonly name: string }[]): readonly string[] => list.map((each) => each.name);

/** Calls a tool's function as the runner does. */
function call(tool: Tool | undefined, input: unknown): unknown {
  if (typeof tool?.execute !== "function") throw new Error("not a closure");
  return tool.execute(input, {} as ToolExecutionContext);
}

describe("collisions", () => {
  test("two first-party tools with the same name throw at once [registry.duplicate-first-party]", () => {
    const registry = aRegistry();
    registry.register(aTool());
    expect(() => registry.register(aTool())).toThrow(expect.objectContaining({ code: "DUPLICATE_TOOL_NAME" }));
    expect(names(registry.list())).toEqual(["look_up"]);
  });

  test("the tool with the highest priority keeps the name, in any order; no tool is dropped [registry.collisions.auto-prefix]", () => {
    const registry = aRegistry();
    registry.register(aTool(), sources.webSearch);
    registry.register(aTool(), sources.mcp);
    registry.register(aTool(), { kind: "mcp", serverIdentity: "tracker" });
    registry.register(aTool());
    expect(names(registry.list())).toEqual(["finder.look_up", "tracker.look_up", "tracker.look_up_2", "look_up"]);
    expect(registry.get("look_up")?.__trustClass).toBe("first-party-user-defined");
  });

  test("a rename that collides with a registered name gets a number [registry.collisions.auto-prefix]", () => {
    const registry = aRegistry();
    registry.register(aTool());
    registry.register(aTool({ name: "tracker.look_up" }));
    registry.register(aTool(), sources.mcp);
    expect(names(registry.list())).toEqual(["look_up", "tracker.look_up", "tracker.look_up_2"]);
  });

  test("a rename changes no definition hash", () => {
    const alone = aRegistry();
    alone.register(aTool(), sources.mcp);
    const together = aRegistry();
    together.register(aTool(), sources.mcp);
    together.register(aTool());
    expect(together.get("tracker.look_up")?.__definitionHash).toBe(alone.get("look_up")?.__definitionHash);
  });

  test("one of two identical tools is kept, and a warning names the other [registry.collisions.priority]", () => {
    const registry = aRegistry({ collisions: "priority" });
    registry.register(aTool(), sources.webSearch);
    registry.register(aTool(), sources.mcp);
    expect(names(registry.list())).toEqual(["look_up"]);
    expect(registry.get("look_up")?.__trustClass).toBe("mcp-derived");
    expect(registry.warnings.filter((warning) => warning.code === "tool_left_out")).toHaveLength(1);
  });

  test("throws and names the sources of both tools [registry.collisions.manual]", () => {
    const registry = aRegistry({ collisions: "manual" });
    registry.register(aTool(), sources.mcp);
    expect(() => registry.register(aTool())).toThrow(
      expect.objectContaining({
        code: "TOOL_COLLISION",
        toolName: "look_up",
        sources: ["mcp:tracker", "first-party"],
        strategy: "manual",
      }),
    );
    registry.register(aTool({ name: "other" }));
    expect(names(registry.list())).toEqual(["look_up", "other"]);
  });
});

test("list is one frozen array until a tool is registered, without duplicates [registry.get-list]", () => {
  const registry = aRegistry();
  registry.register(aTool());
  const list = registry.list();
  expect(Object.isFrozen(list)).toBe(true);
  expect(registry.list()).toBe(list);
  expect(registry.get("look_up")).toBe(list[0]);
  registry.register(aTool({ name: "other" }));
  expect(names(registry.list())).toEqual(["look_up", "other"]);
});

test("a refused tool leaves the registry unchanged [registry.register]", () => {
  const registry = aRegistry();
  expect(() => registry.register(aTool({ description: "" }))).toThrow(/description/u);
  expect(() => registry.register(aTool({ name: "read_result" }))).toThrow(/framework's own/u);
  registry.register(aTool());
  expect(names(registry.list())).toEqual(["look_up"]);
});

describe("names used elsewhere [registry.names-elsewhere]", () => {
  test("a final name, an author's name and a full name are found; an unknown one throws with the nearest name", () => {
    const registry = aRegistry();
    registry.register(aTool());
    registry.register(aTool({ name: "search" }), sources.mcp);
    expect(registry.resolveName("look_up")).toBe("look_up");
    expect(registry.resolveName("tracker.search")).toBe("search");
    expect(() => registry.resolveName("lookUp")).toThrow(/There is no tool "lookUp". Did you mean "look_up"/u);
  });

  test("an ambiguous name must be given in full [registry.names-elsewhere.ambiguous]", () => {
    const registry = aRegistry();
    registry.register(aTool());
    registry.register(aTool(), sources.mcp);
    expect(() => registry.resolveName("look_up")).toThrow(
      /"first-party.look_up", "tracker.look_up". Give the name in full/u,
    );
    expect(registry.resolveName("first-party.look_up")).toBe("look_up");
    expect(registry.resolveName("tracker.look_up")).toBe("tracker.look_up");
  });

  test("names under a declared server are accepted before its tools are known", () => {
    const registry = aRegistry({ namespaces: ["github"] });
    expect(registry.resolveName("github.create_issue")).toBe("github.create_issue");
    expect(() => registry.resolveName("gitlab.create_issue")).toThrow(/There is no tool/u);
  });
});

test("each warning is given once, to the logger and to the caller [registry.warnings]", () => {
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  const registry = aRegistry({}, { logger: { debug: log, info: log, warn: log, error: log } });
  registry.register(aTool({ name: "a", sideEffectClass: "external-stateful" }));
  registry.register(aTool({ name: "b", sideEffectClass: "external-stateful", maxResultTokens: 0 }));
  const repeated = registry.warnings[0];
  if (repeated !== undefined) registry.warn(repeated);
  expect(registry.warnings.map(({ code, subject }) => `${subject} ${code}`)).toEqual([
    "a no_idempotency_key",
    "b no_idempotency_key",
    "b no_result_limit",
  ]);
  expect(logged).toEqual(registry.warnings.map((warning) => warning.message));
});

test("a tool without a cap warns, and so does a writer without a key [tool.field.idempotency-key.missing] [tool.field.max-result-tokens.zero]", () => {
  const registry = aRegistry();
  registry.register(aTool({ sideEffectClass: "external-stateful", maxResultTokens: 0 }));
  expect(registry.warnings.map((warning) => warning.code)).toEqual(["no_idempotency_key", "no_result_limit"]);
  const quiet = aRegistry();
  quiet.register(aTool({ sideEffectClass: "external-stateful", idempotencyKey: "call" }));
  expect(quiet.warnings).toEqual([]);
  // No key can be added to a tool of a server, whether its operator has classified it or not.
  const served = aRegistry();
  served.register(aTool({ name: "get_booking" }), { kind: "mcp", serverIdentity: "tracker" });
  const classified = aTool({ name: "book", sideEffectClass: "external-stateful" });
  const operator = { sideEffectClass: "external-stateful" } as const;
  served.register(classified, { kind: "mcp", serverIdentity: "tracker" }, operator);
  expect(served.warnings.filter(({ code }) => code === "no_idempotency_key")).toEqual([]);
});

describe("catalogue and tool_search", () => {
  const deferred = (name: string, description: string): Tool => aTool({ name, description, defer_loading: true });
  const library = (): ReturnType<typeof aRegistry> => {
    const registry = aRegistry();
    registry.register(aTool());
    registry.register(deferred("send_email", "Sends an email to a customer."));
    registry.register(deferred("convert_currency", "Converts an amount from one currency to another."));
    registry.register(deferred("list_invoices", "Lists the invoices of a customer."));
    registry.register(deferred("reboot_server", "Restarts a machine."));
    return registry;
  };
  const hasher = defaultHasher();

  test("tool_search exists only if there is a deferred tool [registry.tool-search]", () => {
    const without = aRegistry();
    without.register(aTool());
    expect(without.get("tool_search")).toBeUndefined();
    const search = library().get("tool_search");
    expect(search?.__inputJsonSchema).toMatchObject({ required: ["query"], properties: { limit: { default: 5 } } });
  });

  test("a search without a limit finds five tools at most [registry.tool-search]", async () => {
    const registry = aRegistry();
    for (let number = 1; number <= 7; number += 1)
      registry.register(deferred(`invoice_${number}`, "Reads an invoice of a customer."));
    const search = new Catalogue({ registry, hasher }).get("tool_search");
    expect(await call(search, { query: "invoice" })).toMatchObject({ tools: { length: 5 } });
    expect(await call(search, { query: "invoice", limit: 6 })).toMatchObject({ tools: { length: 6 } });
  });

  test("a deferred tool is registered, but neither advertised nor callable until found [tool.field.defer-loading]", () => {
    const catalogue = new Catalogue({ registry: library(), hasher });
    expect(names(catalogue.advertised())).toEqual(["look_up", "tool_search"]);
    expect(catalogue.get("send_email")?.__effectiveDeferLoading).toBe(true);
    expect([catalogue.isCallable("send_email"), catalogue.isCallable("look_up")]).toEqual([false, true]);
  });

  test("a search returns only matches, best first; an empty query returns an empty list [registry.tool-search.relevance-floor]", async () => {
    const search = async (query: string, limit?: number): Promise<unknown> =>
      (
        (await call(new Catalogue({ registry: library(), hasher }).get("tool_search"), { query, limit })) as {
          tools: unknown;
        }
      ).tools;
    expect(await search("exchange currencies")).toEqual(["convert_currency"]);
    expect(await search("email a customer")).toEqual(["send_email"]);
    expect(await search("what can I do for a customer?")).toEqual(["list_invoices", "send_email"]);
    expect(await search("customer", 1)).toEqual(["list_invoices"]);
    expect(await search("photosynthesis of algae")).toEqual([]);
    expect(await search("the and of a tool")).toEqual([]);
  });

  test("found tools are appended; advertised tools keep their order [registry.tool-search.appended]", async () => {
    const journaled: (readonly string[])[] = [];
    const catalogue = new Catalogue({ registry: library(), hasher, onSearch: (found) => journaled.push(found) });
    const before = catalogue.advertised();
    expect(catalogue.advertised()).toBe(before);
    await call(catalogue.get("tool_search"), { query: "restart a machine" });
    expect(names(catalogue.advertised())).toEqual(["look_up", "tool_search", "reboot_server"]);
    expect(catalogue.advertised().slice(0, 2)).toEqual(before);
    expect(catalogue.advertised()[0]).toBe(before[0]);
    expect(catalogue.isCallable("reboot_server")).toBe(true);
    await call(catalogue.get("tool_search"), { query: "restart a machine" });
    expect(journaled).toEqual([["reboot_server"]]);
  });

  test("promotions belong to the run and are restored on resume [registry.tool-search.run-state]", () => {
    const registry = library();
    const first = new Catalogue({ registry, hasher });
    expect(first.promote(["send_email", "look_up", "nothing", "send_email"])).toEqual(["send_email"]);
    expect(names(new Catalogue({ registry, hasher }).advertised())).toEqual(["look_up", "tool_search"]);
    const resumed = new Catalogue({ registry, hasher, promoted: ["send_email"] });
    expect(resumed.advertised()).toEqual(first.advertised());
    expect(resumed.hash).toBe(first.hash);
  });

  test("a disabled tool is not in the catalogue and cannot be found [tool.field.is-enabled]", async () => {
    const registry = library();
    registry.register(aTool({ name: "night", isEnabled: () => false }));
    registry.register(
      aTool({
        name: "fax_customer",
        description: "Faxes a customer an email.",
        defer_loading: true,
        isEnabled: async () => false,
      }),
    );
    const limits = { timeoutMs: 10_000, clock: systemClock };
    const disabled = await disabledTools(registry, {} as RunContext, limits, () => undefined);
    expect([...disabled]).toEqual(["night", "fax_customer"]);
    const catalogue = new Catalogue({ registry, hasher, disabled });
    expect(names(catalogue.tools)).not.toContain("night");
    expect(await call(catalogue.get("tool_search"), { query: "fax" })).toMatchObject({ tools: [] });
    expect(catalogue.promote(["fax_customer"])).toEqual([]);
  });

  test("isEnabled that throws disables the tool with a warning [tool.field.is-enabled.throws]", async () => {
    const registry = aRegistry();
    registry.register(
      aTool({
        isEnabled: () => {
          throw new Error("no flag service");
        },
      }),
    );
    const failures: unknown[] = [];
    const limits = { timeoutMs: 10_000, clock: systemClock };
    const keep = (...failure: unknown[]): void => void failures.push(failure);
    expect([...(await disabledTools(registry, {} as RunContext, limits, keep))]).toEqual(["look_up"]);
    expect(failures).toEqual([["look_up", new Error("no flag service")]]);
  });

  test("tools are not converted again for each run", () => {
    let conversions = 0;
    const counting = z.object({ id: z.string() });
    const standard = counting["~standard"];
    const inputSchema = {
      "~standard": {
        ...standard,
        jsonSchema: {
          input: (options: never) => (conversions++, standard.jsonSchema.input(options)),
          output: standard.jsonSchema.output,
        },
      },
    };
    const registry = aRegistry();
    registry.register(aTool({ inputSchema }));
    for (let run = 0; run < 3; run += 1) new Catalogue({ registry, hasher }).advertised();
    expect(conversions).toBe(1);
  });
});
