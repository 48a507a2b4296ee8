import { assert, assertEquals, assertThrows } from "@std/assert";

import { readQueueUrl, shownQueue } from "../../../../../runtime/queue/address/read_queue_url.ts";
import { ToolError } from "../../../../../schemas/error.ts";

const none = { env: () => undefined };

Deno.test("readQueueUrl() reads nodes, ports, TLS and credentials", () => {
  const { nodes, tls, credentials } = readQueueUrl("tls://u%40x:p@a.example,[::1]:5000", none);
  assertEquals(nodes, [{ host: "a.example", port: 4222 }, { host: "::1", port: 5000 }]);
  assertEquals([tls, credentials], [{ ca: null }, { kind: "user", user: "u@x", password: "p" }]);
  assertEquals(readQueueUrl("nats://t@h", none).credentials, { kind: "token", token: "t" });
  const env = (name: string) => ({ BULKHEAD_QUEUE_USER: "me", BULKHEAD_QUEUE_PASSWORD: "pw" })[name];
  assertEquals(readQueueUrl("nats://h", { env }).credentials, { kind: "user", user: "me", password: "pw" });
});

Deno.test("readQueueUrl() refuses what is no queue, and shows no credentials", () => {
  for (
    const url of [
      "h:4222",
      "http://h",
      "nats://u:secret@",
      "nats://u:secret@h:0",
      "nats://u:secret@h:70000",
      "nats://u:secret@a b",
    ]
  ) {
    const error = assertThrows(() => readQueueUrl(url, none), ToolError);
    assertEquals([error.code, error.message.includes("secret")], ["invalid_input", false], url);
  }
  assertThrows(() => readQueueUrl("nats://h", { ...none, ca: "PEM" }), ToolError, "tls://");
  assert(!shownQueue("nats://u:secret@h").includes("secret"));
});
