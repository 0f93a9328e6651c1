import type { JsonSchema } from "../contracts/json.ts";
import { isObject } from "../errors/value-checks.ts";

/** A part of a schema: a boolean accepts or refuses every value. */
export type SchemaPart = JsonSchema | boolean;

/** Keywords whose members are schemas by name, and keywords without a schema. All others may contain one. */
const maps = words("$defs definitions properties patternProperties dependentSchemas");
const lists = words("prefixItems items allOf anyOf oneOf");
const plain = words(
  "id $id $ref $schema $anchor $vocabulary $comment default enum const required dependentRequired type maximum minimum " +
    "exclusiveMaximum exclusiveMinimum multipleOf maxLength minLength pattern format maxItems minItems uniqueItems " +
    "maxProperties minProperties",
);

/**
 * Resolves the references of a schema.
 *
 * @param root - The schema. Only references inside it are found.
 * @returns The target of each part that has a `$ref` or `$recursiveRef`.
 * @throws Error if two schemas have one address, or an address is invalid.
 */
export function referencesOf(root: JsonSchema, missing: (reference: string) => void): ReadonlyMap<object, SchemaPart> {
  const known = new Map<string, SchemaPart>();
  const references = new Map<object, readonly [reference: string, address: string]>();
  const add = (address: string, part: SchemaPart): void => {
    if ((known.get(address) ?? part) !== part) throw new Error(`Duplicate schema URI "${address}".`);
    known.set(address, part);
  };
  const visit = (part: unknown, base: string, pointer: string): void => {
    if (typeof part === "boolean") return add(base + pointer, part);
    if (!isObject(part)) return;
    let address = base;
    const { $id: id = part["id"], $anchor: anchor } = part;
    if (typeof id === "string" && id !== "") {
      const own = addressOf(id, base);
      if (!own.endsWith("#")) add(own, part);
      else if (pointer === "") address = own;
      else visit(part, own, "");
    }
    add(address + pointer, part);
    if (typeof anchor === "string") add(address + anchor, part);
    const reference = part["$ref"] ?? part["$recursiveRef"];
    if (typeof reference === "string" && !references.has(part))
      references.set(part, [reference, addressOf(reference, address)]);
    for (const [keyword, inner] of Object.entries(part)) {
      if (plain.has(keyword) || (Array.isArray(inner) && !lists.has(keyword))) continue;
      const place = `${pointer}/${escaped(keyword)}`;
      if (!Array.isArray(inner) && !maps.has(keyword)) visit(inner, address, place);
      else for (const [key, member] of Object.entries(inner ?? {})) visit(member, address, `${place}/${escaped(key)}`);
    }
  };
  visit(root, "json-schema:///#", "");
  const targets = new Map<object, SchemaPart>();
  for (const [part, [reference, address]] of references) {
    const target = known.get(address);
    if (target === undefined) missing(reference);
    else targets.set(part, target);
  }
  return targets;
}

/** An absolute address with a decoded fragment; of a whole schema it ends in `#`. */
function addressOf(reference: string, base: string): string {
  const url = new URL(reference, base);
  const fragment = url.hash.slice(1);
  url.hash = "";
  return `${url.href}#${decoded(fragment)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
