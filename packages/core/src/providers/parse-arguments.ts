/**
 * The `input` of a tool call: present if the argument text is JSON. Empty text means `{}`. An object that was encoded
 * twice, as by some servers of open models, is read as the object.
 *
 * @param text - The argument text as the model wrote it.
 */
export function parseArguments(text: string): { readonly input?: unknown } {
  if (text.trim() === "") return { input: {} };
  try {
    const input = JSON.parse(text) as unknown;
    const inner =
      typeof input === "string" && input.trimStart().startsWith("{") ? parseArguments(input).input : undefined;
    return { input: inner ?? input };
  } catch {
    return {};
  }
}
