// The functions that public options types take, by the compiler's own reading of the types.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root, workspaceFolders } from "./project.mjs";

/** The compiler with a program interface is a dependency of the documentation. */
const ts = createRequire(join(root, "docs/package.json"))("typescript");

/** Names of interfaces whose members are written by users. */
const isGroup = /(?:Options|Config|Handlers|Hooks|Settings)$/u;

/**
 * Lists the functions that members of exported options types are or may be.
 *
 * @param {(folder: string) => boolean} isWanted - Chooses packages by their folder.
 * @returns {string[]} such as `worker WebhookOptions.onGivenUp`, sorted
 */
export function publicCallbacks(isWanted = () => true) {
  /** @type {Map<string, string[]>} */
  const entries = new Map();
  for (const folder of workspaceFolders().filter((each) => each.startsWith("packages/") && isWanted(each))) {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    if (manifest.private === true) continue;
    const sources = Object.values(manifest.exports ?? {}).flatMap((target) => {
      const source = /** @type {Record<string, string>} */ (target)["@bailiwick/source"];
      return source === undefined ? [] : [join(root, folder, source)];
    });
    entries.set(
      folder,
      sources.filter((source) => existsSync(source)),
    );
  }
  const program = ts.createProgram({
    rootNames: [...entries.values()].flat(),
    options: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      customConditions: ["@bailiwick/source"],
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      jsx: ts.JsxEmit.ReactJSX,
    },
  });
  const checker = program.getTypeChecker();
  /** @type {Set<string>} */
  const found = new Set();
  for (const [folder, sources] of entries) {
    for (const source of sources) {
      const file = program.getSourceFile(source);
      const module = file && checker.getSymbolAtLocation(file);
      for (const exported of module ? checker.getExportsOfModule(module) : []) {
        const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
        if (!isGroup.test(symbol.name) || !(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)))
          continue;
        const [declaration] = symbol.declarations ?? [];
        if (declaration === undefined || !declaration.getSourceFile().fileName.includes(`/${folder}/src/`)) continue;
        const type = checker.getDeclaredTypeOfSymbol(symbol);
        for (const each of type.isUnion() ? type.types : [type])
          for (const member of each.getProperties()) {
            const own = member.declarations?.[0]?.getSourceFile().fileName.includes(`/${folder}/src/`);
            if (own && takesFunction(checker.getTypeOfSymbol(member)))
              found.add(`${folder.replace("packages/", "")} ${symbol.name}.${member.name}`);
          }
      }
    }
  }
  return [...found].toSorted();
}

/** @param {any} type */
function takesFunction(type) {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((/** @type {any} */ part) => part.getCallSignatures().length > 0);
}
