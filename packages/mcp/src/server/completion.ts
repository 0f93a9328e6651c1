/**
 * Suggests values for an argument. @param typed - The beginning that the person has typed. @param others - Arguments
 * that already have a value.
 *
 * @param typed - The beginning that the person has typed.
 * @param others - Arguments that have a value already.
 */
export type Completion = (
  typed: string,
  others: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;
