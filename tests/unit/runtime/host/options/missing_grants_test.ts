import { assertEquals } from "@std/assert";

import { missingGrants } from "../../../../../runtime/host/options/missing_grants.ts";

Deno.test("missingGrants() names paths of flags that are not there, but for files that are still to be written", () => {
  const there = ["/", "/ws", "/ws/a.md", "/home", "/home/u"];
  const told = missingGrants(
    {
      allow: { read: ["a.md", "b.md", "/home/u"], write: ["out.md", "new/out.md", "made/"], run: ["git"] },
      deny: { read: ["/home/x"], write: true },
      allowSecrets: [".env", "no/.env"],
      sandboxShow: ["/opt/sdk"],
    },
    "/ws",
    (path) => there.includes(path),
  );
  assertEquals(told, [
    '--allow-read=b.md: there is no "/ws/b.md"',
    '--allow-write=new/out.md: there is no "/ws/new/out.md"',
    '--allow-write=made/: there is no "/ws/made"',
    '--deny-read=/home/x: there is no "/home/x"',
    '--allow-secrets=no/.env: there is no "/ws/no/.env"',
    '--sandbox-show=/opt/sdk: there is no "/opt/sdk"',
  ]);
});
