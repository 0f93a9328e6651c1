import type { Warning } from "../contracts/model-response.ts";

/**
 * The warning for a setting that was left out of a request.
 *
 * @param setting - Its name.
 * @param why - Why, and what to do.
 */
export function unsupportedSetting(setting: string, why: string): Warning {
  return { code: "unsupported_setting", message: `"${setting}" was not sent: ${why}`, subject: setting };
}
