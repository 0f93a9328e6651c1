/** The sentences that answers are made of; `{words}` in braces are filled in. */
export interface Phrases {
  readonly greeting: string;
  readonly sorry: string;
  readonly placed: string;
  readonly shipped: string;
  readonly delivered: string;
  readonly cancelled: string;
  readonly refundDone: string;
  readonly refundRefused: string;
  readonly refundTooMuch: string;
  readonly refundedBefore: string;
  readonly notYours: string;
  readonly unknownOrder: string;
  readonly foundInstead: string;
  readonly askNumber: string;
  readonly product: string;
  readonly missing: string;
  readonly colleague: string;
  readonly signature: string;
}
