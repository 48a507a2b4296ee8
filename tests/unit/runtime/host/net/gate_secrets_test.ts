import { assertEquals } from "@std/assert";

import { gateSecrets } from "../../../../../runtime/host/net/gate_secrets.ts";

Deno.test("gateSecrets() gives a key to its service, and to the user's own address of it", {
  permissions: "none",
}, () => {
  const keys = [
    { name: "A_KEY", hosts: ["a.example:443"], baseUrl: "A_URL" },
    { name: "B_KEY", hosts: ["b.example:443"] },
    { name: "C_KEY", hosts: ["c.example:443"] },
  ];
  const hosts = (env: Record<string, string>) =>
    gateSecrets(keys, env).map(({ name, hosts }) => [name, ...hosts]);
  assertEquals(hosts({ A_KEY: " one ", B_KEY: "two", C_KEY: " " }), [
    ["A_KEY", "a.example:443"],
    ["B_KEY", "b.example:443"],
  ]);
  assertEquals(hosts({ A_KEY: "one", A_URL: "http://127.0.0.1:8080/v1" }), [
    ["A_KEY", "a.example:443", "127.0.0.1:8080"],
  ]);
  assertEquals(hosts({ A_KEY: "one", A_URL: "nonsense" }), [["A_KEY", "a.example:443"]]);
  const [key] = gateSecrets(keys, { A_KEY: " s3cret-k3y " });
  assertEquals(key?.value, "s3cret-k3y");
  // An answer may repeat it so.
  for (const form of ["s3cret-k3y", btoa("s3cret-k3y").slice(0, 13), "y3k-terc3s"]) {
    assertEquals(key?.forms.includes(form), true, form);
  }
});
