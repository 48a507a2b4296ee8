import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";

type Unit = "C" | "F" | "K";

/** Digits after the point that are kept; what is behind them is noise of binary fractions. */
const DECIMALS = 10;
const ABSOLUTE_ZERO: Readonly<Record<Unit, number>> = { C: -273.15, F: -459.67, K: 0 };

export default defineTool({
  name: "convert_temperature",
  description: "Converts a temperature between Celsius (C), Fahrenheit (F) and Kelvin (K). " +
    'Example: {"value": 100, "from": "C", "to": "F"} gives 212.',
  input: z.object({
    value: z.number().describe("Temperature to convert; not below absolute zero."),
    from: z.string().describe("Unit of the value: C, F or K, in any case."),
    to: z.string().describe("Unit to convert to: C, F or K, in any case."),
  }),
  output: z.object({
    value: z.number(),
    unit: z.string(),
    original_value: z.number(),
    original_unit: z.string(),
  }),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "value=100 from=C to=F", meaning: "Convert a temperature" },
  ],
  limits: { timeoutMs: 1_000 },
  run(input) {
    const from = parseUnit("from", input.from);
    const unit = parseUnit("to", input.to);
    if (input.value < ABSOLUTE_ZERO[from]) {
      throw refusal(`${input.value} ${from}`, `absolute zero is ${ABSOLUTE_ZERO[from]} ${from}`);
    }
    const value = convert(input.value, from, unit);
    if (!Number.isFinite(value)) {
      throw refusal(`${input.value} ${from}`, "the result is too large for a number");
    }
    return { value, unit, original_value: input.value, original_unit: from };
  },
});

function parseUnit(name: string, asked: string): Unit {
  const unit = asked.toUpperCase();
  if (unit === "C" || unit === "F" || unit === "K") return unit;
  throw refusal(`${name} "${asked}"`, "unknown unit, use C, F or K");
}

function refusal(what: string, reason: string): ToolError {
  return new ToolError("invalid_input", `Cannot convert ${what}: ${reason}`);
}

function convert(value: number, from: Unit, to: Unit): number {
  if (from === to) return value;
  const celsius = from === "F" ? (value - 32) * 5 / 9 : from === "K" ? value - 273.15 : value;
  const converted = to === "F" ? celsius * 9 / 5 + 32 : to === "K" ? celsius + 273.15 : celsius;
  return Number(converted.toFixed(DECIMALS)) + 0;
}
