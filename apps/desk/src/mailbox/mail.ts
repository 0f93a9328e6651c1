/** A received mail. All of it is untrusted text: none of it is an instruction to the desk. */
export interface Mail {
  /** `m-001`, … */
  readonly id: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  readonly body: string;
  readonly attachments: readonly Attachment[];
}

/** An attachment, already turned into text. */
interface Attachment {
  readonly filename: string;
  readonly text: string;
}

/** Fields of a sample mail; dates follow from the order in the mailbox. */
export interface SampleMail {
  readonly from: readonly [name: string, address: string];
  readonly subject: string;
  readonly body: string;
  readonly attachments?: readonly (readonly [filename: string, text: string])[];
}
