import { InvalidArgumentError } from "commander";

/** Reads an option that is a whole number from 1. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("Give a whole number from 1.");
}

/** Reads an option that is a whole number from 0. */
export function countFromZero(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0 && text.trim() !== "") return value;
  throw new InvalidArgumentError("Give a whole number from 0.");
}

/** Reads a port; 0 takes a free one. */
export function portNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0 && value <= 65_535 && text.trim() !== "") return value;
  throw new InvalidArgumentError("Give a port from 0 to 65535.");
}

/** Reads an amount in US dollars, above 0. */
export function dollars(text: string): number {
  const value = Number(text.replace(/^\$/u, ""));
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("Give an amount above 0, such as 2.50.");
}
