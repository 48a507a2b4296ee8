import { Buffer } from "node:buffer";

import { ToolError } from "../../../schemas/error.ts";

const MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Streams of old office files, which their directory names in UTF-16, with the words for each. */
const STREAMS: readonly (readonly [stream: string, message: string])[] = [
  [
    "EncryptedPackage",
    "The file is protected by a password: open it in an office program and save it without one",
  ],
  ["WordDocument", oldFormat("Word", "doc")],
  ["PowerPoint Document", oldFormat("PowerPoint", "ppt")],
  ["Workbook", oldFormat("Excel", "xls")],
  ["Book", oldFormat("Excel", "xls")],
];

/**
 * Refuses the binary formats of old office programs, and encrypted files, which lie in the same container.
 *
 * @throws {ToolError} `invalid_input`, naming the format and what to do
 */
export function refuseOldFormat(bytes: Uint8Array): void {
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) return;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Each name in the directory ends with NUL.
  const found = STREAMS.find(([stream]) => view.includes(Buffer.from(`${stream}\0`, "utf16le")));
  throw new ToolError(
    "invalid_input",
    found?.[1] ?? "Old binary office files are not supported: save it as .docx, .xlsx or .pptx",
  );
}

function oldFormat(program: string, ending: string): string {
  return `Old binary ${program} files (.${ending}) are not supported: save it as .${ending}x, ` +
    `with an office program or with "soffice --headless --convert-to ${ending}x" in Bash`;
}
