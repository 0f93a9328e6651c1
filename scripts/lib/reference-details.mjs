// Details of the names of a reference page: values, defaults, and the fields of events and of nested objects.

/** @type {readonly (readonly [RegExp, string])[]} */
const titles = [
  [/^Guardrails$/, "InputGuardrail"],
  [/^The tool definition interface.*/, "ToolDef"],
  [/^Prevent .* large tool results\.$/, "ToolResultLimit"],
  [/^Common events$/, "event"],
];

/**
 * The details of a page, such as `ChatMessage.role "user"`, `RetryConfig.maxRetries default 3` and
 * `event run.start: runId`.
 *
 * @param {string} text
 * @returns {readonly string[]} each once, in the order of the page
 */
export function detailsOfPage(text) {
  /** @type {string[]} */
  const details = [];
  /** A page of one interface; on other pages each type has a heading of one word. */
  const only = /^Interface: (\w+)/m.exec(text)?.[1];
  let type = only ?? "";
  let header = "";
  /** The property that a page without tables describes. */
  let property = "";
  for (const line of text.split("\n").map((one) => one.trim())) {
    const [pattern, title] = titles.find(([words]) => words.test(line)) ?? [];
    if (pattern !== undefined && title !== undefined) type = line.replace(pattern, title);
    else if (only === undefined && /^[A-Z][A-Za-z]+$/.test(line) && !/^(Methods|Example)$/.test(line)) type = line;
    if (line.startsWith("| ")) header = line;
    property = /^optional (\w+)\?: /.exec(line)?.[1] ?? property;
    const name = /^"?([\w.]+)\??"? \| /.exec(line)?.[1];
    if (name !== undefined) {
      details.push(...detailsOfRow(type === "event" ? `event ${name}` : `${type}.${name}`, line, header));
    } else if (property !== "") details.push(...detailsOfLine(`${type}.${property}`, line));
    else details.push(...detailsOfCode(line));
  }
  return [...new Set(details)];
}

/** The row of a table. @param {string} name @param {string} line @param {string} header */
function detailsOfRow(name, line, header) {
  // An example of a value is not one of the values.
  const said = line.slice(line.indexOf("|")).replace(/\((e\.g\.|when|required when|or) [^)]*\)/g, "");
  const cells = line
    .replace(/\|$/, "")
    .split("|")
    .map((cell) => cell.trim());
  const given = header.includes("| Default |") ? cells.at(-2) : /\bDefault (\S+)/.exec(line)?.[1];
  const standard = (given ?? "").replace(/ \(.*\)$/, "").replace(/^["']|["']$/g, "");
  return [
    ...[...said.matchAll(/["']([\w./]+)["']/g)].map(([, value]) => `${name} "${value}"`),
    ...(/\| null \|/.test(said) ? [`${name} null`] : []),
    ...(["", "—", "-", "undefined", "Built-in"].includes(standard) ? [] : [`${name} default ${standard}`]),
    ...[...said.matchAll(/\{([^}]*)\}/g)]
      .flatMap(([, fields = ""]) => fields.split(/[;,]/))
      .flatMap((field) => /^\s*(\w+)\??(?::|\s*$)/.exec(field)?.[1] ?? [])
      .map((field) => `${name}: ${field}`),
  ];
}

/** A line below a property that has no table. @param {string} name @param {string} line */
function detailsOfLine(name, line) {
  return [
    ...[...line.matchAll(/Default \((\w+)\)/g)].map(([, value]) => `${name} default ${value}`),
    ...[...line.matchAll(/\b(?:event|nested)\.(\w+)/g)].map(([, field]) => `${name}: ${field}`),
    ...[...line.matchAll(/^(on[A-Z]\w+)\(botName, event\)(?! \{$(?<=^onToken.*))/g)].map(
      ([, handler]) => `${name}: ${handler}`,
    ),
    ...[...line.matchAll(/(?<=: .*|=== )["']([a-z]+(?:_[a-z]+)*)["'](?! *,$)/g)].map(
      ([, value]) => `${name} "${value}"`,
    ),
    ...[...line.matchAll(/^(?:[?:] )\{ (\w+): \w+(?:, (\w+): .*)? \};?$/g)].flatMap(([, one, other]) =>
      [one, other].flatMap((field) => (field === undefined ? [] : [`${name}: ${field}`])),
    ),
  ];
}

/** A line of code, and the sentence about retries. @param {string} line */
function detailsOfCode(line) {
  if (line.startsWith("Default retryable errors: "))
    return [...line.matchAll(/\b(E[A-Z]+|429|5xx)\b|“([^”]+)”/g)].map(
      ([, code, words]) => `retried by default: ${code ?? `"${words}"`}`,
    );
  return [
    ...[...line.matchAll(/\brequest\.(\w+)/g)].map(([, field]) => `ApprovalConfig.onApproval: ${field}`),
    ...[...line.matchAll(/return \{ (approved): true \}/g)].map(([, field]) => `ApprovalConfig.onApproval: ${field}`),
    ...[...line.matchAll(/^\{ pass: (\w+)/g)].map(([, value]) => `GuardrailResult.pass ${value}`),
    ...(line.startsWith("{ pass: false, reason: ") ? ["GuardrailResult.reason"] : []),
  ];
}

/**
 * The differences between the pages and the rows that the scripts show, one line each.
 *
 * @param {readonly string[]} details of all pages
 * @param {readonly string[]} listed in `examples/reference/rows.json`
 * @returns {readonly string[]}
 */
export function unlisted(details, listed) {
  return [
    ...details.filter((one) => !listed.includes(one)).map((one) => `examples/reference/rows.json: ${one} is missing`),
    ...listed
      .filter((one) => !details.includes(one))
      .map((one) => `examples/reference/rows.json: ${one} is on no page`),
  ];
}
