import type { Warning } from "@bailiwick/core/provider";

/**
 * The warning for a setting that was sent with another value than requested.
 *
 * @param subject - Its name.
 * @param message - The setting that was sent, and the reason.
 */
export function adjusted(subject: string, message: string): Warning {
  return { code: "adjusted_setting", message, subject };
}
