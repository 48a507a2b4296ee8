import { assertEquals, assertRejects } from "@std/assert";

import { roundTrip } from "../../../../../runtime/desktop/inside/x_requests.ts";
import { XWire } from "../../../../../runtime/desktop/inside/x_wire.ts";
import type { FromDisplay } from "../../../../../runtime/desktop/protocol.ts";
import { ToolError } from "../../../../../schemas/error.ts";

/** A message of a display: its kind, the request it belongs to, and bytes behind the first 32. */
function message(kind: number, sequence: number, more = 0): Uint8Array {
  const bytes = new Uint8Array(32 + more);
  const view = new DataView(bytes.buffer);
  bytes[0] = kind;
  view.setUint16(2, sequence, true);
  if (kind === 1) view.setUint32(4, more / 4, true);
  return bytes;
}

/** What a display with one screen of 24 bits says first. */
function setup(): Uint8Array {
  const bytes = new Uint8Array(8 + 32 + 8 + 40);
  const view = new DataView(bytes.buffer);
  bytes[0] = 1;
  view.setUint16(6, (bytes.length - 8) / 4, true);
  bytes.set([1, 1, 0, 0, 0, 0, 8, 255], 8 + 20);
  bytes.set([24, 32], 40);
  view.setUint32(48, 0x123, true);
  bytes[48 + 38] = 24;
  return bytes;
}

function opened() {
  const sent: FromDisplay[] = [];
  const wire = new XWire((message) => void sent.push(message));
  const opening = wire.open({ isNew: false, cookie: { name: "M", bytes: Uint8Array.of(1, 2, 3) } });
  return { wire, opening, sent };
}

Deno.test("XWire greets, and replies find who asked, however the bytes are cut", async () => {
  const { wire, opening, sent } = opened();
  const [first] = sent;
  const greeting = first?.t === "send" ? [...first.bytes] : [];
  assertEquals(greeting, [0x6c, 0, 11, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0x4d, 0, 0, 0, 1, 2, 3, 0]);
  for (const byte of setup()) wire.take(Uint8Array.of(byte));
  assertEquals(await opening, { root: 0x123, depth: 24, bitsPerPixel: 32, keycodes: { min: 8, max: 255 } });
  const [one, other] = [wire.ask(roundTrip()), wire.ask(roundTrip())];
  // An event comes between.
  wire.take(message(22, 1));
  wire.take(message(1, 1, 8));
  wire.take(message(1, 2).subarray(0, 20));
  wire.take(message(1, 2).subarray(20));
  assertEquals([(await one).length, (await other).length], [40, 32]);
});

Deno.test("XWire tells of what a display refuses", async () => {
  const { wire } = opened();
  wire.take(setup());
  wire.tell(roundTrip());
  const asked = wire.ask(roundTrip());
  wire.take(message(0, 1));
  wire.take(message(1, 2));
  await assertRejects(() => asked, ToolError, "The display refused request");
  const refused = wire.ask(roundTrip());
  wire.take(message(0, 3));
  await assertRejects(() => refused, ToolError, "The display refused request");
  const unwanted = opened();
  const no = new Uint8Array(16);
  no[1] = 6;
  no[6] = 2;
  no.set(new TextEncoder().encode("not so"), 8);
  unwanted.wire.take(no);
  const error = await assertRejects(() => unwanted.opening, ToolError, "refuses to be used: not so");
  assertEquals(error.code, "unavailable");
});
