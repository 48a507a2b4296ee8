import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";

import { beforeDisplay, DESKTOP_VARIABLES, displayWords } from "../../../../runtime/desktop/desktop_words.ts";
import { findDesktop, menuEntries } from "../../../../runtime/desktop/find_desktop.ts";
import { ByteQueue } from "../../../../runtime/desktop/inside/byte_queue.ts";
import { isControl, signOf, signOfKey } from "../../../../runtime/desktop/inside/key_names.ts";
import { isSame, pictureOf } from "../../../../runtime/desktop/inside/picture.ts";
import { roundTrip } from "../../../../runtime/desktop/inside/x_requests.ts";
import { XWire } from "../../../../runtime/desktop/inside/x_wire.ts";
import { findCookie, openUserDisplay } from "../../../../runtime/desktop/user_display.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { desktopScene, desktopTest } from "../../../support/desktop/desktop_scene.ts";
import { decodePicture } from "../../../support/desktop/screen.ts";
import type { FromDisplay } from "../../../../runtime/desktop/protocol.ts";

const having = (...names: string[]) => (name: string) => names.includes(name) ? `/usr/bin/${name}` : null;

Deno.test("findDesktop() names the packages that are missing", () => {
  assertEquals(findDesktop(having("Xvfb", "openbox")), {
    programs: { display: "/usr/bin/Xvfb", manager: "/usr/bin/openbox" },
    missing: null,
  });
  assertEquals(findDesktop(having("openbox")), { programs: null, missing: ["xvfb"] });
  assertEquals(findDesktop(having()), { programs: null, missing: ["xvfb", "openbox"] });
});

Deno.test("menuEntries() has what the user named first, and one program of each kind", () => {
  const find = having("xterm", "stterm", "mousepad", "gedit");
  const told = ["sheet", "stterm", "mousepad"];
  assertEquals(menuEntries(["sheet"], { find, isRoot: false }).map(({ program }) => program), told);
  const gedit = menuEntries(["gedit"], { find, isRoot: false });
  assertEquals(gedit.map(({ program }) => program), ["gedit", "stterm"]);
  const alone = menuEntries([], { find: having("xterm"), isRoot: false });
  assertEquals(alone, [{ label: "Terminal", program: "xterm" }]);
  assertEquals(menuEntries([], { find: having("xterm"), isRoot: true }), []);
});

const PROGRAMS = { display: "/usr/bin/Xvfb", manager: "/usr/bin/openbox" };

Deno.test("displayWords() make a display that only its own network reaches", () => {
  const words = displayWords(PROGRAMS).join(" ");
  assertStringIncludes(words, "/usr/bin/Xvfb :0 -screen 0 1024x768x24 ");
  assertStringIncludes(words, "-listen tcp -nolisten unix -nolisten local");
  assertEquals(DESKTOP_VARIABLES.DISPLAY, "127.0.0.1:0");
});

Deno.test("beforeDisplay() gives names of programs as names", () => {
  const menu = [{ label: 'a"<b>&', program: "/opt/it's here/a<b>" }];
  const words = beforeDisplay(PROGRAMS, { menu, start: ["mousepad", "a b.txt"] });
  assertEquals(words.slice(0, 2), ["bash", "-c"]);
  assertEquals(words.slice(-3), ["2", "mousepad", "a b.txt"]);
  const text = words.at(-4)!;
  assertStringIncludes(text, 'label="a&#34;&#60;b&#62;&#38;"');
  assertStringIncludes(text, "<command>bash RUN_FILE '/opt/it'\\''s here/a&#60;b&#62;'</command>");
});

/** An entry of the file of passwords: texts with their lengths. */
function entry(...texts: readonly string[]): number[] {
  const codes = (text: string) => Array.from(text, (sign) => sign.charCodeAt(0));
  return [1, 0, ...texts.flatMap((text) => [0, text.length, ...codes(text)])];
}

Deno.test("findCookie() finds the password of a display", () => {
  const file = Uint8Array.from([
    ...entry("host", "1", "MIT-MAGIC-COOKIE-1", "one"),
    ...entry("host", "2", "XDM-AUTHORIZATION-1", "odd"),
    ...entry("host", "2", "MIT-MAGIC-COOKIE-1", "two"),
  ]);
  const found = (number: string, bytes = file) => {
    const cookie = findCookie(bytes, number);
    return cookie ? new TextDecoder().decode(cookie.bytes) : null;
  };
  assertEquals([found("1"), found("2"), found("3")], ["one", "two", null]);
  assertEquals(found("7", Uint8Array.from(entry("host", "", "MIT-MAGIC-COOKIE-1", "any"))), "any");
  for (let end = 0; end < 20; end += 1) assertEquals(found("1", file.subarray(0, end)), null);
});

Deno.test("openUserDisplay() says why there is none", async () => {
  for (const DISPLAY of ["", "far.example:0", "../evil:0", ":0;x", ":99999"]) {
    const error = await assertRejects(() => openUserDisplay({ DISPLAY }), ToolError, "no display of yours");
    assertEquals(error.code, "unavailable");
  }
  await assertRejects(() => openUserDisplay({ DISPLAY: ":9876" }), ToolError, "cannot be reached");
});

/** Pixels as a display gives them, of a colour for each place. */
function pixels(width: number, height: number, colour: (x: number, y: number) => readonly number[]) {
  const bytes = new Uint8Array(4 * width * height);
  for (let at = 0; at < width * height; at += 1) {
    const [red = 0, green = 0, blue = 0] = colour(at % width, Math.floor(at / width));
    bytes.set([blue, green, red, 0], 4 * at);
  }
  return { width, height, bytes };
}

Deno.test("pictureOf() makes a PNG of the same colours", async () => {
  const screen = pixels(5, 3, (x, y) => [x * 50, y * 100, 7]);
  const picture = pictureOf(screen);
  assertEquals([picture.width, picture.height, picture.mimeType], [5, 3, "image/png"]);
  const shown = await decodePicture(picture);
  assertEquals([...shown.pixels.subarray(4 * 7, 4 * 7 + 4)], [100, 100, 7, 255]);
});

Deno.test("pictureOf() makes the picture of a large screen smaller, of means", async () => {
  const picture = pictureOf(pixels(3136, 20, (x) => x % 2 === 0 ? [0, 0, 0] : [200, 100, 50]));
  assertEquals([picture.width, picture.height], [1568, 10]);
  const { pixels: shown } = await decodePicture(picture);
  assertEquals([...shown.subarray(0, 4)], [100, 50, 25, 255]);
});

Deno.test("pictureOf() bounds the bytes of a picture that cannot be packed", () => {
  let seed = 1;
  const noise = () => (seed = seed * 48271 % 2147483647) & 0xff;
  const picture = pictureOf(pixels(1400, 1400, () => [noise(), noise(), noise()]));
  assert(picture.base64.length < 4.7e6, String(picture.base64.length));
  assert(picture.width < 1400);
});

Deno.test("isSame() compares pixels wherever they lie in memory", () => {
  const one = pixels(3, 2, (x) => [x, 0, 0]);
  const moved = new Uint8Array(one.bytes.length + 3);
  moved.set(one.bytes, 3);
  assert(isSame(one, { ...one, bytes: moved.subarray(3) }));
  moved[4] = 9;
  assert(!isSame(one, { ...one, bytes: moved.subarray(3) }));
  assert(!isSame(one, pixels(2, 3, (x) => [x, 0, 0])));
});

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

Deno.test("keys and characters have the numbers that X has for them", () => {
  const told = [0x61, 0x41, 0xe9, 0x10020ac, 0x1004f60, 0xff0d, 0xff09];
  assertEquals(["a", "A", "é", "€", "你", "\n", "\t"].map(signOf), told);
  const wanted = [0xff0d, 0xff1b, 0xffbe, 0xffc9, 0xffe3, 0xff56, 0x2b, 0xfc];
  assertEquals(["enter", "esc", "f1", "f12", "ctrl", "pagedown", "+", "ü"].map(signOfKey), wanted);
  for (const name of ["", "no", "toString", "\u0007", "ab"]) {
    assertThrows(() => signOfKey(name), ToolError, "There is no key");
  }
  assertEquals(["a", "\n", "\u0007", "\u009f", "\ud800"].map(isControl), [false, false, true, true, true]);
});

desktopTest("without its programs there is no desktop", async () => {
  await using scene = await desktopScene({ found: { programs: null, missing: ["xvfb", "openbox"] } });
  const error = await assertRejects(() => scene.act({ do: "look" }), ToolError, "install xvfb and openbox");
  assertEquals(error.code, "unavailable");
});
