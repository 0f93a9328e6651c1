/**
 * Base address of the pages of error codes. The name is reserved and never resolves: a release sets the address of its
 * site here, for every error and tool.
 */
export const docsAddress = "https://bailiwick.invalid";

/** The address of the page that explains an error code. */
export function docsOf(code: string): string {
  return `${docsAddress}/errors/${code}`;
}
