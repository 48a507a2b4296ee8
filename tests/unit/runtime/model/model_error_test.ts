import { assertEquals } from "@std/assert";

import { connectionError, givenUpReply, modelRefusal } from "../../../../runtime/model/model_error.ts";
import type { ModelSettings } from "../../../../runtime/model/protocol.ts";

const SETTINGS: ModelSettings = {
  name: "m",
  alias: { other: null, prefix: "" },
  baseUrl: "http://127.0.0.1:1234/v1",
  apiKey: "",
  headers: {},
  requestTimeoutMs: 1,
  idleTimeoutMs: 1,
  extraBody: {},
  quirks: {},
};
const refused = (status: number, body: string) =>
  modelRefusal({ status, headers: new Headers(), body }, SETTINGS).message;

Deno.test("modelRefusal() gives the title of a web page as the reason, and calls no failure a refusal", () => {
  const page = "<html><head><title>502 Bad Gateway &amp; more</title></head><body><h1>No</h1></body></html>";
  assertEquals(refused(502, page), "The model at 127.0.0.1:1234 failed (502): 502 Bad Gateway & more");
  assertEquals(refused(500, "<h1>Oh no</h1>"), "The model at 127.0.0.1:1234 failed (500): Oh no");
  assertEquals(refused(503, "<html>"), "The model at 127.0.0.1:1234 failed (503): it gave no reason");
  assertEquals(refused(400, "odd"), "The request is refused by the model at 127.0.0.1:1234 (400): odd");
});

Deno.test("connectionError() says the reason without the address that the message names", async () => {
  const refused = "tcp connect error: Connection refused (os error 111)";
  const cause = new TypeError(
    `error sending request for url (http://a.test/v1): client error (Connect): ${refused}`,
  );
  const settings = { ...SETTINGS, baseUrl: "http://a.test/v1" };
  const { message } = await connectionError(cause, settings, { begun: false });
  assertEquals(message, `Cannot reach the model at a.test:80: ${refused}`);
});

Deno.test("givenUpReply() makes a broken reply of every error in it that a new try may mend", () => {
  const cases: [unknown, string, boolean][] = [
    [{}, "external_failure", true],
    ["no power", "external_failure", true],
    [{ code: 504, message: "late" }, "external_failure", true],
    [{ code: 400, message: "odd" }, "external_failure", true],
    [{ code: 403, message: "flagged" }, "external_failure", true],
    [{ code: 429, message: "slow down" }, "rate_limited", true],
    [{ code: 402, message: "pay" }, "external_failure", false],
    [{ code: 400, message: "prompt is too long: 9 tokens > 8 maximum" }, "limit_exceeded", false],
  ];
  for (const [error, code, retryable] of cases) {
    const failed = givenUpReply(error, SETTINGS);
    assertEquals([failed.code, failed.retryable], [code, retryable], JSON.stringify(error));
  }
});
