import { assertEquals } from "@std/assert";

import { makeMasker } from "../../../../../runtime/text/secrets/redact.ts";

const SECRET = "p@ss w/rd+ü!9x";
const mask = makeMasker([SECRET, "abcdef"]);

Deno.test("makeMasker() finds a secret as programs often write it", () => {
  const bytes = new TextEncoder().encode(SECRET);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  const forms = [
    SECRET,
    encodeURIComponent(SECRET),
    encodeURIComponent(SECRET).replaceAll("%20", "+"),
    [...SECRET].reverse().join(""),
    hex.join(""),
    hex.join("").toUpperCase(),
    hex.join(":"),
    hex.map((digits) => `%${digits}`).join(""),
  ];
  for (const form of forms) assertEquals(mask(`a ${form} b`), "a [redacted] b", form);
});

Deno.test("makeMasker() finds a secret in base64, whatever stands around it", () => {
  for (const around of ["", "k", "ke", "key", "key=", "user:"]) {
    const text = btoa(String.fromCharCode(...new TextEncoder().encode(`${around}${SECRET}${around}`)));
    for (const form of [text, text.replaceAll("+", "-").replaceAll("/", "_")]) {
      assertEquals(mask(form).includes("[redacted]"), true, around);
      // No more than the digits that the secret shares with its neighbours are left.
      assertEquals(
        mask(form).replace("[redacted]", "").length <= btoa(`${around}${around}`).length + 6,
        true,
        form,
      );
    }
  }
});

Deno.test("makeMasker() leaves alone what is too short to tell", () => {
  assertEquals(mask("616263 fedcba"), "616263 [redacted]");
  assertEquals(makeMasker(["abc"])("abc cba YWJj"), "abc cba YWJj");
});
