import type { Warning } from "@bailiwick/core";

/**
 * The warning for a setting that was left out.
 *
 * @param setting - Its name.
 * @param why - Why, and what to do.
 */
export function unsupportedSetting(setting: string, why: string): Warning {
  return { code: "unsupported_setting", message: `"${setting}" was not sent: ${why}`, subject: setting };
}

/**
 * The warning for a setting that was sent otherwise than asked.
 *
 * @param subject - Its name.
 * @param message - What was sent, and why.
 */
export function adjusted(subject: string, message: string): Warning {
  return { code: "adjusted_setting", message, subject };
}
