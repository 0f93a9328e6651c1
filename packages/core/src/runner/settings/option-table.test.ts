import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentOptions } from "../../contracts/run-options.ts";
import { number } from "../../errors/value-checks.ts";
import { asChain } from "./join-approval.ts";
import { fieldByField, lower, tighten, tightenedInside } from "./merge-rules.ts";
import { checkOptionNames } from "./check-settings.ts";
import { keptNames } from "./kept-part.ts";
import { optionPage } from "./option-page.ts";
import { optionTable } from "./option-table.ts";
import { smaller } from "./join-approval.ts";
import { demandedBy, effectiveSettings, runSettings, settingRows } from "./run-settings.ts";
import type { SettingRows } from "./run-settings.ts";

const agentWith = (options: object): AgentOptions => ({ name: "a", model: "x/y", ...options });
const merged = (agent: object, run: object): Readonly<Record<string, unknown>> =>
  runSettings(agentWith(agent), run) as never;

/** Values of each tightening option, from loosest to strictest. */
const scales: Readonly<Record<string, readonly unknown[]>> = {
  flow: ["off", "shadow", "auto", "enforce"],
  budget: [{ tokens: 9 }, { tokens: 5 }, { tokens: 1 }],
  maxDepth: [9, 5, 0],
  hooksAreFatal: [false, true],
  outputGuardrails: ["after", "hold"],
  onUnknownOutcome: ["tell-model", "suspend"],
  sandbox: [
    { tier: "none" },
    { tier: "process", allowNetwork: true, allowFS: true, timeout: 9 },
    { tier: "os", timeout: 9 },
    { tier: "wasm", timeout: 5 },
    { tier: "remote", timeout: 5, maxMemoryMB: 1 },
  ],
};

const rowsOf = (rule: string): readonly string[] =>
  Object.entries(settingRows)
    .filter(([, { merge }]) => merge.rule === rule)
    .map(([name]) => name);

describe("tighten", () => {
  test("each option with the tighten rule has a scale [options.tighten]", () => {
    expect(Object.keys(scales).toSorted()).toEqual([...rowsOf("tighten")].toSorted());
  });

  test("the effective value is never less strict than the agent's, and a run that loosens throws [options.tighten]", () => {
    const cases = fc.constantFrom(...Object.keys(scales)).chain((name) => {
      const place = fc.nat((scales[name]?.length ?? 1) - 1);
      return fc.tuple(fc.constant(name), place, place);
    });
    fc.assert(
      fc.property(cases, ([name, agent, run]) => {
        const scale = scales[name] ?? [];
        const made = (): unknown => merged({ [name]: scale[agent] }, { [name]: scale[run] })[name];
        if (run < agent) expect(made).toThrow("weaker");
        else
          expect(made()).toMatchObject(
            typeof scale[run] === "object" || name !== "flow" ? (scale[run] as object) : { mode: scale[run] },
          );
      }),
    );
  });

  test("an agent's value applies if the run sets none, and vice versa [options.tighten]", () => {
    for (const [name, scale] of Object.entries(scales)) {
      const strict = scale.at(-1);
      expect(merged({ [name]: strict }, { maxTurns: 1 })[name], name).toEqual(strict);
      const expected = name === "flow" ? { mode: strict } : strict;
      expect(merged({}, { [name]: strict })[name], name).toMatchObject(expected as object);
    }
  });
});

describe("fields", () => {
  test("sibling fields are kept, and the run's field wins [options.fields]", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rowsOf("fields")),
        fc.dictionary(fc.constantFrom("a", "b", "c"), fc.nat()),
        (name, run) => {
          const agent = { a: -1, b: -2, d: -3 };
          const nested = name === "providerOptions";
          const value = merged({ [name]: nested ? { v: agent } : agent }, { [name]: nested ? { v: run } : run })[name];
          expect(nested ? (value as { v: unknown }).v : value).toEqual({ ...agent, ...run });
        },
      ),
    );
  });

  test("an undefined field keeps the agent's value, and a class instance is replaced [options.fields]", () => {
    expect(merged({ timeouts: { totalMs: 5 } }, { timeouts: { totalMs: undefined, turnMs: 1 } })["timeouts"]).toEqual({
      totalMs: 5,
      turnMs: 1,
    });
    const own = new Map();
    expect(merged({ dependencies: { a: 1 } }, { dependencies: own })["dependencies"]).toBe(own);
  });
});

describe("chain", () => {
  test("both callbacks run, the agent's first [options.chain]", async () => {
    expect([...rowsOf("chain")].toSorted()).toEqual(["approval", "extensions", "guardrails", "loopHooks"]);
    const seen: string[] = [];
    const side = (name: string) => ({
      loopHooks: {
        beforeLLMCall: () => void seen.push(`before ${name}`),
        afterLLMCall: () => void seen.push(`after ${name}`),
        onRoundtripComplete: () => (seen.push(`round ${name}`), { stop: name === "agent" }),
      },
      extensions: [{ name }],
      guardrails: { input: [{ name, validate: () => ({ pass: true }) as const }] },
      approval: { policy: [name], onApproval: () => ({ approved: true }) },
    });
    const [agent, run] = [side("agent"), side("run")];
    const { loopHooks, extensions, guardrails, approval } = runSettings(agentWith(agent), run);
    await loopHooks?.beforeLLMCall?.([], 1);
    await loopHooks?.afterLLMCall?.(
      { finishReason: "stop", usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } },
      1,
    );
    expect(await loopHooks?.onRoundtripComplete?.(1, { inputTokens: 0, outputTokens: 0, totalTokens: 0 })).toEqual({
      stop: true,
    });
    expect(seen).toEqual(["before agent", "before run", "after agent", "after run", "round agent", "round run"]);
    expect(extensions?.map(({ name }) => name)).toEqual(["agent", "run"]);
    expect(guardrails?.input?.map(({ name }) => name)).toEqual(["agent", "run"]);
    expect(asChain(approval).policies).toEqual([["agent"], ["run"]]);
    expect(asChain(approval).approvers.map(({ ask }) => ask)).toEqual([
      agent.approval.onApproval,
      run.approval.onApproval,
    ]);
    // A value in both is applied once.
    const twice = runSettings(agentWith(agent), agent);
    expect([
      twice.extensions?.length,
      twice.guardrails?.input?.length,
      asChain(twice.approval).approvers.length,
    ]).toEqual([1, 1, 1]);
  });
});

test("a run option that loosens a limit of approvals throws, and an inner agent's looser limit is a warning [flow.inside.warns]", () => {
  const strict = { approval: { timeout: 1000, expiresAfterMs: 5000, timeoutAction: "throw" } } as const;
  for (const looser of [{ timeout: 1001 }, { expiresAfterMs: 5001 }, { timeoutAction: "deny" }] as const) {
    expect(() => runSettings(agentWith(strict), { approval: looser })).toThrow(
      expect.objectContaining({ code: "WEAKER_POLICY" }) as Error,
    );
    const { approval, tightened } = runSettings(agentWith({ approval: looser }), {}, strict);
    expect(approval).toMatchObject(strict.approval);
    expect(tightened?.map(({ message }) => message).join()).toContain(`"approval.${Object.keys(looser)[0]}"`);
  }
  const stricter = { timeout: 999, expiresAfterMs: 4999, timeoutAction: "throw" } as const;
  expect(runSettings(agentWith(strict), { approval: stricter }).approval).toMatchObject(stricter);
});

test("the run's value wins; without one, the agent's applies [options.replace]", () => {
  expect(rowsOf("replace").toSorted().join(" ")).toBe(
    "clock concurrentRuns deadlineAt detached eventBus fallback generateFollowups ids instructions logger " +
      "loopDetection maxTokens maxTurns memory model parallelToolCalls prepareStep resumable session stopSequences " +
      "stopWhen temperature toolChoice toolConcurrency toolTimeoutMs toolUseBehavior topP userId",
  );
  for (const name of rowsOf("replace")) {
    const [own, other] = [{ own: name }, { other: name }];
    expect(merged({ [name]: own }, { [name]: other })[name], name).toBe(other);
    if (name !== "model") expect(merged({ [name]: own }, {})[name], name).toBe(own);
  }
});

test("an inner run is never less strict than the outer run, and keeps its own stricter value [flow.inside.strictest]", () => {
  const modes = ["off", "shadow", "auto", "enforce"] as const;
  for (const outer of modes)
    for (const inner of [undefined, ...modes]) {
      const { flow, tightened } = runSettings(agentWith({ flow: inner }), {}, { flow: { mode: outer } });
      const own = inner ?? "auto";
      const strictest = modes.indexOf(own) > modes.indexOf(outer) ? own : outer;
      expect(flow).toMatchObject({ mode: strictest });
      expect(tightened).toHaveLength(strictest === own ? 0 : 1);
    }
  const under = { flow: { mode: "enforce" } } as const;
  expect(() => runSettings(agentWith({ flow: "shadow" }), { flow: "shadow" }, under)).toThrow("weaker");
});

test("an option added to the table is merged, inherited, stored, checked for misspelling, and documented [options.one-place]", () => {
  const rows = {
    ...settingRows,
    maxPages: {
      check: number(1, "pages", true),
      merge: tighten(lower("maxPages")),
      inside: tightenedInside(smaller),
      kept: "stored",
    },
    printer: { fields: { tray: undefined, duplex: undefined }, merge: fieldByField, kept: "no" },
  } as unknown as SettingRows;
  const parts = { role: "agent" as const };
  const agent = agentWith({ maxPages: 5, printer: { tray: 1 } });
  const settings = (run: object, demands?: object): unknown =>
    effectiveSettings(rows, { ...parts, agent, run, demands });
  expect(settings({ maxPages: 3, printer: { duplex: true } })).toMatchObject({
    maxPages: 3,
    printer: { tray: 1, duplex: true },
  });
  expect(() => settings({ maxPages: 6 })).toThrow('"maxPages"');
  expect(demandedBy(rows, { maxPages: 2 } as object)).toEqual({ maxPages: 2 });
  expect(effectiveSettings(rows, { ...parts, agent, run: {}, kept: { maxPages: 2 } as object })).toMatchObject({
    maxPages: 2,
  });
  expect(settings({}, { maxPages: 2 })).toMatchObject({ maxPages: 2 });
  expect(() => checkOptionNames("run", { maxPage: 1 }, rows)).toThrow('Did you mean "maxPages"?');
  expect(() => checkOptionNames("run", { printer: { trey: 1 } }, rows)).toThrow('Did you mean "tray"?');
  const page = optionPage({ ...optionTable, both: rows as never }, (name) =>
    name === "maxPages"
      ? { meaning: "Pages of one print; default 10.", type: "number", default: "10" }
      : { meaning: "", type: "", default: "" },
  );
  expect(page).toContain(
    "| `maxPages` | Pages of one print; default 10. | `number` | 10 | tighten | tighten | stored |",
  );
  const kept = keptNames(rows as never, "stored");
  expect(kept).toContain("maxPages");
  expect(kept).not.toContain("printer");
});

test("an unknown option is refused with the nearest name, also in groups [options.names]", () => {
  expect(() => checkOptionNames("agent", { name: "a", maxTurn: 1 })).toThrow('Did you mean "maxTurns"?');
  expect(() => checkOptionNames("run", { timeouts: { totalMS: 1 } })).toThrow('Did you mean "totalMs"?');
  expect(() => checkOptionNames("run", { hooks: { beforeRun: () => undefined } })).toThrow("onNodeStart");
});

test("the specification contains the rows of the table [options.documented]", () => {
  const page = readFileSync(new URL("../../../../../docs/spec/options.md", import.meta.url), "utf8");
  const rows = Array.from(page.matchAll(/^\| `(\w+)` *\| (\w+) *\| `?(\w*)`? *\| `([\w ]+)` *\|$/gmu), (row) =>
    row.slice(1).join(" "),
  );
  const inside = (value: unknown): string =>
    typeof value === "object" ? (value as { rule: string }).rule : ((value ?? "no") as string);
  const table = (["both", "agent", "run"] as const).flatMap((where) =>
    Object.entries(
      optionTable[where] as Readonly<
        Record<string, { readonly merge?: { readonly rule: string }; readonly inside?: unknown }>
      >,
    ).map(([name, row]) => [name, where, row.merge?.rule ?? "", inside(row.inside)].join(" ")),
  );
  expect(rows).toEqual(table);
});
