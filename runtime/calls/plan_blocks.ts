/** Groups calls into the blocks in which they run: adjacent parallel calls together, any other call alone. */
export function planBlocks<Call extends { parallel: boolean }>(calls: readonly Call[]): Call[][] {
  const blocks: Call[][] = [];
  for (const call of calls) {
    const last = blocks.at(-1);
    if (call.parallel && last?.[0]?.parallel) last.push(call);
    else blocks.push([call]);
  }
  return blocks;
}
