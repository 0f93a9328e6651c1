// Dependencies point down only: each package may use the packages of a table and no other, and in a package neither
// folders nor files import each other in a circle.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forbiddenDependencies } from "./lib/dependency-rules.mjs";
import { filesBelow } from "./lib/files.mjs";
import { root, workspaceFolders } from "./lib/project.mjs";
import { folderCircles } from "./lib/folder-circles.mjs";

const packages = workspaceFolders()
  .filter((folder) => folder.startsWith("packages/"))
  .map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")),
    sources: filesBelow([`${folder}/src`], (path) => /\.tsx?$/.test(path)).map((path) => ({
      path,
      text: readFileSync(join(root, path), "utf8"),
    })),
  }));

const problems = [
  ...forbiddenDependencies(packages),
  ...packages.flatMap(({ sources }) =>
    folderCircles(sources.filter(({ path }) => !/\.(?:test|test-d|fixture|test\.helper)\.tsx?$/.test(path))),
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${packages.length} packages depend downwards only`);
