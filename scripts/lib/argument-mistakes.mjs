// Calls each function that applications import with arguments that JavaScript callers pass by mistake, and prints as JSON
// how many there are, the names of those that throw an error without a code, and of those that accept options with an
// unknown name. Run with --conditions=@bailiwick/source.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { root, workspaceFolders } from "./project.mjs";

/** Entry points for authors of providers, stores and extensions, and those that need another host. */
const forAuthors =
  /^(?:core(?: \.\/(?:provider|store|extension))?|.* \.\/portable|store-durable-objects|react|security \.\/net)$/u;

const misspelt = [{ zzzz: 1 }];
const mistakes = [[], [null], [5], [[]], misspelt];

// A promise that is not awaited may reject later.
process.on("unhandledRejection", () => undefined);

/** @type {Set<string>} */
const failing = new Set();
/** @type {Set<string>} */
const accepting = new Set();
let tried = 0;
for (const folder of workspaceFolders().filter((each) => each.startsWith("packages/"))) {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  if (manifest.private === true) continue;
  for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
    const source = /** @type {Record<string, string>} */ (target)["@bailiwick/source"];
    if (source === undefined || !existsSync(join(root, folder, source))) continue;
    if (forAuthors.test(`${folder.slice("packages/".length)}${entry === "." ? "" : ` ${entry}`}`)) continue;
    const module = await import(pathToFileURL(join(root, folder, source)).href);
    for (const [name, make] of Object.entries(module)) {
      if (typeof make !== "function" || /^[A-Z]/u.test(name)) continue;
      tried += 1;
      for (const given of mistakes) {
        const outcome = await outcomeOf(() => make(...given));
        if (outcome === "no code") failing.add(name);
        if (outcome === "accepted" && given === misspelt) accepting.add(`${folder.slice("packages/".length)} ${name}`);
      }
    }
  }
}
console.log(JSON.stringify({ tried, failing: [...failing].toSorted(), accepting: [...accepting].toSorted() }));
process.exit(0);

/**
 * Says if a call is refused, with or without a code. A function that still works after a second, such as `doctor()`,
 * took the argument. The second has twenty parts, because a process that is paused for one of them still gets the others.
 *
 * @param {() => unknown} call
 */
async function outcomeOf(call) {
  try {
    await Promise.race([call(), aSecond()]);
    return "accepted";
  } catch (error) {
    return typeof (/** @type {{ code?: unknown }} */ (error).code) === "string" ? "refused" : "no code";
  }
}

async function aSecond() {
  for (let part = 0; part < 20; part += 1) await setTimeout(50);
}
