/** Returns the path that a `file:` URL names. */
export function fromFileUrl(url: string): string {
  return decodeURIComponent(new URL(url).pathname);
}
