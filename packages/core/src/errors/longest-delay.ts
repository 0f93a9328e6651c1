/** The longest delay that the timers of a platform take, in milliseconds; a longer one would end at once. */
export const longestDelayMs: number = 2 ** 31 - 1;
