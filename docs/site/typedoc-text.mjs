// Types and comments of TypeDoc's JSON as text.

/**
 * A comment's summary as Markdown. Links become code: their targets are on other pages.
 *
 * @param {any} comment
 * @returns {string}
 */
export function markdownOfComment(comment) {
  const parts = comment?.summary ?? [];
  return parts
    .map((/** @type {any} */ part) => (part.kind === "inline-tag" ? `\`${part.text}\`` : part.text))
    .join("")
    .trim();
}

/**
 * A type as a person would write it: without `undefined`, with functions and large objects shortened.
 *
 * @param {any} type
 * @returns {string}
 */
export function typeText(type) {
  if (type === undefined) return "unknown";
  switch (type.type) {
    case "intrinsic":
      return type.name;
    case "literal":
      return JSON.stringify(type.value);
    case "reference":
      return type.typeArguments === undefined || /^(?:Schema|RunContext)$/.test(type.name)
        ? type.name
        : `${type.name}<${type.typeArguments.map(typeText).join(", ")}>`;
    case "array":
      return /[ |]/.test(typeText(type.elementType))
        ? `(${typeText(type.elementType)})[]`
        : `${typeText(type.elementType)}[]`;
    case "typeOperator":
      return type.operator === "readonly" ? typeText(type.target) : `${type.operator} ${typeText(type.target)}`;
    case "union":
      return unionText(type.types);
    case "intersection":
      return type.types.map(typeText).join(" & ");
    case "tuple":
      return `[${(type.elements ?? []).map(typeText).join(", ")}]`;
    case "reflection":
      return objectText(type.declaration);
    case "indexedAccess":
      return `${typeText(type.objectType)}[${typeText(type.indexType)}]`;
    case "query":
      return `typeof ${typeText(type.queryType)}`;
    case "templateLiteral":
      return "string";
    default:
      return type.name ?? "unknown";
  }
}

/**
 * A function with the names of its parameters and the type that it returns.
 *
 * @param {any} signature
 * @returns {string}
 */
export function functionText(signature) {
  const names = (signature.parameters ?? []).map((/** @type {any} */ one) =>
    one.name === "__namedParameters" ? "{ … }" : one.name,
  );
  return `(${names.join(", ")}) => ${typeText(signature.type)}`;
}

/** @param {readonly any[]} types */
function unionText(types) {
  const texts = types
    .filter((one) => !(one.type === "intrinsic" && one.name === "undefined"))
    .map((one, _index, all) => (all.length > 1 && isFunction(one) ? `(${typeText(one)})` : typeText(one)));
  if (texts.includes("true") && texts.includes("false"))
    return ["boolean", ...texts.filter((one) => one !== "true" && one !== "false")].join(" | ");
  return [...new Set(texts)].join(" | ");
}

/** @param {any} type */
const isFunction = (type) => type.type === "reflection" && type.declaration?.signatures !== undefined;

/** @param {any} declaration */
function objectText(declaration) {
  if (declaration?.signatures !== undefined) return functionText(declaration.signatures[0]);
  const names = (declaration?.children ?? []).map((/** @type {any} */ one) => one.name);
  if (names.length === 0) return "object";
  return names.length > 6 ? `{ ${names.slice(0, 6).join(", ")}, … }` : `{ ${names.join(", ")} }`;
}

/**
 * The members of an interface, or of an alias of an object type or an intersection.
 *
 * @param {any} type
 * @returns {any[]}
 */
export function membersOf(type) {
  const members = type.children ?? type.type?.declaration?.children;
  if (members !== undefined) return members;
  return (type.type?.types ?? []).flatMap((/** @type {any} */ part) => part.declaration?.children ?? []);
}
