/** Texts that are asked for one after the other. */
export interface PieceSource {
  /** `null` is the end. */
  next(): Promise<string | null>;
  /** Nobody waits for the rest. */
  cancel(): void;
  /** What is said last if the server ends before. @default nothing */
  goodbye?: string;
}

/** What a client is told. */
export interface Reply {
  status: number;
  /** Names in small letters; those that tell the length come by themselves. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer> | PieceSource;
  /** No other request is read on the connection. @default false */
  isLast?: boolean;
}

/** Makes a reply of JSON. */
export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return jsonTextReply(status, JSON.stringify(value) ?? "null", headers);
}

/** Makes a reply of JSON that is written already. */
export function jsonTextReply(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: new TextEncoder().encode(text),
  };
}

/** Says whether a body comes in pieces. */
export function isStream(body: Reply["body"]): body is PieceSource {
  return !(body instanceof Uint8Array);
}
