import type { JsonSchema } from "../contracts/json.ts";
import type { Tool } from "../contracts/tool.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import { InvalidToolError } from "../errors/configuration-errors.ts";
import { parsePath } from "../tools/paths.ts";
import { schemaHasPath } from "../tools/schema-paths.ts";

/**
 * Checks that every path a tool declares leads somewhere: `flow` in the arguments, `output.fields` in the output.
 * Without an `outputSchema` that can be read, a field's path is checked for its form only.
 *
 * @throws InvalidToolError that names the path and the schema it is not in.
 */
export function validatePaths(tool: Tool, input: JsonSchema, output: JsonSchema | undefined): void {
  for (const field of ["authority", "payload", "egress"] as const) {
    for (const path of tool.flow?.[field] ?? []) check(tool.name, `flow.${field}`, path, input, "inputSchema");
  }
  for (const path of Object.keys(tool.output?.fields ?? {})) {
    check(tool.name, "output.fields", path, output, "outputSchema");
  }
  const { payload = [], authority = [], egress = [] } = tool.flow ?? {};
  const twice = payload.find((path) => authority.includes(path) || egress.includes(path));
  if (twice !== undefined) {
    throw new InvalidToolError(
      tool.name,
      `flow names "${twice}" as payload and as ${authority.includes(twice) ? "authority" : "egress"}; an argument is free content or it is not.`,
    );
  }
}

function check(
  toolName: string,
  field: string,
  path: string,
  schema: JsonSchema | undefined,
  schemaName: string,
): void {
  let steps;
  try {
    steps = parsePath(path);
  } catch (cause) {
    if (!BailiwickError.isInstance(cause)) throw cause;
    throw new InvalidToolError(toolName, `${field}: ${cause.message}`, { cause });
  }
  if (steps.length === 0) throw new InvalidToolError(toolName, `${field} has an empty path.`);
  if (schema !== undefined && !schemaHasPath(schema, steps)) {
    throw new InvalidToolError(toolName, `${field} names "${path}", which is not in ${schemaName}.`);
  }
}
