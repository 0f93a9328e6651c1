import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Declarations, ExplainedAgent, Samples } from "@bailiwick/agent/declare";
import type { ToolExplanation } from "@bailiwick/core";
import { CommandError } from "../command-error.ts";
import { loadModule } from "../entry/load-entry.ts";
import type { Target } from "../entry/target.ts";
import { exitCodes } from "../exit-codes.ts";

/** Path of the file with declarations: the given one, else `declarations.ts` beside the entry module. */
export function declarationsPath({ entry }: Target, given: string | undefined): string {
  return given === undefined ? resolve(dirname(entry?.path ?? "."), "declarations.ts") : resolve(given);
}

/**
 * Reads the declarations of a file; `undefined` if there is no file.
 *
 * @throws CommandError `CLI_CONFIG`
 */
export async function readDeclarations(path: string): Promise<Declarations | undefined> {
  if (!existsSync(path)) return undefined;
  const module = await loadModule(path);
  // In a project without "type": "module" the exports are one level deeper.
  const { declarations } = { ...(module["default"] as object | undefined), ...module } as Record<string, unknown>;
  if (typeof declarations === "object" && declarations !== null) return declarations as Declarations;
  throw new CommandError(
    "CLI_CONFIG",
    `"${path}" exports no "declarations". Pass --file with a file that "bailiwick declare --write" has written.`,
    exitCodes.failed.code,
  );
}

/**
 * All agents of an entry module as one: declarations are by tool name.
 *
 * @throws CommandError `CLI_CONFIG` if two different tools have one name.
 */
export function allToolsOf({ agents }: Target): ExplainedAgent {
  return {
    explainTools: async () => {
      const found = new Map<string, ToolExplanation>();
      for (const agent of agents)
        for (const tool of await agent.explainTools()) {
          const other = found.get(tool.name);
          if (other !== undefined && other.definition !== tool.definition)
            throw new CommandError(
              "CLI_CONFIG",
              `Two agents have different tools named "${tool.name}", and declarations are by name. Declare both in their code, or rename one.`,
              exitCodes.failed.code,
            );
          found.set(tool.name, tool);
        }
      return [...found.values()];
    },
  };
}

/** Results of tools in the stores of the agents. */
export async function allSamples({ stores }: Target): Promise<Samples> {
  const { samplesFrom } = await import("@bailiwick/agent/declare");
  const samples: Record<string, readonly unknown[]> = {};
  for (const store of stores)
    for (const [name, results] of Object.entries(await samplesFrom(store)))
      samples[name] = [...(samples[name] ?? []), ...results];
  return samples;
}
