const PUMP_BYTES = 64 * 1024;
/** Most characters made at once. */
const STEP = 8 * 1024;

/** The half of a connection that bytes come from. */
export type ByteSource = Pick<Deno.Conn, "read">;
/** The half of a connection that bytes go to. */
export type ByteSink = Pick<Deno.Conn, "write">;
/** A connection, whatever carries it. */
export type ByteConn = Pick<Deno.Conn, "read" | "write" | "close" | "closeWrite">;

/** Writes all bytes: one write of the system may take a part. */
export async function writeAll(to: ByteSink, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}

/**
 * Carries bytes over, unread, until the source ends.
 *
 * @param onBytes Hears how many bytes have gone over
 */
export async function pump(from: ByteSource, to: ByteSink, onBytes: (count: number) => void): Promise<void> {
  const buffer = new Uint8Array(PUMP_BYTES);
  for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
    onBytes(read);
    await writeAll(to, buffer.subarray(0, read));
  }
}

/** Closes a connection that may be closed already. */
export function closeQuietly(conn: { close(): void }): void {
  try {
    conn.close();
  } catch {
    // As wanted.
  }
}

/** Each byte becomes the character of its number; the label of this name means another table to decoders. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + STEP) as unknown as number[]);
  }
  return text;
}
