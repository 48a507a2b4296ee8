import { ToolError } from "../../../schemas/error.ts";
import type { Io } from "../io/io.ts";

/** Shortest token that is worth the name. */
const MIN_TOKEN = 16;

/** What clients of a server must show. */
export interface ServerToken {
  token: string;
  /** The user set it. */
  isOwn: boolean;
}

/**
 * Returns the token of a server: the one that the user set, or a new one.
 *
 * @param variable The variable that may hold it
 * @throws {ToolError} `invalid_input` for one that is too short
 */
export function serverToken(variable: string, io: Io): ServerToken {
  const own = io.env(variable) || undefined;
  if (own === undefined) {
    return { token: newSecret(), isOwn: false };
  }
  if (new RegExp(`^[\\x21-\\x7e]{${MIN_TOKEN},}$`).test(own)) return { token: own, isOwn: true };
  const why = `Cannot use ${variable} as the token: it needs ${MIN_TOKEN} letters or more, without blanks`;
  throw new ToolError("invalid_input", why);
}

/** Returns what nobody can guess. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
