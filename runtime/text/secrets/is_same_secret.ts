/**
 * Says whether two secrets are the same. How long it takes tells nothing of the right one but its length: all of it is
 * compared, also behind a difference.
 *
 * @param shown What somebody says
 * @param right The secret
 */
export function isSameSecret(shown: string, right: string): boolean {
  let differs = shown.length ^ right.length;
  for (let at = 0; at < right.length; at++) differs |= shown.charCodeAt(at) ^ right.charCodeAt(at);
  return differs === 0;
}

/** Returns the token of a header `Authorization: Bearer TOKEN`, an empty text for another one and for none. */
export function bearerToken(authorization: string | null): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
}
