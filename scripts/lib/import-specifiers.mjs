// Import specifiers of a source file, as written.

const importPattern = new RegExp(
  [
    /(?:^|\n)\s*import\s+(?:[^"'`;=()]*?\bfrom\s*)?["']([^"']+)["']/,
    /(?:^|\n)\s*export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*["']([^"']+)["']/,
    /\bimport\(\s*["']([^"']+)["']\s*\)/,
  ]
    .map((pattern) => pattern.source)
    .join("|"),
  "g",
);

/**
 * @param {string} text a source file
 * @returns {string[]} what it imports, of every form; comments are not read
 */
export function importSpecifiers(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "");
  return [...code.matchAll(importPattern)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? "")
    .filter((specifier) => specifier !== "");
}
