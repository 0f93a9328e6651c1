/** A message of which a request shows a part. The conversation keeps the whole. */
export interface ShortenedMessage {
  /** Id of the message. */
  readonly messageId: string;
  /**
   * Maximum length of the text that is shown, in characters. With 0, a message of a person is left out and a note is in
   * its place; a system message is left out.
   */
  readonly characters: number;
  /** Handle with which the model can read the whole text. */
  readonly handle?: string | undefined;
  /** True if images, recordings and files are left out. */
  readonly withoutMedia?: boolean | undefined;
}
