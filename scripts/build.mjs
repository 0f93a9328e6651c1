// Installs what is missing and builds every package: what runs beside other things finds both done.
import { enterProject } from "./lib/project.mjs";

await enterProject();
const { buildPackages } = await import("./lib/packed-packages.mjs");
await buildPackages();
