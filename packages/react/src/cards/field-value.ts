/** The parts of form fields that the cards read; programs without the types of a browser compile these files too. */
interface Field {
  readonly value: string;
  readonly checked: boolean;
  readonly valueAsNumber: number;
}

const fieldOf = (target: object): Field => target as Field;

/** The text of a field. */
export const textIn = (target: object): string => fieldOf(target).value;

/** True if a box is checked. */
export const isCheckedIn = (target: object): boolean => fieldOf(target).checked;

/** The number of a field; `undefined` for a text that is none. */
export function numberIn(target: object): number | undefined {
  const { valueAsNumber } = fieldOf(target);
  return Number.isNaN(valueAsNumber) ? undefined : valueAsNumber;
}
