/** The kinds of records of TLS. */
const [CHANGE_CIPHER_SPEC, ALERT, HANDSHAKE, APPLICATION_DATA, HEARTBEAT] = [20, 21, 22, 23, 24] as const;
const RECORDS: ReadonlySet<number> = new Set([
  CHANGE_CIPHER_SPEC,
  ALERT,
  HANDSHAKE,
  APPLICATION_DATA,
  HEARTBEAT,
]);
/** May come before a greeting, and between two. */
const BESIDE: ReadonlySet<number> = new Set([CHANGE_CIPHER_SPEC, ALERT]);
const CLIENT_HELLO = 1;

/** First bytes; `null` stands for any. */
type Beginning = readonly (number | null)[];

/** The second greeting is one of TLS 1.3, shorter than 64 KB. */
const SECOND_HELLO: Beginning = [CLIENT_HELLO, 0, null, null, 3, 3];
/** The records that a greeting begins with. */
const BEGINNINGS: readonly Beginning[] = [
  [HANDSHAKE, 3, null, null, null, CLIENT_HELLO],
  [ALERT, 3, null, 0, 2],
  [CHANGE_CIPHER_SPEC, 3, null, 0, 1],
];
const RECORD_HEAD = 5;
const MESSAGE_HEAD = 4;
/** Longest greeting that is read, in bytes; real ones have some thousand. */
const MAX_BYTES = 64 * 1024;
const SERVER_NAME = 0;

/** What the bytes of a client are taken for. */
type Mode =
  /** Nothing was said yet. */
  | "silent"
  /** No TLS; a later piece may begin it, as STARTTLS does. */
  | "plain"
  /** Records that anybody may read. */
  | "greeting"
  /** Nothing is looked at any more: what follows is secret. */
  | "over";

/**
 * Looks for greetings of TLS in what a client says, piece by piece. Servers take them however they are cut into records,
 * behind an alert, as a second one after the server has asked for it, and after an agreement in plain words. Bytes are
 * held back until it is known which name they ask for.
 */
export class GreetingWatch {
  readonly #check: (serverName: string | undefined) => void;
  #mode: Mode = "silent";
  /** What was said and is held back. */
  #held = new Uint8Array();
  /** How much of that are records which are read. */
  #at = 0;
  /** The message that is not complete. */
  #message: number[] = [];
  #hasGreeted = false;

  /** @param check Gets the name of each greeting, `""` for none, `undefined` if it cannot be read; throws to refuse */
  constructor(check: (serverName: string | undefined) => void) {
    this.#check = check;
  }

  /** True once nothing is looked at any more. */
  get isOver(): boolean {
    return this.#mode === "over";
  }

  /** Takes a piece; returns what may go on, which is good until the next piece. */
  take(piece: Uint8Array): Uint8Array {
    if (this.#mode === "over" || piece.length === 0) return piece;
    const bytes = joined(this.#held, piece);
    const isGreeting = this.#mode === "greeting" ||
      (this.#mode === "silent" ? RECORDS.has(bytes[0]!) : beginsGreeting(bytes));
    if (isGreeting !== null) this.#mode = isGreeting ? "greeting" : "plain";
    const count = isGreeting === null ? 0 : isGreeting ? this.#judge(bytes) : bytes.length;
    this.#held = bytes.slice(count);
    this.#at -= Math.min(this.#at, count);
    if (this.#held.length > MAX_BYTES) this.#check(undefined);
    return bytes.subarray(0, count);
  }

  /** Says that nothing more comes; returns what may go on of what was held back. */
  end(): Uint8Array {
    if (this.#mode === "greeting" && this.#held.length > 0) this.#check(undefined);
    return this.#held;
  }

  /** Reads all complete records; returns how many bytes may go on. */
  #judge(bytes: Uint8Array): number {
    let safe = 0;
    for (let next = this.#nextRecord(bytes); next !== null; next = this.#nextRecord(bytes)) {
      const { kind, body } = next;
      const isGreeting = kind === HANDSHAKE && this.#readGreeting(body);
      if (!isGreeting && !BESIDE.has(kind)) return this.#finish(bytes);
      if (this.#message.length === 0) safe = this.#at;
    }
    return safe;
  }

  /** Returns the next record; `null` if bytes of it are missing. */
  #nextRecord(bytes: Uint8Array): { kind: number; body: Uint8Array } | null {
    const start = this.#at;
    if (bytes.length < start + RECORD_HEAD) return null;
    const kind = bytes[start]!;
    if (!RECORDS.has(kind) || bytes[start + 1] !== 3) this.#check(undefined);
    const end = start + RECORD_HEAD + two(bytes, start + 3);
    if (bytes.length < end) return null;
    this.#at = end;
    return { kind, body: bytes.subarray(start + RECORD_HEAD, end) };
  }

  /** Reads on, and checks the greetings that are complete; false if another message begins. */
  #readGreeting(body: Uint8Array): boolean {
    for (const byte of body) this.#message.push(byte);
    for (;;) {
      // What is secret by now looks like any message.
      const begin = this.#hasGreeted ? SECOND_HELLO : [CLIENT_HELLO];
      if (!isLike(this.#message, begin)) return false;
      if (this.#message.length < MESSAGE_HEAD) return true;
      const [, high = 0, middle = 0, low = 0] = this.#message;
      const end = MESSAGE_HEAD + (high << 16 | middle << 8 | low);
      if (this.#message.length < end) return true;
      this.#check(nameIn(Uint8Array.from(this.#message.slice(MESSAGE_HEAD, end))));
      this.#hasGreeted = true;
      this.#message = this.#message.slice(end);
    }
  }

  /** Something else than a greeting comes: after one that is as it should be. */
  #finish(bytes: Uint8Array): number {
    if (!this.#hasGreeted) this.#check(undefined);
    this.#mode = "over";
    return bytes.length;
  }
}

/** Says whether a greeting begins after plain words; `null` if there are too few bytes to tell. */
function beginsGreeting(bytes: Uint8Array): boolean | null {
  const like = BEGINNINGS.find((begin) => isLike(bytes, begin));
  if (like === undefined) return false;
  return bytes.length >= like.length ? true : null;
}

function isLike(bytes: ArrayLike<number>, begin: Beginning): boolean {
  return begin.every((one, at) => one === null || at >= bytes.length || one === bytes[at]);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** The server's name in the body of a greeting; `undefined` if it cannot be read. */
function nameIn(body: Uint8Array): string | undefined {
  // Version and random bytes come first, then three lists: session, ciphers, compression.
  let at = 34;
  at += 1 + (body[at] ?? NaN);
  at += 2 + two(body, at);
  at += 1 + (body[at] ?? NaN);
  if (at === body.length) return "";
  const end = at + 2 + two(body, at);
  if (end !== body.length) return undefined;
  let name: string | undefined;
  for (at += 2; at < end;) {
    const [kind, length] = [two(body, at), two(body, at + 2)];
    const data = body.subarray(at + 4, at + 4 + length);
    if (!(at + 4 + length <= end)) return undefined;
    if (kind === SERVER_NAME) {
      // Two names are two answers to one question.
      if (name !== undefined) return undefined;
      name = oneName(data);
      if (name === undefined) return undefined;
    }
    at += 4 + length;
  }
  return name ?? "";
}

/** A list of one name, of the kind "host name". */
function oneName(data: Uint8Array): string | undefined {
  const length = two(data, 3);
  if (two(data, 0) !== data.length - 2 || data[2] !== 0 || length !== data.length - 5) return undefined;
  return String.fromCharCode(...data.subarray(5));
}

function two(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? NaN) * 256 + (bytes[at + 1] ?? NaN);
}
