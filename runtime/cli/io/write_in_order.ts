/**
 * Makes a function that writes each text whole, and after the texts before it, also if nobody waited for those. An empty
 * text waits for all before it. A failed write is told to its own caller alone.
 *
 * @param sink Where the bytes go; it may take only some of them at once
 */
export function writeInOrder(sink: Pick<Deno.Conn, "write">): (bytes: Uint8Array) => Promise<void> {
  let last = Promise.resolve();
  return (bytes) =>
    last = last.catch(() => {}).then(async () => {
      for (let at = 0; at < bytes.length;) at += await sink.write(bytes.subarray(at));
    });
}
