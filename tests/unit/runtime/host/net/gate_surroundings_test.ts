import { assertEquals, assertStringIncludes } from "@std/assert";

import {
  bypassesProxies,
  readAuthorities,
  readProxies,
} from "../../../../../runtime/host/net/gate_surroundings.ts";
import { workspace } from "../../../../support/run_tool.ts";

Deno.test("readProxies() reads the variables as curl does", { permissions: "none" }, () => {
  assertEquals(readProxies({}), { http: null, https: null, direct: [] });
  assertEquals(
    readProxies({ HTTPS_PROXY: "a:1", https_proxy: "b:2", ALL_PROXY: "c:3", no_proxy: " x , .y z" }),
    {
      http: "c:3",
      https: "b:2",
      direct: ["x", ".y", "z"],
    },
  );
  assertEquals([bypassesProxies({ NO_PROXY: "" }), bypassesProxies({ NO_PROXY: "x" })], [false, true]);
});

Deno.test("readAuthorities() reads each file once, and tells of one that it cannot read", async () => {
  using ws = workspace({ "ca.pem": "PEM" });
  const warnings: string[] = [];
  const read = await readAuthorities({
    SSL_CERT_FILE: `${ws.path}/ca.pem`,
    NODE_EXTRA_CA_CERTS: `${ws.path}/ca.pem`,
    DENO_CERT: `${ws.path}/missing.pem`,
  }, (message) => warnings.push(message));
  assertEquals(read, ["PEM"]);
  assertEquals(warnings.length, 1);
  assertStringIncludes(warnings[0]!, "DENO_CERT");
});
