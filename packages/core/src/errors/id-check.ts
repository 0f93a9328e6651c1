import type { Check } from "./value-checks.ts";

/** Text that identifies something. Some stores cannot tell halves of surrogate pairs apart. */
export const id: Check = (value) => {
  if (typeof value !== "string" || value === "") return "is a text, not empty";
  return value.isWellFormed() ? undefined : "is well-formed text";
};
