/**
 * Parses incomplete JSON: open values are closed, half a literal or half a key is left out.
 *
 * @returns `undefined` until a value has begun.
 */
export function parsePartialJson(text: string): unknown {
  const closed = close(text);
  if (closed === undefined) return undefined;
  try {
    return JSON.parse(closed) as unknown;
  } catch {
    return undefined;
  }
}

function close(text: string): string | undefined {
  const open: ("}" | "]")[] = [];
  /** Position at which the text can be cut between whole members and items, and the open brackets there. */
  let safeEnd = -1;
  let safeOpen: readonly ("}" | "]")[] = [];
  let inString = false;
  let escaped = false;
  let isKey = false;
  let expectsKey = false;
  const safe = (end: number): void => {
    safeEnd = end;
    safeOpen = [...open];
  };

  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (inString) {
      if (escaped) escaped = false;
      else if (character === "\\") escaped = true;
      else if (character === '"') {
        inString = false;
        if (!isKey) safe(index + 1);
      }
      continue;
    }
    switch (character) {
      case '"':
        inString = true;
        isKey = expectsKey;
        break;
      case "{":
      case "[":
        open.push(character === "{" ? "}" : "]");
        expectsKey = character === "{";
        safe(index + 1);
        break;
      case "}":
      case "]":
        open.pop();
        expectsKey = false;
        safe(index + 1);
        break;
      case ",":
        // A number or literal is complete once another character follows it.
        safe(index);
        expectsKey = open.at(-1) === "}";
        break;
      case ":":
        expectsKey = false;
        break;
      default:
        break;
    }
  }
  if (inString && !isKey) {
    const body = escaped ? text.slice(0, -1) : text;
    // Half of a \u escape cannot be completed.
    return `${body.replace(/\\u[0-9a-fA-F]{0,3}$/, "")}"${open.toReversed().join("")}`;
  }
  if (safeEnd < 0) return undefined;
  return text.slice(0, safeEnd) + safeOpen.toReversed().join("");
}
