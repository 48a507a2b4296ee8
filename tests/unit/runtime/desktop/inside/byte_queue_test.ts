import { assertEquals } from "@std/assert";

import { ByteQueue } from "../../../../../runtime/desktop/inside/byte_queue.ts";

Deno.test("ByteQueue gives bytes in the order in which they came, however they came", () => {
  const queue = new ByteQueue();
  queue.push(Uint8Array.of(1));
  queue.push(new Uint8Array());
  assertEquals(queue.peek(2), null);
  assertEquals(queue.take(2), null);
  queue.push(Uint8Array.of(2, 3));
  queue.push(Uint8Array.of(4, 5, 6));
  assertEquals(queue.peek(2), Uint8Array.of(1, 2));
  assertEquals(queue.take(2), Uint8Array.of(1, 2));
  assertEquals(queue.take(3), Uint8Array.of(3, 4, 5));
  assertEquals(queue.take(1), Uint8Array.of(6));
  assertEquals(queue.take(1), null);
  assertEquals(queue.take(0), new Uint8Array());
});
