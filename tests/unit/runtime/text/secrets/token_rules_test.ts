import { assert, assertEquals } from "@std/assert";

import { maskTokens } from "../../../../../runtime/text/secrets/token_rules.ts";
import RULES from "../../../../../runtime/text/secrets/token_rules.json" with { type: "json" };

/** Looks random, and holds no token of a service by itself. */
function digits(count: number, alphabet = "aZ3kQ9xW7mB2vT5yL8nR4pD6"): string {
  return Array.from({ length: count }, (_, at) => alphabet[(at * 7 + (at >> 3)) % alphabet.length]).join("");
}

/** Tokens of services that bulkhead's own rules do not know. Made up here, so that no scanner finds them. */
const TOKENS = [
  `hvs.${digits(95)}`,
  `SG.${digits(22)}.${digits(43)}`,
  `dop_v1_${digits(64, "0123456789abcdef")}`,
  `SK${digits(32, "0123456789abcdef")}`,
  `shpat_${digits(32, "0123456789abcdef")}`,
  `glsa_${digits(32)}_${digits(8, "0123456789abcdef")}`,
  `pypi-AgEIcHlwaS5vcmc${digits(60)}`,
  `AGE-SECRET-KEY-1${digits(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`,
];

Deno.test("maskTokens() masks tokens of services by the public rules", () => {
  for (const token of TOKENS) {
    for (const text of [token, `echo ${token}`, `{"a":"${token}"}`, `a=${token}, b`, `x(${token})`]) {
      assertEquals(maskTokens(text), text.replace(token, "[redacted]"));
    }
  }
});

Deno.test("maskTokens() keeps the text around a token", () => {
  const key = digits(32, "0123456789abcdef");
  assertEquals(
    maskTokens(`adafruit_key = "${digits(32, "abcdef0123456789_")}"; x`),
    'adafruit_key = "[redacted]"; x',
  );
  assertEquals(maskTokens(`TWILIO = SK${key}\n`), "TWILIO = [redacted]\n");
});

Deno.test("maskTokens() leaves plain texts alone", () => {
  for (const text of ["the facebook page of adobe", "s.length = 3", "sk_ is a prefix", "hvs. x", "SG.a.b"]) {
    assertEquals(maskTokens(text), text);
  }
  // No token: a placeholder has few different letters.
  assertEquals(maskTokens(`hvs.${"a".repeat(95)}`), `hvs.${"a".repeat(95)}`);
});

Deno.test("the public rules are whole: their source, their licence, patterns that hold", () => {
  assert(RULES.source.includes("gitleaks") && RULES.licence.startsWith("MIT"));
  assert(RULES.rules.length > 200);
  for (const { id, pattern, keywords } of RULES.rules) {
    assert(new RegExp(pattern, "g") && keywords.length > 0, id);
    assertEquals(keywords, keywords.map((word) => word.toLowerCase()), id);
  }
});
