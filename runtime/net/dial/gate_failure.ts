import type { NetRefusal } from "../../../schemas/net.ts";

/** Why the gate answers itself: it refused, or could not. */
export type GateReason =
  | NetRefusal
  /** Nothing answered at the address, or it broke off. */
  | "connect"
  /** The other side took too long. */
  | "timeout"
  /** The greeting of TLS failed, such as for a certificate that does not hold. */
  | "tls"
  /** The name has no address. */
  | "dns"
  /** The user's own proxy refused, or failed. */
  | "proxy"
  /** It wants a name and a password, or others: asking again could lock the user out. */
  | "proxy_login"
  /** The gate does not understand what it was asked. */
  | "request";

/** A connection that does not come about. Its message is for people. */
export class GateFailure extends Error {
  override readonly name = "GateFailure";
  readonly reason: GateReason;
  /** What decided: a word of a list, or why. */
  readonly rule: string;
  /** The flag that would allow it; `null` if none would. */
  readonly flag: string | null;

  constructor(reason: GateReason, message: string, { rule = message, flag = null }: {
    rule?: string;
    flag?: string | null;
  } = {}) {
    super(message);
    this.reason = reason;
    this.rule = rule;
    this.flag = flag;
  }

  /** The rules refused it: nothing failed. */
  get isRefusal(): boolean {
    return this.refusal !== null;
  }

  /** Why the rules refused it; `null` for what failed. */
  get refusal(): NetRefusal | null {
    return isFailure(this.reason) ? null : this.reason;
  }
}

const CODES: Readonly<Partial<Record<GateReason, number>>> = {
  connect: 502,
  dns: 502,
  proxy: 502,
  proxy_login: 502,
  tls: 502,
  timeout: 504,
  request: 400,
};

/** The reasons that are no decision of the rules. */
const FAILURES: readonly GateReason[] = [
  "connect",
  "timeout",
  "tls",
  "dns",
  "proxy",
  "proxy_login",
  "request",
] satisfies Failure[];

type Failure = Exclude<GateReason, NetRefusal>;

function isFailure(reason: GateReason): reason is Failure {
  return FAILURES.includes(reason);
}

/** The HTTP status that says the same to a program. */
export function statusOf(reason: GateReason): number {
  return CODES[reason] ?? 403;
}
