import type { AgentOptions, RunSettings } from "../../contracts/run-options.ts";
import type { Extension, ExtensionOptions } from "../../contracts/extension.ts";
import type { MergeRule } from "./option-row.ts";

/** The settings that an extension may make stricter. The compiler checks that none is forgotten. */
const tightening: { readonly [Name in keyof Required<ExtensionOptions>]: true } = {
  approval: true,
  flow: true,
  guardrails: true,
  budget: true,
};

/** Names of the settings that an extension may make stricter. */
export const extensionOptionNames: readonly (keyof ExtensionOptions)[] = Object.keys(
  tightening,
) as (keyof ExtensionOptions)[];

/** A setting's value, made stricter by what extensions ask: the stricter of both holds. */
export function withExtensionOptions(
  { merge }: { readonly merge: MergeRule<unknown> },
  name: string,
  value: unknown,
  extensions: readonly Extension[] | undefined,
): unknown {
  if (extensions === undefined || !Object.hasOwn(tightening, name) || merge.rule === "replace") return value;
  let joined = value;
  for (const { options } of extensions) {
    const asked = options?.[name as keyof ExtensionOptions];
    if (asked !== undefined) joined = merge.join(joined, asked, () => undefined);
  }
  return joined;
}

/** An agent's options with the tools of its extensions, and as strict as these ask. */
export function withExtensions(
  options: AgentOptions,
  rows: { readonly [Name in keyof ExtensionOptions]-?: { readonly merge: MergeRule<RunSettings[Name]> } },
): AgentOptions {
  const { extensions, tools } = options;
  if (extensions === undefined || extensions.length === 0) return options;
  const stricter = Object.fromEntries(
    extensionOptionNames.map((name) => [
      name,
      withExtensionOptions(rows[name] as { readonly merge: MergeRule<unknown> }, name, options[name], extensions),
    ]),
  );
  const brought = extensions.flatMap((extension) => extension.tools ?? []);
  const joined = { ...options, ...stricter };
  if (brought.length === 0) return joined;
  return {
    ...joined,
    tools:
      typeof tools === "function" ? async (ctx) => [...(await tools(ctx)), ...brought] : [...(tools ?? []), ...brought],
  };
}

/** The agent's extensions, then those of the run; an extension that both have is there once. */
export function joinExtensions(
  agent: readonly Extension[] | undefined,
  run: readonly Extension[] | undefined,
): readonly Extension[] | undefined {
  return agent === undefined || run === undefined ? (agent ?? run) : [...new Set([...agent, ...run])];
}
