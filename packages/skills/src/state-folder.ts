import { mkdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { ConfigurationError } from "@bailiwick/core/extension";

/**
 * The user's folder for acceptances and kept copies: in `XDG_STATE_HOME`, `LOCALAPPDATA` on Windows, else
 * `~/.local/state`.
 */
export function stateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const usual = process.platform === "win32" ? LOCALAPPDATA : XDG_STATE_HOME;
  return join(
    usual === undefined || usual === "" ? join(homedir(), ".local", "state") : resolve(usual),
    "bailiwick",
    "skills",
  );
}

/**
 * Refuses a state folder that lies in one of these folders: what writes there could accept skills.
 *
 * @param state - The state folder.
 * @param folders - Folders of sources.
 * @throws ConfigurationError `SKILL_ACCEPTANCES_EXPOSED`
 */
export function checkStateFolder(state: string, folders: readonly string[]): void {
  const at = realOf(state);
  for (const folder of folders) {
    const real = realOf(folder);
    if (at === real || at.startsWith(real.endsWith(sep) ? real : real + sep))
      throw new ConfigurationError(
        "SKILL_ACCEPTANCES_EXPOSED",
        `The folder for acceptances, ${at}, lies in ${real}, whose authors could accept skills there. Set XDG_STATE_HOME to a folder outside, or move the skills.`,
      );
  }
}

/** The folder without links, also if its last parts do not exist yet. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent.length).replace(sep, ""));
  }
}

/** Makes a folder that only this user can read and write. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
