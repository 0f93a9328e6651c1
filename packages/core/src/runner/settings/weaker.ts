/**
 * Takes a setting that asks for less than is demanded; the demand holds, unless this throws.
 *
 * @param option - The option, with its field.
 * @param demanded - Its value, as it holds.
 * @param asked - The weaker value.
 */
export type Weaker = (option: string, demanded: unknown, asked: unknown) => void;
