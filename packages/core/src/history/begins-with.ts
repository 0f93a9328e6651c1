/** True if a list begins with all the items of another: with the same ones, not with equal ones. */
export function beginsWith<T>(list: readonly T[], beginning: readonly T[]): boolean {
  if (beginning.length > list.length) return false;
  for (let index = 0; index < beginning.length; index += 1) if (list[index] !== beginning[index]) return false;
  return true;
}
