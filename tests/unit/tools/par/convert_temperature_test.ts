import { assertEquals } from "@std/assert";

import convertTemperature from "../../../../tools/par/convert_temperature.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("convert_temperature converts without the noise of binary fractions", async () => {
  using ws = workspace();
  const cases: [number, string, string, number][] = [
    [100, "C", "F", 212],
    [0.1, "C", "F", 32.18],
    [0.1, "C", "K", 273.25],
    [37.7, "C", "F", 99.86],
    [98.6, "F", "C", 37],
    [-40, "f", "c", -40],
    [32, "F", "K", 273.15],
    [-459.67, "F", "K", 0],
    [-459.67, "F", "C", -273.15],
    [0, "K", "F", -459.67],
    [0, "k", "C", -273.15],
    [-273.15, "C", "K", 0],
    [32, "F", "C", 0],
    [1, "F", "C", -17.2222222222],
    [0.123456789012345, "C", "C", 0.123456789012345],
    [1e-12, "K", "K", 1e-12],
    [1e30, "C", "K", 1e30],
  ];
  for (const [value, from, to, converted] of cases) {
    const { result } = await ws.run(convertTemperature, { value, from, to });
    const expected = {
      value: converted,
      unit: to.toUpperCase(),
      original_value: value,
      original_unit: from.toUpperCase(),
    };
    assertEquals(result, expected);
    assertEquals(Object.is(result.value, -0), false);
  }
});

Deno.test("convert_temperature refuses unknown units and what does not exist", async () => {
  using ws = workspace();
  const cases: [number, string, string, string][] = [
    [1, "X", "C", 'Cannot convert from "X": unknown unit, use C, F or K'],
    [1, "C", "celsius", 'Cannot convert to "celsius": unknown unit, use C, F or K'],
    [-1, "K", "C", "Cannot convert -1 K: absolute zero is 0 K"],
    [-273.16, "c", "F", "Cannot convert -273.16 C: absolute zero is -273.15 C"],
    [-459.68, "F", "F", "Cannot convert -459.68 F: absolute zero is -459.67 F"],
    [1.7e308, "C", "F", "Cannot convert 1.7e+308 C: the result is too large for a number"],
  ];
  for (const [value, from, to, message] of cases) {
    const { error } = await ws.run(convertTemperature, { value, from, to });
    assertEquals([error?.code, error?.message], ["invalid_input", message]);
  }
});
