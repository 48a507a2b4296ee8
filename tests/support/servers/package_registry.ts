import { createHash } from "node:crypto";

/** Serves packages to npm: the archives by the `package.json` that is in each. */
export function servePackages(
  packages: readonly { manifest: Record<string, unknown>; archive: string }[],
) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
    const asked = packages.find(({ manifest }) => path === manifest.name || path === `${manifest.name}.tgz`);
    if (asked === undefined) return new Response("{}", { status: 404 });
    const bytes = Deno.readFileSync(asked.archive);
    if (path.endsWith(".tgz")) return new Response(bytes);
    const { name, version } = asked.manifest;
    const dist = {
      tarball: `${new URL(request.url).origin}/${name}.tgz`,
      integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
    };
    const versions = { [String(version)]: { ...asked.manifest, dist } };
    return Response.json({ name, "dist-tags": { latest: version }, versions });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
