import { assertEquals } from "@std/assert";

import { MarkReader, type ShellPrompt } from "../../../../../runtime/programs/process/shell_protocol.ts";
import { SHELL_MARK } from "../../../../../schemas/program.ts";

Deno.test(
  "MarkReader finds the ends of commands, wherever the output is cut",
  { permissions: "none" },
  () => {
    let number = 0;
    const mark = (code: number) => `${SHELL_MARK}${code} ${++number}${SHELL_MARK}nonce${SHELL_MARK}`;
    const output = new TextEncoder().encode(
      `hi${mark(0)}one${mark(7)}${SHELL_MARK}5 9${SHELL_MARK}other${mark(130)}`,
    );
    for (const size of [1, 2, 5, 1_000]) {
      const reader = new MarkReader("nonce");
      const found: ShellPrompt[] = [];
      for (let at = 0; at < output.length; at += size) {
        const prompt = reader.push(output.subarray(at, at + size));
        if (prompt !== null) found.push(prompt);
      }
      const last = { number: 3, code: 130 };
      const each = [{ number: 1, code: null }, { number: 2, code: 7 }, last];
      assertEquals(found, size === 1_000 ? [last] : each, `pieces of ${size}`);
    }
  },
);
