/** The longest delay that the timers of a platform accept, in milliseconds; a longer one would fire at once. */
export const longestDelayMs: number = 2 ** 31 - 1;
