/**
 * The address that pages of error codes are below. It is a reserved name that never resolves: a release sets the
 * address of its site here, and every error and tool follows.
 */
export const docsAddress = "https://bailiwick.invalid";

/** The address of the page that explains an error code. */
export function docsOf(code: string): string {
  return `${docsAddress}/errors/${code}`;
}
