import { ProtocolError, ProtocolErrorCode, UriTemplate } from "@modelcontextprotocol/server";
import type { ReadResourceResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { McpCaller } from "./served-agent.ts";
import type { Completion } from "./completion.ts";

/** A request for a resource. */
export interface ResourceRequest {
  /** Address that the client asked for. */
  readonly uri: string;
  /** Values of the template's variables, decoded; empty for a resource without variables. */
  readonly params: Readonly<Record<string, string>>;
  /** The caller that `authorize` returned. */
  readonly caller: McpCaller;
  /** Aborted when the client no longer needs the answer. */
  readonly signal: AbortSignal;
}

/** Content of a resource: text, or bytes. */
export type ResourceContent = string | Uint8Array;

/** A resource that clients can read. */
export interface ServedResource {
  /** Address, such as `shop://terms`, or a template of addresses (RFC 6570), such as `shop://orders/{id}`. */
  readonly uri: string;
  /** Name of the resource. */
  readonly name: string;
  /** Title that clients show. Default: the name. */
  readonly title?: string | undefined;
  /** Description that clients show. */
  readonly description?: string | undefined;
  /** Default `text/plain` for text, `application/octet-stream` for bytes. */
  readonly mimeType?: string | undefined;
  /** The content, or a function that returns it; `undefined` if there is no such resource. */
  readonly content:
    | ResourceContent
    | ((request: ResourceRequest) => ResourceContent | undefined | Promise<ResourceContent | undefined>);
  /** Suggests values for the variables of a template, by name. Default: none are suggested. */
  readonly complete?: Readonly<Record<string, Completion>> | undefined;
}

/** Lists and reads resources. */
export interface Resources {
  readonly listed: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  /** @throws ProtocolError for an address without a resource. */
  read(request: Omit<ResourceRequest, "params">): Promise<ReadResourceResult>;
}

/** Makes the table of resources. */
export function resourcesOf(served: readonly ServedResource[]): Resources {
  const shown = ({ name, title, description, mimeType }: ServedResource): Omit<Resource, "uri"> => ({
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
  });
  const fixed = new Map(served.filter((one) => !isTemplate(one)).map((one) => [one.uri, one]));
  const templates = served.filter(isTemplate).map((one) => ({ one, template: new UriTemplate(one.uri) }));
  const find = (uri: string): { readonly one: ServedResource; readonly params: Record<string, string> } | undefined => {
    const exact = fixed.get(uri);
    if (exact !== undefined) return { one: exact, params: {} };
    for (const { one, template } of templates) {
      const found = template.match(uri);
      if (found === null) continue;
      const params = Object.entries(found).map(([key, value]) => [key, decoded(String(value))] as const);
      return { one, params: Object.fromEntries(params) };
    }
    return undefined;
  };
  return {
    listed: [...fixed.values()].map((one) => ({ uri: one.uri, ...shown(one) })),
    templates: templates.map(({ one }) => ({ uriTemplate: one.uri, ...shown(one) })),
    async read(request) {
      const found = find(request.uri);
      if (found === undefined) throw absent(request.uri);
      const { content, mimeType } = found.one;
      const value = typeof content === "function" ? await content({ ...request, params: found.params }) : content;
      if (value === undefined) throw absent(request.uri);
      const { uri } = request;
      if (typeof value === "string") return { contents: [{ uri, mimeType: mimeType ?? "text/plain", text: value }] };
      const blob = Buffer.from(value).toString("base64");
      return { contents: [{ uri, mimeType: mimeType ?? "application/octet-stream", blob }] };
    },
  };
}

/** Tests if a resource is a template for many addresses. */
function isTemplate({ uri }: ServedResource): boolean {
  return UriTemplate.isTemplate(uri);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function absent(uri: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such resource.", { uri });
}
