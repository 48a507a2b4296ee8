import { assertEquals } from "@std/assert";
import * as z from "zod";

import calculator from "../../../../tools/par/calculator.ts";
import convertTemperature from "../../../../tools/par/convert_temperature.ts";
import echo from "../../../../tools/par/echo.ts";
import generatePassword from "../../../../tools/par/generate_password.ts";
import generateUuid from "../../../../tools/par/generate_uuid.ts";
import getTime from "../../../../tools/par/get_time.ts";
import hashText from "../../../../tools/par/hash_text.ts";
import jsonFormat from "../../../../tools/par/json_format.ts";
import stringStats from "../../../../tools/par/string_stats.ts";
import urlEncode from "../../../../tools/par/url_encode.ts";

const TOOLS = [
  calculator,
  convertTemperature,
  echo,
  generatePassword,
  generateUuid,
  getTime,
  hashText,
  jsonFormat,
  stringStats,
  urlEncode,
];

Deno.test("The ten utilities of par touch nothing and name the documented arguments and times", () => {
  const facts = TOOLS.map((tool) => {
    const { properties = {}, required = [] } = z.toJSONSchema(tool.input, { io: "input" });
    assertEquals([tool.needs, tool.readOnly, tool.parallel], [{}, true, false]);
    return [tool.name, Object.keys(properties), required, tool.limits.timeoutMs];
  });
  assertEquals(facts, [
    ["calculator", ["expression"], ["expression"], 5_000],
    ["convert_temperature", ["value", "from", "to"], ["value", "from", "to"], 1_000],
    ["echo", ["text"], ["text"], 2_000],
    ["generate_password", ["length", "include_symbols"], [], 1_000],
    ["generate_uuid", [], [], 1_000],
    ["get_time", [], [], 2_000],
    ["hash_text", ["text", "algorithm"], ["text"], 2_000],
    ["json_format", ["json"], ["json"], 2_000],
    ["string_stats", ["text"], ["text"], 1_000],
    ["url_encode", ["text", "decode"], ["text"], 1_000],
  ]);
});
