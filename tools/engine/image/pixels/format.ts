/** Formats that can be told by their first bytes and drawn. */
export type ImageFormat =
  | "PNG"
  | "JPEG"
  | "JPEG2000"
  | "GIF"
  | "BMP"
  | "WEBP"
  | "TIFF"
  | "ICO"
  | "ICNS"
  | "PPM"
  | "SVG";

/** What the start of a picture says, read before anything is decoded. */
export interface ImageHeader {
  format: ImageFormat;
  /** Pillow's name for the kind of pixels. */
  mode: string;
  /** As stored, before any rotation. */
  width: number;
  height: number;
  /** Exif's number, 1 (upright) to 8. @default 1 */
  orientation?: number;
  /** How many pictures follow each other. @default 1 */
  frames?: number;
  /** Pixels may be transparent. @default false */
  transparent?: boolean;
  /** A checksum does not match; the picture may still be fine. @default false */
  damaged?: boolean;
}

/** The MIME type of each format. */
export const MIME_TYPES: Readonly<Record<ImageFormat, string>> = {
  PNG: "image/png",
  JPEG: "image/jpeg",
  GIF: "image/gif",
  BMP: "image/bmp",
  WEBP: "image/webp",
  TIFF: "image/tiff",
  ICO: "image/x-icon",
  ICNS: "image/icns",
  JPEG2000: "image/jp2",
  PPM: "image/x-portable-anymap",
  SVG: "image/svg+xml",
};
