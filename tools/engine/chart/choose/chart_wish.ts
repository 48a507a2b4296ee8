import * as z from "zod";

/** The kinds of charts. */
export const CHART_TYPES = [
  ...[
    "bar",
    "line",
    "area",
    "pie",
    "rose",
    "scatter",
    "histogram",
    "box_plot",
    "heat_map",
    "funnel",
    "radar",
  ],
  ...["sankey", "treemap", "sunburst", "word_cloud", "dual_axis", "waterfall", "range_column", "gauge"],
  ...["linear_progress", "circular_progress"],
] as const;

/** Names of columns and what they are drawn as; what is absent is chosen by rules. */
export const chartWish = z.object({
  /** A kind of {@linkcode CHART_TYPES}, as people write it: `Box Plot` is `box_plot`. */
  type: z.string().optional(),
  /** Column of the axis, of the slices, or of the names. */
  x: z.string().optional(),
  /** Columns of numbers. */
  y: z.array(z.string()).optional(),
  /** Column whose names become series. */
  color: z.string().optional(),
  /** Unit of the numbers. */
  unit: z.string().optional(),
  /** Bars and areas stand on each other. */
  stack: z.boolean().optional(),
});

/** One of {@linkcode CHART_TYPES}. */
export type ChartType = typeof CHART_TYPES[number];
/** One of {@linkcode chartWish}. */
export type ChartWish = z.output<typeof chartWish>;
