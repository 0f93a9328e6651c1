/** Path of the copy inside every host. */
export const root = "/workspace";
