// The "repository" of a published manifest.

/**
 * Adds the repository of the workflow that publishes. A registry accepts provenance only when it names the same one,
 * and a fork of the project publishes under its own address.
 *
 * @param {Record<string, unknown>} manifest - A package.json.
 * @param {string} directory - Folder of the package in the repository.
 * @param {Readonly<Record<string, string | undefined>>} env - Variables of GitHub Actions.
 * @throws {Error} without the address of the repository
 */
export function withRepository(manifest, directory, { GITHUB_SERVER_URL, GITHUB_REPOSITORY }) {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY)
    throw new Error("GITHUB_SERVER_URL and GITHUB_REPOSITORY are not set: provenance needs the repository's address.");
  const url = `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
  return { ...manifest, repository: { type: "git", url, directory } };
}
