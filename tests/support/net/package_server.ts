import { join } from "@std/path";

import { certificates } from "./certificates.ts";

/** What is served: `/hello`, a repository of git, a package of npm and one of pip. `URL` stands for the server. */
const MAKE = `
set -e
echo hello >hello
git init -q --bare shop.git
git init -q -b main work && cd work && echo open >hours.txt && git add . && git -c user.name=a -c user.email=a@b commit -qm one
git push -q ../shop.git main && cd .. && git -C shop.git symbolic-ref HEAD refs/heads/main && git -C shop.git update-server-info
mkdir package && echo '{"name":"shop-tags","version":"1.0.0","main":"index.js"}' >package/package.json
echo 'module.exports = "tags of npm"' >package/index.js && tar czf shop-tags-1.0.0.tgz package
mkdir -p simple/shop-tags wheel/shop_tags-1.0.0.dist-info && echo 'name = "tags of pip"' >wheel/shop_tags.py
printf 'Metadata-Version: 2.1\\nName: shop-tags\\nVersion: 1.0.0\\n' >wheel/shop_tags-1.0.0.dist-info/METADATA
printf 'Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n' >wheel/shop_tags-1.0.0.dist-info/WHEEL
printf 'shop_tags.py,,\\nshop_tags-1.0.0.dist-info/METADATA,,\\nshop_tags-1.0.0.dist-info/WHEEL,,\\nshop_tags-1.0.0.dist-info/RECORD,,\\n' >wheel/shop_tags-1.0.0.dist-info/RECORD
python3 -m zipfile -c shop_tags-1.0.0-py3-none-any.whl wheel/shop_tags.py wheel/shop_tags-1.0.0.dist-info
echo '<a href="URL/shop_tags-1.0.0-py3-none-any.whl">shop_tags-1.0.0-py3-none-any.whl</a>' >simple/shop-tags/index.html
echo '{"name":"shop-tags","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"shop-tags","version":"1.0.0","dist":{"tarball":"URL/shop-tags-1.0.0.tgz"}}}}' >shop-tags
`;

export async function packageServer() {
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-packages-" });
  const { ca, cert, key } = await certificates();
  const made = await new Deno.Command("bash", { args: ["-c", MAKE], cwd: folder }).output();
  if (!made.success) throw new Error(new TextDecoder().decode(made.stderr));
  const answer = async (request: Request) => {
    const { pathname, origin } = new URL(request.url);
    const path = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    try {
      const bytes = await Deno.readFile(path);
      if (/html$|shop-tags$/.test(path)) {
        const type = path.endsWith("html") ? "text/html" : "application/json";
        const text = new TextDecoder().decode(bytes).replaceAll("URL", origin);
        return new Response(text, { headers: { "content-type": type } });
      }
      return new Response(bytes);
    } catch {
      return new Response("not here\n", { status: 404 });
    }
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, cert, key, onListen() {} }, answer);
  const host = `localhost:${server.addr.port}`;
  return {
    host,
    url: `https://${host}`,
    ca,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      Deno.removeSync(folder, { recursive: true });
    },
  };
}
