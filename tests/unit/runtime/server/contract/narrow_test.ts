import { assertEquals, assertThrows } from "@std/assert";

import { openHost } from "../../../../../runtime/host/open_host.ts";
import {
  narrowHost,
  type NarrowRequest,
  servedFolder,
} from "../../../../../runtime/server/contract/narrow.ts";
import type { Served } from "../../../../../runtime/server/contract/served.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { GrantSettings } from "../../../../../runtime/host/host_settings.ts";
import { servedScene } from "../../../../support/server/served_scene.ts";

const withGrants = (grants: GrantSettings) => ({ host }: Served) => ({ host: { ...host, grants } });

/** What is granted for a request. */
async function granted(served: Served, request: NarrowRequest) {
  await using host = openHost(narrowHost(served, request), { manifest: served.manifest });
  const { policy, allow, deny, commands } = host.grants;
  return { policy, allow, deny, rules: commands.deny.map(({ program }) => program) };
}

Deno.test("a request is granted no more than the server, and less where it says so", async () => {
  using scene = servedScene(
    {},
    withGrants({ allow: { write: ["/opt/more"] }, deny: { net: ["a.example"] } }),
  );
  const { served, ws } = scene;
  const all = await granted(served, {});
  assertEquals([all.policy, all.allow.write, all.deny.net], ["coder", [ws, "/opt/more"], ["a.example"]]);
  const reading = await granted(served, { grants: { policy: "read-only" } });
  assertEquals([reading.policy, reading.deny.write, reading.deny.net], ["read-only", true, ["a.example"]]);
  const offline = await granted(served, { grants: { policy: "read-only-no-net" } });
  assertEquals([offline.policy, offline.deny.write, offline.deny.net], ["read-only-no-net", true, true]);
  const less = await granted(served, {
    grants: { deny_net: ["b.example"], deny_write: ["out"], deny_run: true },
  });
  assertEquals(less.deny.net, ["a.example", "b.example"]);
  assertEquals([less.deny.write, less.deny.run], [[`${ws}/out`], true]);
});

Deno.test("a stricter server stays as strict, and keeps the rules of its policy", async () => {
  using scene = servedScene({}, withGrants({ policy: "read-only-no-net" }));
  const { policy } = await granted(scene.served, { grants: { policy: "read-only" } });
  assertEquals(policy, "read-only-no-net");
  using ruled = servedScene({}, withGrants({ policy: { name: "team", base: "coder", deny: ["git push"] } }));
  const narrowed = await granted(ruled.served, { grants: { policy: "read-only" } });
  assertEquals([narrowed.policy, narrowed.rules], ["read-only", ["git"]]);
});

Deno.test("a request works in a served folder or below, by its real path", () => {
  using scene = servedScene({ "ws/sub/a.txt": "a", "other/b.txt": "b", "ws2/c.txt": "c" });
  const { root, ws } = scene;
  Deno.symlinkSync(`${root}/other`, `${ws}/out`);
  Deno.symlinkSync(`${ws}/sub`, `${root}/in`);
  assertEquals(servedFolder(ws, [ws]), ws);
  assertEquals(servedFolder(`${root}/in`, [ws]), `${ws}/sub`);
  for (
    const path of [
      `${root}/other`,
      `${ws}/out`,
      `${ws}/../other`,
      `${root}/ws2`,
      "sub",
      "",
      `${ws}/none`,
      "/",
    ]
  ) {
    const error = assertThrows(() => servedFolder(path, [ws]), ToolError);
    assertEquals([error.code, error.details.workspaces], ["permission_denied", [ws]], path);
  }
  assertEquals(assertThrows(() => servedFolder(`${ws}/sub/a.txt`, [ws]), ToolError).code, "invalid_input");
});
