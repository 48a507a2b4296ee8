import { assertEquals } from "@std/assert";

import { decodeFax } from "../../../../../../tools/engine/image/tiff/fax.ts";

function bytesOf(bits: string): Uint8Array {
  const whole = bits.replaceAll(" ", "");
  return Uint8Array.from(
    whole.padEnd(Math.ceil(whole.length / 8) * 8, "0").match(/.{8}/g)!,
    (byte) => parseInt(byte, 2),
  );
}

function rows(bits: string, twoDimensional: "all" | "marked" | "none", { aligned = false } = {}): string[] {
  const shape = { width: 8, height: 2, twoDimensional, aligned };
  const decoded = decodeFax(bytesOf(bits), shape);
  const shown = [...decoded.bits].map((byte) => byte.toString(2).padStart(8, "0"));
  return decoded.complete ? shown : [...shown, "incomplete"];
}

const MARK = "000000000001";

Deno.test("decodeFax() reads rows with and without the row above", () => {
  // White 2, black 3, white 3; then the changes one to the right and just below.
  const plain = "0111 10 1000";
  const cases = [
    ["all", `001 0111 10 1 011 1 1`, ["00111000", "00011000"]],
    ["all", `001 0111 10 1 0001 1`, ["00111000", "00000000"]],
    ["all", `001 00110101 0000110111 0001 0001 1`, ["00000000", "00000000"]],
    ["none", `${MARK} ${plain} 0000 ${MARK} ${plain}`, ["00111000", "00111000"]],
    ["none", `${plain} ${plain}`, ["00111000", "00111000"]],
    ["marked", `${MARK} 1 ${plain} ${MARK} 0 010 1 1`, ["00111000", "01111000"]],
    ["all", `001 0111 10 1 0000000`, ["00111000", "00000000", "incomplete"]],
    ["all", `001 0111`, ["00000000", "00000000", "incomplete"]],
  ] as const;
  for (const [kind, bits, expected] of cases) assertEquals(rows(bits, kind), [...expected], bits);
  assertEquals(rows(`${plain} 000000 ${plain}`, "none", { aligned: true }), ["00111000", "00111000"]);
});

Deno.test("decodeFax() adds up long runs", () => {
  const { bits } = decodeFax(bytesOf("000000011111 11011 1100 0000001100101 0000110111"), {
    width: 2560 + 64 + 5 + 1728,
    height: 1,
    twoDimensional: "none",
    aligned: false,
  });
  const black = [...bits].join("");
  assertEquals(bits.filter((byte) => byte === 255).length, 215, black);
  assertEquals(bits[(2560 + 64) / 8], 0b00000111);
});
