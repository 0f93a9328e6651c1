// Runs TypeDoc over the packages. TypeDoc makes a program for each package, and parses the libraries and dependencies
// again for each; here the programs share the parsed files.
import { fileURLToPath } from "node:url";
import { Application, Converter, ReflectionKind } from "typedoc";
import ts from "typescript";

// TypeDoc looks for its plugins next to itself, where a strict package manager does not put them.
const plugin = ["typedoc-plugin-markdown", "typedoc-vitepress-theme"].map((name) =>
  fileURLToPath(import.meta.resolve(name)),
);
const app = await Application.bootstrapWithPlugins({ plugin });

/** @type {Map<string, ts.SourceFile>} */
const parsed = new Map();
app.getDefinedEntryPoints = () => {
  // Packages import the source of each other, so nothing has to be built, and each file is parsed once.
  const options = { ...app.options.getCompilerOptions(app.logger), customConditions: ["@bailiwick/source"] };
  delete options.rootDir;
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile;
  host.getSourceFile = (name, format, ...rest) => {
    const details = typeof format === "object" ? format : { languageVersion: format };
    const key = [name, details.languageVersion, details.impliedNodeFormat, options.jsx].join("|");
    const file = parsed.get(key) ?? parse(name, format, ...rest);
    if (file !== undefined) parsed.set(key, file);
    return file;
  };
  const program = ts.createProgram({ rootNames: app.options.getFileNames(), options, host });
  return app.options.getValue("entryPoints").map((path) => {
    const sourceFile = program.getSourceFile(path);
    if (sourceFile === undefined) throw new Error(`${path} is not in the program of its package.`);
    return { displayName: path.replace(/^.*\/src\//, "").replace(/(?:\/index)?\.tsx?$/, ""), sourceFile, program };
  });
};

// A constructor without a doc comment, such as that of an error that users only catch, is not part of the reference.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project: read }) => {
  for (const constructor of read.getReflectionsByKind(ReflectionKind.Constructor))
    if (constructor.isDeclaration() && !constructor.signatures?.some((signature) => signature.hasComment()))
      read.removeReflection(constructor);
});
const project = await app.convert();
if (project === undefined) process.exit(1);
app.validate(project);
await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);
