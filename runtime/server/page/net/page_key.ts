const KEPT = "bulkhead-key";
const GIVEN = /^#key=([0-9a-f]+)$/;

/**
 * Keeps the key that the server gave with the address, and takes it out of the address; call it before the address is read.
 * Browsers keep storage for each port; cookies go to all servers of a machine.
 */
export function takePageKey(): void {
  const [, key] = GIVEN.exec(location.hash) ?? [];
  if (key === undefined) return;
  localStorage.setItem(KEPT, key);
  history.replaceState(null, "", location.pathname);
}

/** What the page shows to change anything; an empty text if the server gave none. */
export function pageKey(): string {
  return localStorage.getItem(KEPT) ?? "";
}
