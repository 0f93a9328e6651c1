import type { JsonSchema } from "../contracts/json.ts";
import type { SanitizerPort } from "../contracts/ports/security.ts";
import type { Tool } from "../contracts/tool.ts";
import { InvalidToolError } from "../errors/configuration-errors.ts";

/** Texts of a tool, as the model sees them. */
export interface ForeignWords {
  readonly description: string;
  readonly jsonSchema: JsonSchema;
  /** True if text was removed. */
  readonly changed: boolean;
}

/**
 * An untrusted source's text about its tool, without invisible characters and without text that imitates a
 * conversation or this framework.
 *
 * @throws InvalidToolError if the name of an argument contains such text: it cannot be renamed.
 */
export function foreignWords(tool: Tool, jsonSchema: JsonSchema, sanitizer: SanitizerPort): ForeignWords {
  const description = sanitizer.display(tool.description);
  let changed = description !== tool.description;
  const clean = (value: unknown, isWord: boolean): unknown => {
    if (typeof value === "string") {
      const shown = sanitizer.display(value);
      if (shown === value) return value;
      if (!isWord) refuse(tool.name, "a value of its inputSchema");
      changed = true;
      return shown;
    }
    if (Array.isArray(value)) return value.map((item) => clean(item, isWord));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        if (sanitizer.display(name) !== name) refuse(tool.name, "the name of an argument");
        return [name, clean(item, wordKeys.has(name) && typeof item === "string")];
      }),
    );
  };
  const shown = clean(jsonSchema, false) as JsonSchema;
  return { description, jsonSchema: changed ? shown : jsonSchema, changed };
}

/** Members of a JSON Schema that contain text for the model and do not validate. */
const wordKeys: ReadonlySet<string> = new Set(["description", "title", "$comment"]);

function refuse(toolName: string, what: string): never {
  throw new InvalidToolError(
    toolName,
    `${what} contains invisible characters or conversation markup, which its source may not send. Leave the tool out, or have it fixed.`,
  );
}
