import type { WithBodyChunks } from "./body-chunks.ts";

/** Parts of a response. */
export interface ResponseParts {
  readonly status: number;
  readonly statusText: string;
  /** Names and values, unchanged. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly url: string;
  readonly redirected: boolean;
  readonly chunks: AsyncIterable<Uint8Array> & { all?(): Promise<Uint8Array[]> };
}

/** A web stream over plain chunks; cancelling it cancels the chunks. */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts;
}

function toHeaders(raw: ResponseParts["headers"]): Headers {
  const headers = new Headers();
  for (const name of Object.keys(raw)) {
    const value = raw[name];
    if (typeof value === "string") headers.append(name, value);
    else if (value !== undefined) for (const item of value) headers.append(name, item);
  }
  return headers;
}

/**
 * The parts of the web's `Response` over plain chunks. A web stream is only created when `body` is read; the rarer
 * methods use a real `Response`.
 *
 * @see https://fetch.spec.whatwg.org/#response-class
 */
export class LeanResponse implements Response, WithBodyChunks {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly type: Response["type"] = "default";
  readonly #rawHeaders: ResponseParts["headers"];
  #headers: Headers | undefined;
  #chunks: ResponseParts["chunks"] | undefined;
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined;
  #used = false;

  constructor(parts: ResponseParts) {
    this.status = parts.status;
    this.statusText = parts.statusText;
    this.#rawHeaders = parts.headers;
    this.url = parts.url;
    this.redirected = parts.redirected;
    this.#chunks = parts.chunks;
    if (parts.status === 204 || parts.status === 205 || parts.status === 304) this.#stream = null;
  }

  get headers(): Headers {
    this.#headers ??= toHeaders(this.#rawHeaders);
    return this.#headers;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get bodyUsed(): boolean {
    return this.#used || this.#stream?.locked === true;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#stream === undefined) {
      const chunks = this.#take();
      this.#used = false;
      this.#stream = streamOf(chunks);
    }
    return this.#stream;
  }

  /** The body as plain chunks; consumes the body. */
  bodyChunks(): AsyncIterable<Uint8Array> {
    return this.#stream ? this.#stream : this.#take();
  }

  async text(): Promise<string> {
    if (this.#stream) return this.#full().text();
    if (this.#stream === null) return "";
    const chunks = this.#take();
    const parts = chunks.all === undefined ? await collect(chunks) : await chunks.all();
    const only = parts[0];
    const bytes = parts.length === 1 && only ? only : Buffer.concat(parts);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#full().arrayBuffer();
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  async blob(): Promise<Blob> {
    return this.#full().blob();
  }

  async formData(): Promise<FormData> {
    return this.#full().formData();
  }

  clone(): Response {
    if (this.bodyUsed) throw new TypeError("The body of this response was already read: clone it before reading.");
    const body = this.body;
    if (body === null)
      return new Response(null, { status: this.status, statusText: this.statusText, headers: this.headers });
    const [mine, theirs] = body.tee();
    this.#stream = mine;
    return new Response(theirs, { status: this.status, statusText: this.statusText, headers: this.headers });
  }

  #full(): Response {
    const body = this.body;
    this.#used = true;
    return new Response(body, { headers: this.headers });
  }

  #take(): ResponseParts["chunks"] {
    const chunks = this.#chunks;
    if (chunks === undefined) throw new TypeError("The body of this response was already read.");
    this.#chunks = undefined;
    this.#used = true;
    return chunks;
  }
}
