/**
 * Returns a page that leads on to an address, without a script.
 *
 * @param address Of letters that mean nothing to HTML
 */
export function redirectPage(address: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>bulkhead</title>
<meta http-equiv="refresh" content="0; url=${address}"></head>
<body><a href="${address}">Open bulkhead</a></body>
</html>
`;
}
