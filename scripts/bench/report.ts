/** One measured ratio beside the bound that the project sets itself. */
export interface Ratio {
  name: string;
  ms: number;
  peer: string;
  peerMs: number;
  /** Largest allowed ratio. */
  bound: number;
}

/** Renders a ratio as a line of the report. */
export function renderRatio({ name, ms, peer, peerMs, bound }: Ratio): string {
  const ratio = ms / peerMs;
  const verdict = ratio <= bound ? "ok  " : "OVER";
  const figures = `${ms.toFixed(2)} ms / ${peerMs.toFixed(2)} ms`;
  return `${verdict} ${ratio.toFixed(2).padStart(6)} × (≤ ${bound})  ${name}: ${figures} ${peer}`;
}
