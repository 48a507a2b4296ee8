/** Splits a byte stream into lines at LF, without the LF; a last line without one counts. Bytes must be UTF-8. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let parts: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    parts.push(pieces[0]!);
    for (let at = 1; at < pieces.length; at++) {
      yield parts.join("");
      parts = [pieces[at]!];
    }
  }
  parts.push(decoder.decode());
  const rest = parts.join("");
  if (rest !== "") yield rest;
}
