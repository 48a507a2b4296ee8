/** The text that replaces a secret. */
export const REDACTED = "[redacted]";

/** Returns what stands in place of a match. */
export type Replace = (match: string, ...groups: string[]) => string;

/** Names of fields and options whose value is a secret, as the end of a longer name or alone: a part of a pattern. */
export const FIELD = "(?:access|refresh|auth|api|client|id|session|db|pg|user|admin|bot)?" +
  "(?:passwords?|passwd|passphrase|pass|pwd|secrets?|token|credentials?)|" +
  "(?:api|access|private|secret|secret[_-]?access|auth|encryption|signing|account|shared)[_-]?key";

/** Tells the name of a field whose value is a secret. */
export const SECRET_FIELD = new RegExp(`(?:^|[_-])(?:${FIELD}|authorization)$`, "i");

/** Keeps the first group of a match, and masks what follows. */
export const afterLead: Replace = (_, lead) => `${lead}${REDACTED}`;
