/** Values of labels, in the order of their names. */
export type LabelValues = readonly string[];

/** What stands on one line. */
export interface Sample {
  /** What follows the name of the metric, such as `_total`. */
  suffix: string;
  /** Names of labels with their values. */
  labels: readonly (readonly [name: string, value: string])[];
  value: number;
}

/** A metric with all its lines. */
export interface Metric {
  /** Without the suffix of its lines; a unit is its last word. */
  name: string;
  type: "counter" | "gauge" | "histogram" | "info";
  /** One sentence. */
  help: string;
  /** @default it has none */
  unit?: "seconds" | "bytes";
  samples(): Sample[];
}

/** What a metric is called. */
export type MetricNames = Pick<Metric, "name" | "help" | "unit"> & { labels?: readonly string[] };

/** Most combinations of labels that a metric keeps apart; what comes later counts as `other`. */
export const MOST_SERIES = 1_000;
const OTHER = "other";

/** Combinations of labels, so many at most. */
class SeriesOf<T> {
  readonly #labels: readonly string[];
  readonly #make: () => T;
  readonly #all = new Map<string, { values: LabelValues; kept: T }>();

  constructor(labels: readonly string[], make: () => T) {
    this.#labels = labels;
    this.#make = make;
  }

  of(values: LabelValues): T {
    const found = this.#all.get(JSON.stringify(values));
    if (found) return found.kept;
    const isFull = this.#all.size >= MOST_SERIES;
    const others = values.map(() => OTHER);
    if (isFull && values.some((value) => value !== OTHER)) return this.of(others);
    const kept = this.#make();
    this.#all.set(JSON.stringify(values), { values, kept });
    return kept;
  }

  map<Made>(make: (labels: Sample["labels"], kept: T) => Made[]): Made[] {
    return [...this.#all.values()].flatMap(({ values, kept }) =>
      make(this.#labels.map((name, at) => [name, values[at] ?? ""]), kept)
    );
  }
}

/** Counts up. */
export class Counter implements Metric {
  readonly type = "counter";
  readonly name: string;
  readonly help: string;
  readonly #series: SeriesOf<{ count: number }>;

  constructor({ name, help, labels = [] }: MetricNames) {
    this.name = name;
    this.help = help;
    this.#series = new SeriesOf(labels, () => ({ count: 0 }));
    if (labels.length === 0) this.#series.of([]);
  }

  add(count: number, ...values: LabelValues): void {
    if (count >= 0) this.#series.of(values).count += count;
  }

  samples(): Sample[] {
    return this.#series.map((labels, { count }) => [{ suffix: "_total", labels, value: count }]);
  }
}

/** Shows what a function says at the moment. */
export class Gauge implements Metric {
  readonly type = "gauge";
  readonly name: string;
  readonly help: string;
  readonly unit?: NonNullable<Metric["unit"]>;
  readonly #read: () => number;

  constructor({ name, help, unit }: MetricNames, read: () => number) {
    this.name = name;
    this.help = help;
    if (unit) this.unit = unit;
    this.#read = read;
  }

  samples(): Sample[] {
    return [{ suffix: "", labels: [], value: this.#read() }];
  }
}

/** Shows what a function has counted so far. */
export class Total implements Metric {
  readonly type = "counter";
  readonly name: string;
  readonly help: string;
  readonly #read: () => number;

  constructor({ name, help }: MetricNames, read: () => number) {
    this.name = name;
    this.help = help;
    this.#read = read;
  }

  samples(): Sample[] {
    return [{ suffix: "_total", labels: [], value: this.#read() }];
  }
}

/** Says what is there, in its labels. */
export class Labelled implements Metric {
  readonly type = "info";
  readonly name: string;
  readonly help: string;
  readonly #labels: Sample["labels"];

  constructor({ name, help }: MetricNames, labels: Readonly<Record<string, string>>) {
    this.name = name;
    this.help = help;
    this.#labels = Object.entries(labels);
  }

  samples(): Sample[] {
    return [{ suffix: "_info", labels: this.#labels, value: 1 }];
  }
}

/** Upper bounds of durations, in seconds: from a call in a warm room to an answer of a slow model. */
const BOUNDS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Counts durations by their length. */
export class Durations implements Metric {
  readonly type = "histogram";
  readonly unit = "seconds";
  readonly name: string;
  readonly help: string;
  readonly #series: SeriesOf<{ counts: number[]; sum: number }>;

  constructor({ name, help, labels = [] }: MetricNames) {
    this.name = name;
    this.help = help;
    this.#series = new SeriesOf(labels, () => ({ counts: new Array(BOUNDS.length + 1).fill(0), sum: 0 }));
  }

  add(seconds: number, ...values: LabelValues): void {
    const series = this.#series.of(values);
    const at = BOUNDS.findIndex((bound) => seconds <= bound);
    series.counts[at < 0 ? BOUNDS.length : at]!++;
    series.sum += Math.max(0, seconds);
  }

  samples(): Sample[] {
    return this.#series.map((labels, { counts, sum }) => {
      let count = 0;
      const buckets = counts.map((own, at) => {
        count += own;
        const bound = at < BOUNDS.length ? floatOf(BOUNDS[at]!) : "+Inf";
        return { suffix: "_bucket", labels: [...labels, ["le", bound] as const], value: count };
      });
      return [
        ...buckets,
        { suffix: "_count", labels, value: count },
        { suffix: "_sum", labels, value: sum },
      ];
    });
  }
}

/** Readers take bounds as texts: each must be written in one way, and 1 is `1.0`. */
function floatOf(bound: number): string {
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}
