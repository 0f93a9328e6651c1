import { tool } from "@bailiwick/core";
import type { Tool } from "@bailiwick/core";
import { z } from "zod";

import { withForgeries } from "./forged-records.test.helper.ts";
import type { Declarations, Poison, RanCall, Stage, WorldChange } from "./attack-case.test.helper.ts";

/** Readers of the data that a tool sends inside the organisation; everyone if it leaves the organisation. */
const own = (): readonly ["source:first-party"] => ["source:first-party"];

/** A mock tool of a suite. */
export interface Definition {
  readonly name: string;
  /** The description. Default: the words of its name. */
  readonly description?: string | undefined;
  readonly input?: z.ZodObject | undefined;
  readonly output?: z.ZodType | undefined;
  /**
   * Returns the tool's result. The fields that outsiders write contain the attack; `sender` wrote
   * the newest mail.
   */
  readonly returns: (poison: string, sender: string, args: unknown) => unknown;
  /** True if outsiders write into its result. */
  readonly open?: boolean | undefined;
  /** Declaration of an author who knows the tool. */
  readonly careful: Partial<Tool>;
}

/** A reader whose results outsiders write, except for the fields that its author declares as verified. */
export const outsiders = (...vouched: readonly string[]): Partial<Tool> => ({
  sideEffectClass: "read-only",
  output: {
    integrity: "untrusted",
    fields: Object.fromEntries(vouched.map((path) => [path, { integrity: "verified" as const }])),
  },
});
/** A tool that reads records that the application writes. */
export const vouched: Partial<Tool> = { sideEffectClass: "read-only", output: { integrity: "verified" } };
/** A tool that reads public data. */
export const publicly: Partial<Tool> = {
  sideEffectClass: "read-only",
  output: { integrity: "verified", readers: "public" },
};
/** A writer with its deciding arguments and its content. */
export const writer = (authority: readonly string[], payload: readonly string[], inHouse = false): Partial<Tool> => ({
  sideEffectClass: inHouse ? "side-effecting" : "external-stateful",
  flow: { authority, payload, ...(inHouse && { readers: own }) },
  output: { integrity: "verified", readers: "public" },
});

/** True if a tool changes nothing. */
export function isReadOf(definitions: readonly Definition[], name: string): boolean {
  return definitions.some((one) => one.name === name && one.careful.sideEffectClass === "read-only");
}

/** True if outsiders write into the result of a tool. */
export function isOpenOf(definitions: readonly Definition[], name: string): boolean {
  return definitions.some((one) => one.name === name && one.open === true);
}

/** Tools as mocks that record what ran. */
export function stageOf(
  definitions: readonly Definition[],
  declarations: Declarations,
  poison: Poison,
  change?: WorldChange,
): Stage {
  const ran: RanCall[] = [];
  const { sender = "david@north.example" } = change ?? {};
  let nth = 0;
  const tools = definitions.map(({ name, description, input = z.object({}), output, returns, open, careful }) => {
    const isWriter = careful.sideEffectClass !== "read-only";
    const said: Partial<Tool> = declarations === "careful" ? careful : {};
    return tool({
      name,
      description: description ?? name.replaceAll("_", " "),
      inputSchema: input,
      ...(output !== undefined && { outputSchema: output }),
      ...(said as object),
      // An author who knows that outsiders write into a writer's answer declares this.
      ...(change?.writersAnswer === true &&
        declarations === "careful" &&
        isWriter && { output: { integrity: "untrusted" as const } }),
      execute: (args: unknown) => {
        ran.push({ name, args });
        const answers = change?.writersAnswer === true && isWriter;
        if (open !== true && !answers) return returns("", sender, args);
        nth += 1;
        const words = poison(nth - 1) ?? "";
        if (answers) return `ok ${words}`;
        const result = returns(words, sender, args);
        const { forge, wanted = {} } = change ?? {};
        return forge === undefined ? result : withForgeries(result, words, { ...forge, wanted }, careful.output);
      },
    }) as Tool;
  });
  return { tools, ran };
}
