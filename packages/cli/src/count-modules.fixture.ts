// Loaded with --import: prints the packages of the loaded modules when the process gets a signal to end.
import { registerHooks } from "node:module";

const loaded = new Map<string, number>();
registerHooks({
  load(url, context, next) {
    const name = /packages\/([^/]+)\/src\//u.exec(url)?.[1] ?? /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(url)?.[1];
    const owner = url.startsWith("node:") ? "node" : (name ?? "other");
    loaded.set(owner, (loaded.get(owner) ?? 0) + 1);
    return next(url, context);
  },
});
process.once("SIGTERM", () => console.log(`loaded ${JSON.stringify(Object.fromEntries(loaded))}`));
