import type { SharedV3Warning, SharedV4Warning } from "@ai-sdk/provider";
import type { Warning } from "@bailiwick/core/provider";

/**
 * Warnings of an AI SDK model in this framework's form.
 *
 * @param given - As the model reported them.
 */
export function readWarnings(given: readonly (SharedV4Warning | SharedV3Warning)[] | undefined): readonly Warning[] {
  return (given ?? []).map(readWarning);
}

function readWarning(warning: SharedV4Warning | SharedV3Warning): Warning {
  switch (warning.type) {
    case "unsupported":
      return {
        code: "unsupported_setting",
        message: `"${warning.feature}" is not supported by the model: ${warning.details ?? "it was left out."}`,
        subject: warning.feature,
      };
    case "compatibility":
      return {
        code: "compatibility",
        message: `"${warning.feature}" works in a reduced form: ${warning.details ?? "the vendor does not support it fully."}`,
        subject: warning.feature,
      };
    case "deprecated":
      return {
        code: "deprecated",
        message: `"${warning.setting}" is deprecated: ${warning.message}`,
        subject: warning.setting,
      };
    default:
      return { code: "model_warning", message: warning.message };
  }
}
