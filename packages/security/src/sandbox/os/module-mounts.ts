import { fs, path } from "../node.ts";
import type { Mount } from "./granted-paths.ts";

/**
 * Files that Node needs to load a module and its imports: its folder, the `node_modules` of each folder above, and
 * the nearest `package.json`, which sets the kind of module.
 *
 * @param file - The module, absolute.
 */
export function moduleMounts(file: string): readonly Mount[] {
  const folder = path.dirname(file);
  const names = new Set([folder]);
  let hasManifest = false;
  for (let at = folder; ; at = path.dirname(at)) {
    const modules = path.join(at, "node_modules");
    if (fs.existsSync(modules)) names.add(modules);
    const manifest = path.join(at, "package.json");
    if (!hasManifest && fs.existsSync(manifest)) {
      hasManifest = true;
      names.add(manifest);
    }
    if (at === path.dirname(at)) break;
  }
  return [...names].flatMap((target) => {
    const source = fs.realpathSync(target);
    const seen: Mount = { source, target, writable: false };
    return source === target ? [seen] : [{ source, target: source, writable: false }, seen];
  });
}
