import type { ClientToolDefinition } from "@bailiwick/core";
import type { AgUiOptions } from "./ag-ui-options.ts";
import { asObject, asText } from "./read-body.ts";
import { invalid } from "./request-error.ts";

/** Maximum number of tools of a page. */
const mostTools = 64;

/**
 * The tools that a page offers, as tools of the run's client.
 *
 * @param given - The list of the request.
 * @param terms - The operator's limits.
 * @param warn - Called with a message about tools that are left out.
 * @throws RequestError `INVALID_REQUEST`
 */
export function readPageTools(
  given: readonly unknown[],
  terms: AgUiOptions["tools"],
  warn: (message: string) => void,
): readonly ClientToolDefinition[] {
  if (given.length === 0) return [];
  if (terms === false) throw invalid('"tools" has to be empty: this agent takes no tools of pages.');
  if (given.length > mostTools) throw invalid(`"tools" may have ${mostTools} entries at most.`);
  const known = new Map<string, ClientToolDefinition>();
  for (const [index, entry] of given.entries()) {
    const { name: givenName, description, parameters } = asObject(entry, `tools[${index}]`);
    const name = asText(givenName, `tools[${index}].name`);
    if (!/^[A-Za-z0-9._-]{1,128}$/u.test(name))
      throw invalid(`tools[${index}].name has to be 1 to 128 of the characters A-Z a-z 0-9 . _ -`);
    const own = typeof terms === "object" ? terms[name] : {};
    if (own === undefined || (typeof terms === "object" && !Object.hasOwn(terms, name))) {
      warn(`The page's tool "${name}" is left out: this agent does not take it.`);
      continue;
    }
    if (known.has(name)) throw invalid(`"tools" has two tools named "${name}".`);
    const inputSchema =
      parameters === undefined || parameters === null ? noInput : asObject(parameters, `tools[${index}].parameters`);
    const said =
      typeof description === "string" && description.trim() !== "" ? description : `The page's tool ${name}.`;
    known.set(name, { name, description: said, inputSchema, ...own });
  }
  return [...known.values()];
}

const noInput = { type: "object", properties: {} } as const;
