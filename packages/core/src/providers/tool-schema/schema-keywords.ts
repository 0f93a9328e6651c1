/** Keywords whose value is a schema. */
export const schemaKeywords: ReadonlySet<string> = new Set(
  "items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);
/** Keywords whose value is a list of schemas. */
export const listKeywords: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
/** Keywords whose value is schemas by name. */
export const mapKeywords: ReadonlySet<string> = new Set(
  "properties patternProperties $defs definitions dependentSchemas".split(" "),
);
