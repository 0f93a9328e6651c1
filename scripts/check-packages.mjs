// Packs every published package as it would be published, and lets publint and attw judge the tarball.
import { judgePackages, packPackages } from "./lib/packed-packages.mjs";

const tarballs = await packPackages();
const problems = await judgePackages();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${tarballs.size} packages are fit to publish`);
