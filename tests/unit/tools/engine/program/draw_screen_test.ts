import { assertEquals } from "@std/assert";

import { drawScreen } from "../../../../../tools/engine/program/draw_screen.ts";

const VIM = {
  rows: 8,
  cols: 40,
  output: Deno.readTextFileSync(new URL("../../../../fixtures/terminal/vim.raw", import.meta.url)),
};
const TOP = {
  rows: 10,
  cols: 80,
  output: Deno.readTextFileSync(new URL("../../../../fixtures/terminal/top.raw", import.meta.url)),
};

const VIM_SCREEN = `one
hello wörld
two
three
~
~
~
                      2,12-11       All`;

const TOP_SCREEN = `top - 02:59:39 up  3:38,  0 user,  load average: 0.24, 0.20, 0.34
Tasks:   1 total,   0 running,   1 sleeping,   0 stopped,   0 zombie
%Cpu(s):  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem :  24105.6 total,  23673.6 free,    406.8 used,    314.7 buff/cache
MiB Swap:      0.0 total,      0.0 free,      0.0 used.  23698.8 avail Mem

  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
    1 root      10 -10   47392  17124   6424 S   0.0   0.1   0:54.98 init`;

Deno.test("drawScreen() draws full-screen programs", async () => {
  assertEquals((await drawScreen({ ...VIM, state: "" })).text, VIM_SCREEN);
  assertEquals((await drawScreen({ ...TOP, state: "" })).text, TOP_SCREEN);
});

Deno.test("drawScreen() goes on from a state, wherever the output was cut", async () => {
  for (const [{ output, ...size }, screen] of [[VIM, VIM_SCREEN], [TOP, TOP_SCREEN]] as const) {
    for (let cut = 0; cut < output.length; cut += 7) {
      const { state } = await drawScreen({ ...size, state: "", output: output.slice(0, cut) });
      const { text } = await drawScreen({ ...size, state, output: output.slice(cut) });
      assertEquals(text, screen, `cut at ${cut}`);
    }
  }
});

Deno.test("drawScreen() shows the newest rows, and nothing of an empty terminal", async () => {
  const size = { rows: 3, cols: 10, state: "" };
  const output = Array.from({ length: 9 }, (_, n) => `line ${n}\r\n`).join("");
  assertEquals((await drawScreen({ ...size, output })).text, "line 7\nline 8");
  assertEquals((await drawScreen({ ...size, output: "" })).text, "");
  assertEquals((await drawScreen({ ...size, output: "0123456789abc" })).text, "0123456789\nabc");
});
