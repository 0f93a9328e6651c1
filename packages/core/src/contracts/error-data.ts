/** Error as data, in events and outputs. */
export interface ErrorData {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}
