import { assertEquals, assertThrows } from "@std/assert";

import { checkAddress, refusedHosts, whyUnreached } from "../../../../runtime/browser/reached.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Connection } from "../../../../schemas/net.ts";

const CONNECTION: Connection = {
  who: "chromium",
  host: "shop.example",
  port: 443,
  address: "203.0.113.5",
  decision: "allowed",
  rule: "public",
  sentBytes: 1,
  receivedBytes: 1,
};
const LOOPBACK: Connection = {
  ...CONNECTION,
  ...{
    host: "127.0.0.1",
    port: 8080,
    address: null,
    decision: "refused",
    rule: "it is an address of this machine",
  },
  ...{ reason: "private", flag: "--allow-private-net=127.0.0.1:8080" },
};

Deno.test("only addresses of pages can be opened", () => {
  for (const url of ["https://shop.example/a?b#c", "http://[::1]/", "about:blank", "data:text/html,hello"]) {
    checkAddress({ do: "open", url });
  }
  const refused = [
    "shop.example",
    "file:///etc/passwd",
    "chrome://version",
    "about:version",
    "javascript:alert(1)",
    "",
  ];
  for (const url of [...refused, "view-source:https://shop.example", "https://ann:secret@shop.example/"]) {
    const { code } = assertThrows(() => checkAddress({ do: "open", url }), ToolError);
    assertEquals(code, "invalid_input", url);
  }
});

Deno.test("a page that the gate refused is refused with the flag that grants it", () => {
  const refusal = whyUnreached("http://127.0.0.1:8080/a", [CONNECTION, LOOPBACK]);
  assertEquals([refusal?.code, refusal?.details.flag], [
    "permission_denied",
    "--allow-private-net=127.0.0.1:8080",
  ]);
  assertEquals(whyUnreached("http://127.0.0.1:9090/a", [LOOPBACK]), null);
  const unreached = { ...CONNECTION, decision: "failed", rule: "connection refused" } as const;
  assertEquals(whyUnreached("https://shop.example/", [unreached])?.code, "external_failure");
  assertEquals(whyUnreached("https://shop.example/", [unreached, CONNECTION]), null);
});

Deno.test("hosts that a page asked for and was refused are told, each once and not too many", () => {
  const others = Array.from({ length: 8 }, (_, at) => ({ ...LOOPBACK, port: 9000 + at }));
  const [first, ...rest] = refusedHosts([LOOPBACK, CONNECTION, LOOPBACK, ...others]);
  assertEquals(
    first,
    "The page asked for 127.0.0.1:8080, which was refused: it is an address of this machine, pass " +
      "--allow-private-net=127.0.0.1:8080 to grant it",
  );
  assertEquals([rest.length, rest.at(-1)], [5, "The page was refused 4 more hosts"]);
});
