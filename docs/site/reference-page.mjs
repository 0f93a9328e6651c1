/**
 * Fits a page of TypeDoc to the site: names each source by its path, since the site has no page to link to, and writes
 * the anchors of members as VitePress writes the links to them.
 *
 * @param {string} markdown
 * @returns {string}
 */
export function adaptReferencePage(markdown) {
  return markdown
    .replace(/\[([^\]\n]+)\]\((?:packages|node_modules)\/[^)\s]+#[lL]\d+\)/g, (_, name) =>
      // A dependency is named by its package, without the folders in which the package manager keeps it.
      String(name).replace(/^.*node\\?_modules\//, ""),
    )
    .replace(/<a id="([^"]+)">/g, (_, id) => `<a id="${String(id).replaceAll("_", "-")}">`);
}
