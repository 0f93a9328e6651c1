import { checkArgument } from "@bailiwick/core";
import type { Declarations, ToolDeclaration } from "./declarations.ts";

/**
 * Writes declarations as a TypeScript module, with the reason for each entry.
 *
 * @param declarations - From `proposeDeclarations()`.
 * @returns Text of a module that exports `declarations`.
 * @example
 * ```ts
 * import { declarationsFile } from "@bailiwick/agent/declare";
 *
 * console.log(declarationsFile({ search_mail: { changes: "nothing", definition: "" } }));
 * ```
 */
export function declarationsFile(declarations: Declarations): string {
  checkArgument(declarations, "object", "declarationsFile(declarations)");
  const entries = Object.entries(declarations).map(
    ([name, declaration]) => `${comment(declaration)}  ${nameOf(name)}: ${written(declaration)},\n`,
  );
  return [
    "// Written by `bailiwick declare`. Review each entry: what you change here stays until the tool changes.\n",
    `import type { Declarations } from "@bailiwick/agent/declare";\n\n`,
    `export const declarations: Declarations = {\n${entries.join("")}};\n`,
  ].join("");
}

function comment({ why }: ToolDeclaration): string {
  return why === undefined ? "" : `  // ${why.replaceAll(/\s+/gu, " ")}\n`;
}

function nameOf(name: string): string {
  return /^[A-Za-z_]\w*$/u.test(name) ? name : JSON.stringify(name);
}

function written({ why: _why, ...declaration }: ToolDeclaration): string {
  return JSON.stringify(declaration, undefined, 2)
    .replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gmu, "$1$2:")
    .replaceAll("\n", "\n  ");
}
