/** What the start itself reports about a program's processes, before the program runs. */
export interface StartReport {
  /** The process that a terminal was given to, `null` without a terminal. */
  terminalPid: number | null;
  /** Process 1 of the box as seen from outside, `null` without a box. */
  boxPid: number | null;
}

/** A longer text is not a report. */
const MAX_BYTES = 4_096;
const LF = 10;

/** Takes the report of a start off the front of a stream: a line with a number, then bubblewrap's JSON. */
export class StartReportReader {
  readonly #expects: { terminal: boolean; box: boolean };
  readonly #report = Promise.withResolvers<StartReport>();
  #buffer: Uint8Array | null = new Uint8Array(0);

  /** @param expects The parts that will come */
  constructor(expects: { terminal: boolean; box: boolean }) {
    this.#expects = expects;
    if (!expects.terminal && !expects.box) this.#settle({ terminalPid: null, boxPid: null });
  }

  /** Settles once all parts came; a part that will never come is `null`. */
  get report(): Promise<StartReport> {
    return this.#report.promise;
  }

  /** Takes the next bytes of the stream; returns those that are not of the report. */
  push(bytes: Uint8Array): Uint8Array {
    if (this.#buffer === null) return bytes;
    const all = new Uint8Array(this.#buffer.length + bytes.length);
    all.set(this.#buffer);
    all.set(bytes, this.#buffer.length);
    this.#buffer = all;
    const parsed = parseReport(all, this.#expects);
    if (parsed === "more" && all.length < MAX_BYTES) return new Uint8Array(0);
    const { report, length } = parsed === "more" ? noReport : parsed;
    this.#settle(report);
    return all.subarray(length);
  }

  /** Says that the stream has ended. Returns the bytes that looked like the start of a report. */
  end(): Uint8Array {
    const rest = this.#buffer ?? new Uint8Array(0);
    this.#settle(noReport.report);
    return rest;
  }

  #settle(report: StartReport): void {
    this.#buffer = null;
    this.#report.resolve(report);
  }
}

const noReport = { report: { terminalPid: null, boxPid: null }, length: 0 };

function parseReport(
  bytes: Uint8Array,
  { terminal, box }: { terminal: boolean; box: boolean },
): { report: StartReport; length: number } | "more" {
  let length = 0;
  let terminalPid: number | null = null;
  if (terminal) {
    const lineEnd = bytes.indexOf(LF);
    if (lineEnd === -1) return "more";
    terminalPid = numberOf(bytes.subarray(0, lineEnd), /^(\d+)$/);
    if (terminalPid === null) return noReport;
    length = lineEnd + 1;
  }
  if (!box) return { report: { terminalPid, boxPid: null }, length };
  if (bytes.length === length) return "more";
  const end = endOfJson(bytes, length);
  if (end === "none") return { report: { terminalPid, boxPid: null }, length };
  if (end === "more") return "more";
  const boxPid = numberOf(bytes.subarray(length, end), /"child-pid":\s*(\d+)/);
  return { report: { terminalPid, boxPid }, length: end };
}

/** If bubblewrap cannot make the box, it may write no JSON. */
function endOfJson(bytes: Uint8Array, start: number): number | "more" | "none" {
  if (bytes[start] !== "{".charCodeAt(0)) return "none";
  const close = bytes.indexOf("}".charCodeAt(0), start);
  if (close === -1 || close + 1 === bytes.length) return "more";
  return bytes[close + 1] === LF ? close + 2 : close + 1;
}

function numberOf(bytes: Uint8Array, pattern: RegExp): number | null {
  const found = pattern.exec(new TextDecoder().decode(bytes))?.[1];
  return found === undefined ? null : Number(found);
}
