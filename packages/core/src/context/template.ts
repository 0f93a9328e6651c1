import type { RunContext } from "../contracts/run-context.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { nearestNames } from "../errors/nearest-names.ts";
import { checkArgument } from "../errors/value-checks.ts";

/** Looks up the value of a name. */
export type TemplateValue = string | number | bigint | boolean;

type Trimmed<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trimmed<Rest> : Text;
type Names<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Trimmed<Name> | Names<Rest>
  : never;
type Member<Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? { readonly [Name in First]: Member<Rest> }
  : { readonly [Name in Path]: TemplateValue };
type All<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer Every) => void
  ? Every
  : never;

/**
 * The dependencies that a template needs, by the names in its text; `unknown` for a text that is not a literal type.
 */
export type TemplateDependencies<Text extends string> = string extends Text
  ? unknown
  : [Names<Text>] extends [never]
    ? unknown
    : All<Names<Text> extends infer Path extends string ? (Path extends string ? Member<Path> : never) : never>;

/**
 * Instructions with names that are filled from the run's `dependencies` before each model call: `{{shop.name}}` is
 * `dependencies.shop.name`. The types of the dependencies follow from the text.
 *
 * The values have the authority of instructions: use your own data, not text of a customer.
 *
 * @param text - Text with names in double braces and members behind dots; single braces are text.
 * @returns a function for `instructions`. It throws ConfigurationError `TEMPLATE_VALUE` for a value that is missing, or that
 * is not text, number or boolean: the run then fails before the model is asked.
 * @throws ConfigurationError `INVALID_TEMPLATE` for braces without a name in them.
 * @example
 * ```ts
 * import { Agent, template } from "@bailiwick/agent";
 * import type { ModelProvider } from "@bailiwick/agent";
 *
 * export async function greet(model: ModelProvider): Promise<string> {
 *   const desk = new Agent({
 *     name: "desk",
 *     model,
 *     instructions: template("You help the customers of {{shop.name}}, until {{closesAt}}."),
 *     dependencies: { shop: { name: "Harbour Books" }, closesAt: "18:00" },
 *   });
 *   return (await desk.run("Hello.")).text;
 * }
 * ```
 */
export function template<const Text extends string>(
  text: Text,
): (ctx: Pick<RunContext<TemplateDependencies<Text>>, "dependencies">) => string {
  checkArgument(text, "string", 'template("Hello {{name}}.")');
  const pieces = text.split(/\{\{\s*([\w$]+(?:\.[\w$]+)*)\s*\}\}/u);
  const broken = pieces.find((piece, index) => index % 2 === 0 && /\{\{|\}\}/u.test(piece));
  if (broken !== undefined) {
    throw new ConfigurationError(
      "INVALID_TEMPLATE",
      `A template holds double braces without a name: "${broken.slice(0, 80)}". Write {{name}} or {{thing.member}}, or pass a function as instructions.`,
    );
  }
  return ({ dependencies }) =>
    pieces.map((piece, index) => (index % 2 === 0 ? piece : valueAt(dependencies, piece))).join("");
}

function valueAt(dependencies: unknown, path: string): string {
  let value: unknown = dependencies;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      const near = typeof value === "object" && value !== null ? nearestNames(name, Object.keys(value)) : [];
      const hint = near.length === 0 ? "" : ` Did you mean ${near.map((one) => `"${one}"`).join(" or ")}?`;
      throw refusal(`finds no "${name}" of "${path}" in the run's dependencies.${hint}`);
    }
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  throw refusal(
    `can only fill in texts, numbers and booleans; "${path}" is ${value === null ? "null" : typeof value}.`,
  );
}

const refusal = (what: string): ConfigurationError =>
  new ConfigurationError(
    "TEMPLATE_VALUE",
    `A template of instructions ${what} Give it as "dependencies" of the agent or the run.`,
  );
