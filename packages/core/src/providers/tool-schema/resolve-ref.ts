import { isJsonObject } from "../json-shapes.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * The schema that a local reference points to; `undefined` if it points nowhere, or to another document.
 *
 * @param reference - Such as `#/$defs/Address`.
 * @param root - The schema in which references are resolved.
 */
export function resolveReference(reference: string, root: Json): Json | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return isJsonObject(found) ? found : undefined;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
