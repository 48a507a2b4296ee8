import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { packageServer } from "../../support/net/package_server.ts";
import { makeScene } from "../../support/cli/scene.ts";

/** How each client is asked, and what it then prints. They know the way by their variables alone. */
const CLIENTS: readonly { title: string; command: string; stdout: string }[] = [
  { title: "curl", command: "curl -sS --cacert ca.crt $URL/hello", stdout: "hello\n" },
  { title: "wget", command: "wget -qO- --ca-certificate=ca.crt $URL/hello", stdout: "hello\n" },
  {
    title: "git",
    command: "GIT_SSL_CAINFO=$PWD/ca.crt git clone -q $URL/shop.git shop && cat shop/hours.txt",
    stdout: "open\n",
  },
  {
    title: "npm",
    command:
      "mkdir n; cd n; npm install --silent --registry $URL --cafile ../ca.crt shop-tags >/dev/null && " +
      "node -p 'require(\"shop-tags\")'",
    stdout: "tags of npm\n",
  },
  {
    title: "pip",
    command:
      "/usr/bin/python3 -m pip install -q --index-url $URL/simple --cert ca.crt --target p shop-tags 2>/dev/null && " +
      "PYTHONPATH=p python3 -c 'import shop_tags; print(shop_tags.name)'",
    stdout: "tags of pip\n",
  },
  {
    title: "python",
    command: 'python3 -c "import ssl, sys, urllib.request as r; ' +
      "print(r.urlopen(sys.argv[1], context=ssl.create_default_context(cafile='ca.crt')).read())\" $URL/hello",
    stdout: "b'hello\\n'\n",
  },
  {
    title: "SOCKS 5",
    command: "curl -sS --cacert ca.crt -x socks5h://127.0.0.1:3128 $URL/hello",
    stdout: "hello\n",
  },
  {
    title: "java",
    command:
      "cat >F.java <<'END'\npublic class F { public static void main(String[] urls) throws Exception {\n" +
      "for (String url : urls) try {\n" +
      "System.out.print(new String(new java.net.URL(url).openStream().readAllBytes())); }\n" +
      "catch (java.io.IOException e) { System.out.println(e.getMessage()); } } }\nEND\n" +
      "java F.java https://else.example/ 2>/dev/null",
    stdout: 'Unable to tunnel through proxy. Proxy returns "HTTP/1.1 403 Gate"\n',
  },
];

boxTest("programs in the sandbox fetch from an allowed host through the gate, TLS included", async () => {
  await using server = await packageServer();
  using scene = makeScene({ "ws/ca.crt": server.ca });
  const calls = CLIENTS.map(({ title, command }) => ({
    id: title,
    tool: "Bash",
    arguments: { command: `URL=${server.url}\n${command}`, timeout: 100 },
  }));
  const flags = ["--allow-net=packages.example", `--allow-private-net=${server.host}`];
  const { answers } = await scene.batch(calls, flags, { timeoutMs: 240_000 });
  const said = answers.map(({ id, text }) => [id, text]);
  const expected = CLIENTS.map(({ title, stdout }) => [title, `exit_code: 0\nstdout:\n${stdout}`]);
  assertEquals(said, expected);
  const java = answers.find(({ id }) => id === "java")!;
  assert(
    java.warnings.some((line) => line.includes("pass --allow-net=else.example:443 to")),
    java.warnings.join("\n"),
  );
});
