import { assertEquals } from "@std/assert";

import { isOfOwnNetwork } from "../../../../../../tools/engine/web/service/own_network.ts";

Deno.test(
  "isOfOwnNetwork() tells addresses of one's own network by what they are",
  { permissions: "none" },
  () => {
    const own = [
      ...["127.0.0.1", "2130706433", "0x7f.1", "10.1.2.3", "172.16.0.1", "172.31.9.9", "192.168.1"],
      ...["169.254.169.254", "100.64.0.1", "0", "[::1]", "[fd00::1]", "[fe80::1]", "[::ffff:10.0.0.1]"],
      ...["localhost", "wiki", "wiki.internal", "printer.local.", "a.home.arpa", "x.test", "wiki:8080"],
    ];
    const others = [
      "example.com",
      "8.8.8.8",
      "172.32.0.1",
      "100.128.0.1",
      "[2606:4700::1]",
      "local.example.com",
    ];
    assertEquals(own.filter((host) => !isOfOwnNetwork(`http://${host}/x`)), []);
    assertEquals(others.filter((host) => isOfOwnNetwork(`https://${host}/x`)), []);
  },
);
