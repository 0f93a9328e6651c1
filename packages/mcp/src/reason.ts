/** The reason of a failure with its cause: `fetch` only reports that it failed. */
export function reasonOf(error: unknown): string {
  const said: string[] = [];
  let at: unknown = error;
  for (let depth = 0; depth < 4 && at instanceof Error; depth += 1) {
    const text = at.message === "" ? ((at as { readonly code?: string }).code ?? at.name) : at.message;
    if (!said.some((one) => one.includes(text))) said.push(text);
    at = at.cause;
  }
  return said.join(": ").slice(0, 500) || String(error).slice(0, 500);
}
