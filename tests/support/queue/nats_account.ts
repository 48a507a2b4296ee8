import { nkeys } from "@nats-io/nats-core";

const UNBOUND = { subs: -1, data: -1, payload: -1 };
const ACCOUNT_LIMITS = { ...UNBOUND, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const STORE_LIMITS = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/** Makes an operator, an account with JetStream, and a user of it. */
export function makeNatsAccount() {
  const operator = nkeys.createOperator();
  const account = nkeys.createAccount();
  const system = nkeys.createAccount();
  const user = nkeys.createUser();
  const systemJwt = jwt(system, operator, { type: "account", limits: ACCOUNT_LIMITS });
  const accountJwt = jwt(account, operator, {
    type: "account",
    limits: { ...ACCOUNT_LIMITS, ...STORE_LIMITS },
  });
  const userJwt = jwt(user, account, { type: "user", pub: {}, sub: {}, ...UNBOUND });
  const operatorJwt = jwt(operator, operator, { type: "operator", system_account: system.getPublicKey() });
  return {
    config: `operator: ${operatorJwt}\nresolver: MEMORY\nresolver_preload: {\n` +
      `  ${system.getPublicKey()}: ${systemJwt}\n  ${account.getPublicKey()}: ${accountJwt}\n}\n`,
    creds: `-----BEGIN NATS USER JWT-----\n${userJwt}\n------END NATS USER JWT------\n\n` +
      `-----BEGIN USER NKEY SEED-----\n${text(user.getSeed())}\n------END USER NKEY SEED------\n`,
  };
}

type Keys = ReturnType<typeof nkeys.createUser>;

/** Says something of a key, signed by another. */
function jwt(subject: Keys, issuer: Keys, nats: Record<string, unknown>): string {
  const claims = {
    jti: crypto.randomUUID(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    name: "test",
    sub: subject.getPublicKey(),
    nats: { ...nats, version: 2 },
  };
  const signed = `${part({ typ: "JWT", alg: "ed25519-nkey" })}.${part(claims)}`;
  return `${signed}.${base64url(issuer.sign(new TextEncoder().encode(signed)))}`;
}

function part(value: unknown): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
