import { assert, assertEquals } from "@std/assert";

import { browserNeeds } from "../../../../runtime/browser/browser_needs.ts";
import { THROUGH_PIPES } from "../../../../runtime/browser/chromium_words.ts";
import { boxTest } from "../../../support/box.ts";
import { workspace } from "../../../support/run_tool.ts";
import { sourceHost } from "../../../support/sources/source_host.ts";

Deno.test("a browser needs the network, its own folder and no file of the user", () => {
  const { net, read, write, packages } = browserNeeds("/usr/bin/env");
  assertEquals({ net, read, write, packages }, {
    net: true,
    read: undefined,
    write: undefined,
    packages: [],
  });
  const own = Deno.makeTempDirSync({ prefix: "bulkhead-test-" });
  try {
    Deno.writeTextFileSync(`${own}/chrome`, "");
    assertEquals(browserNeeds(`${own}/chrome`).packages, [own]);
    assertEquals(browserNeeds(`${own}/missing`).packages, []);
  } finally {
    Deno.removeSync(own, { recursive: true });
  }
});

boxTest(
  "what speaks through descriptors 3 and 4 is reached through the pipes, and sees no file of the user",
  async () => {
    await using ws = workspace({ "a.txt": "mine" });
    await using opened = await sourceHost(ws.path, { grants: { toolchains: "off" } });
    const programs = opened.host.programsFor(browserNeeds(null));
    const script = `cat ${ws.path}/a.txt >&2; echo "$http_proxy" >&2; cat <&3 >&4`;
    const program = await programs.pipe({ argv: ["sh", "-c", script] }, {
      isNamed: true,
      before: THROUGH_PIPES,
    });
    await program.write(new TextEncoder().encode("hello\0"));
    const reader = program.stdout.getReader();
    const { value } = await reader.read();
    assertEquals(new TextDecoder().decode(value), "hello\0");
    await program.close();
    assert(!program.stderr.includes("mine"), program.stderr);
    assert(program.stderr.includes("http://127.0.0.1:3128"), program.stderr);
    assertEquals(program.audited().argv, ["sh", "-c", script]);
  },
);
