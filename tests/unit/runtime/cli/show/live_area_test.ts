import { assertEquals } from "@std/assert";

import type { Io } from "../../../../../runtime/cli/io/io.ts";
import { LiveArea } from "../../../../../runtime/cli/show/live_area.ts";

/** An area on a terminal whose width the test sets, and what the terminal got. */
function area(columns: number) {
  const size = { columns };
  let got = "";
  const take = (bytes: Uint8Array) => {
    got += new TextDecoder().decode(bytes);
    return Promise.resolve();
  };
  const io = { stderrWidth: () => size.columns, stderr: take, stdout: take } as Partial<Io> as Io;
  const live = new LiveArea(io);
  const shown = async () => {
    await live.written;
    const text = got;
    got = "";
    return text;
  };
  return { live, size, shown };
}

Deno.test("LiveArea cuts its lines to the terminal, and clears exactly them", async () => {
  const { live, shown } = area(10);
  live.draw(["0123456789abc", "x"]);
  assertEquals(await shown(), "01234567…\nx");
  live.draw(["y"]);
  assertEquals(await shown(), "\r\x1b[1A\x1b[Jy");
  live.print("done\n");
  assertEquals(await shown(), "\r\x1b[Jdone\n");
  live.print("more\n");
  assertEquals(await shown(), "more\n");
});

Deno.test("LiveArea follows the size of the terminal, and clears the rows that it folded", async () => {
  const { live, size, shown } = area(40);
  live.draw(["x".repeat(30), "second"]);
  await shown();
  size.columns = 12;
  live.draw(["x".repeat(30)]);
  // 30 characters take three rows of 12, and the second line one more.
  assertEquals(await shown(), `\r\x1b[3A\x1b[J${"x".repeat(10)}…`);
});

Deno.test("LiveArea keeps the order of both streams", async () => {
  const { live, shown } = area(20);
  live.draw(["working"]);
  live.print("answer", "stdout");
  live.print("row\n");
  assertEquals(await shown(), "working\r\x1b[Janswerrow\n");
});
