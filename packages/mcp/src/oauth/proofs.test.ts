import { createHash, generateKeyPairSync, sign, verify, createPublicKey } from "node:crypto";
import type { JsonWebKeyInput } from "node:crypto";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { loopback } from "../http-server.test.helper.ts";
import { enterpriseAssertion, jwtBearer, mcp, memoryTokens, oauth } from "../index.ts";
import type { TokenStore } from "../index.ts";
import { trackerServer } from "../tracker.fixture.ts";

const decode = (part: string | undefined): Record<string, string> =>
  JSON.parse(Buffer.from(part ?? "", "base64url").toString()) as Record<string, string>;

/** Reads a proof and checks its signature with the key that it names. */
function proofOf(header: string | null): { readonly jwk: object; readonly claims: Record<string, unknown> } {
  const [head, body, signature] = (header ?? "").split(".");
  const { jwk, typ } = decode(head) as unknown as { jwk: object; typ: string };
  expect(typ).toBe("dpop+jwt");
  const key = createPublicKey({ key: jwk, format: "jwk" } as JsonWebKeyInput);
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature ?? "", "base64url"),
  );
  expect(isSigned).toBe(true);
  return { jwk, claims: decode(body) };
}

interface Proving {
  readonly url: string;
  readonly keys: Set<string>;
  readonly proofs: Set<unknown>;
  readonly tokenRequests: URLSearchParams[];
  approve(authorizationUrl: string): Promise<string>;
}

/** A server that only accepts tokens with a proof of possession, and its authorization server. */
async function provingServer(scheme: "DPoP" | "Bearer"): Promise<Proving & AsyncDisposable> {
  const keys = new Set<string>();
  const proofs = new Set<unknown>();
  const tokenRequests: URLSearchParams[] = [];
  const authority = await loopback(async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url);
    if (pathname.startsWith("/.well-known/"))
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
        code_challenge_methods_supported: ["S256"],
        dpop_signing_alg_values_supported: ["ES256"],
        token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
      });
    if (pathname === "/register")
      return Response.json({ ...((await request.json()) as object), client_id: "desk" }, { status: 201 });
    if (pathname === "/authorize") {
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({ code: "code", state: searchParams.get("state") ?? "" }).toString();
      return new Response(null, { status: 302, headers: { location: back.href } });
    }
    tokenRequests.push(new URLSearchParams(await request.text()));
    if (scheme === "DPoP") keys.add(JSON.stringify(proofOf(request.headers.get("dpop")).jwk));
    return Response.json({ access_token: "token", token_type: scheme, expires_in: 3600 });
  });
  const handler = createMcpHandler(() => trackerServer());
  const server = await loopback((request) => {
    const { origin, pathname } = new URL(request.url);
    if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [new URL(authority.url).origin] });
    if (request.headers.get("authorization") !== `${scheme} token`) {
      const where = `${scheme} resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      return new Response(null, { status: 401, headers: { "www-authenticate": where } });
    }
    if (scheme === "DPoP") {
      const { jwk, claims } = proofOf(request.headers.get("dpop"));
      keys.add(JSON.stringify(jwk));
      expect(proofs.has(claims["jti"])).toBe(false);
      proofs.add(claims["jti"]);
      expect(claims["ath"]).toBe(createHash("sha256").update("token").digest("base64url"));
    }
    return handler.fetch(request);
  });
  return {
    url: server.url,
    keys,
    proofs,
    tokenRequests,
    approve: async (url) => (await fetch(url, { redirect: "manual" })).headers.get("location") ?? "",
    async [Symbol.asyncDispose]() {
      await server.stop();
      await authority.stop();
    },
  };
}

test("tokens are bound to a key, each request has a proof, and the key outlives the process [mcp.proof-of-possession]", async () => {
  await using world = await provingServer("DPoP");
  const store: TokenStore = memoryTokens();
  const make = () =>
    oauth({ clientName: "Desk", redirectUrl: "http://localhost:8976/callback", store, proofOfPossession: true });
  const auth = make();
  await using tracker = mcp({ name: "tracker", url: world.url, auth });
  await expect(tracker.connect()).rejects.toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED" });
  await tracker.finishAuthorization(await world.approve(auth.pendingUrl ?? ""));
  await tracker.pins();
  // Another process with the same store.
  await using other = mcp({ name: "tracker", url: world.url, auth: make() });
  await other.pins();
  expect(world.keys.size).toBe(1);
  expect(world.proofs.size).toBeGreaterThan(2);
  expect(world.tokenRequests).toHaveLength(1);
  expect([...world.keys].join()).not.toContain('"d"');
});

test("a workload's assertion is exchanged for a token, and a refused one is not retried with another grant [mcp.jwt-bearer]", async () => {
  await using world = await provingServer("Bearer");
  const issuer = async (): Promise<string> => {
    const response = await fetch(new URL("/.well-known/oauth-protected-resource/mcp", world.url));
    return ((await response.json()) as { authorization_servers: string[] }).authorization_servers[0] ?? "";
  };
  const asked: unknown[] = [];
  const auth = jwtBearer({
    clientId: "nightly",
    issuer: await issuer(),
    scope: "issues",
    assertion: (request) => {
      asked.push(request);
      return "workload-jwt";
    },
  });
  await using tracker = mcp({ name: "tracker", url: world.url, auth });
  await tracker.pins();
  expect(Object.fromEntries(world.tokenRequests[0] ?? [])).toMatchObject({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: "workload-jwt",
    scope: "issues",
    client_id: "nightly",
  });
  expect(asked).toMatchObject([{ resourceUrl: world.url, scope: "issues" }]);
  await using elsewhere = mcp({
    name: "tracker",
    url: world.url,
    auth: jwtBearer({ clientId: "nightly", issuer: "https://other.example", assertion: () => "workload-jwt" }),
  });
  await expect(elsewhere.connect()).rejects.toThrow("tracker");
  // Requests with these credentials went only to their own authorization server.
  expect(world.tokenRequests).toHaveLength(1);
});

test("a company's identity provider exchanges the user's ID token for the assertion [mcp.jwt-bearer]", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const exchanges: URLSearchParams[] = [];
  await using provider = await loopback(async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname.startsWith("/.well-known/"))
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["ES256"],
      });
    exchanges.push(new URLSearchParams(await request.text()));
    const grant = sign("sha256", Buffer.from("grant"), privateKey).toString("base64url");
    return Response.json({
      access_token: grant,
      issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      token_type: "N_A",
    });
  });
  const assertion = enterpriseAssertion({
    identityProvider: new URL(provider.url).origin,
    clientId: "desk-at-corp",
    idToken: () => "id-token",
  });
  const request = {
    authorizationServerUrl: "https://login.tracker.example",
    resourceUrl: "https://tracker.example/mcp",
    scope: undefined,
  };
  expect(await assertion(request)).not.toBe("");
  expect(Object.fromEntries(exchanges[0] ?? [])).toMatchObject({
    subject_token: "id-token",
    audience: "https://login.tracker.example",
    resource: "https://tracker.example/mcp",
    client_id: "desk-at-corp",
  });
  await expect(async () => assertion({ ...request, resourceUrl: undefined })).rejects.toThrow("resource");
});

test("options that cannot be honoured are refused [mcp.jwt-bearer]", () => {
  const good = { clientId: "nightly", issuer: "https://login.example", assertion: () => "jwt" };
  for (const wrong of [{ clientId: "" }, { issuer: "login" }, { assertion: "jwt" as never }])
    expect(() => jwtBearer({ ...good, ...wrong })).toThrow("jwtBearer()");
});
