// The error codes that the published packages can show to a person, read from their sources.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./files.mjs";
import { root } from "./project.mjs";

/** Packages in which most words in upper case belong to a vendor: only thrown codes count there. */
const foreign = /packages\/(?:providers-[\w-]+|testing)\//;

/** Words in upper case that are not error codes: variables of the environment, and codes of others. */
const notCodes =
  /^(?:\w+_API_KEY|HTTPS_PROXY|HTTP_PROXY|NO_PROXY|NO_COLOR|NODE_(?:OPTIONS|ENV|NO_WARNINGS|USE_ENV_PROXY)|E(?:CONN|HOST|NET|PIPE)[A-Z]*|ERR_\w+|UND_ERR_\w+|EAI_AGAIN|OPENAI_\w+|GOOGLE_\w+|BAILIWICK_\w+|ERA_NEGOTIATION_FAILED|API_KEY_INVALID|HF_TOKEN|ANTHROPIC_AUTH_TOKEN|GOOGLE_CLOUD_PROJECT|GITHUB_TOKEN|XDG_STATE_HOME)$/;

/**
 * Finds every error code in the shipped sources.
 *
 * @returns {Map<string, string[]>} the files that name each code
 */
export function codesInSource() {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const add = (/** @type {string} */ code, /** @type {string} */ path) => {
    const files = found.get(code) ?? [];
    if (!files.includes(path)) found.set(code, [...files, path]);
  };
  const files = filesBelow(
    ["packages"],
    (path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path) && !/\.(?:test|test-d|fixture|test\.helper)\.ts$/.test(path),
  );
  for (const path of files) {
    const text = readFileSync(join(root, path), "utf8").replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
    const pattern = foreign.test(path)
      ? /(?:new \w*Error|super|fault|failure)\(\s*"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"|\|\s*"(CASSETTE_[A-Z]+)"|: "(SCRIPT_[A-Z]+)"|kind\("([A-Z_]+)"/g
      : /"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"/g;
    for (const match of text.matchAll(pattern)) {
      const code = match.slice(1).find((one) => one !== undefined) ?? "";
      if (!notCodes.test(code)) add(code, path);
    }
    // Codes of one word.
    for (const [, code = ""] of text.matchAll(/(?:code: |super\(\s*)"([A-Z]{6,})"/g))
      if (!notCodes.test(code)) add(code, path);
  }
  return found;
}
