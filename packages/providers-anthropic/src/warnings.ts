import type { Warning } from "@bailiwick/core/provider";

/**
 * The warning for a setting that was sent otherwise than asked.
 *
 * @param subject - Its name.
 * @param message - What was sent, and why.
 */
export function adjusted(subject: string, message: string): Warning {
  return { code: "adjusted_setting", message, subject };
}
