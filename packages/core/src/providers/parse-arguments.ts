/**
 * The `input` of a tool call: present when the argument text is JSON. Empty text means `{}`.
 *
 * @param text - The argument text as the model wrote it.
 */
export function parseArguments(text: string): { readonly input?: unknown } {
  if (text.trim() === "") return { input: {} };
  try {
    return { input: JSON.parse(text) as unknown };
  } catch {
    return {};
  }
}
