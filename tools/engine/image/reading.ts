import * as z from "zod";

/** Input of the image reader besides the bytes: the bounds of the attachment. */
export const imageLimits = z.object({
  /** Longest edge, in pixels. */
  maxEdge: z.int().min(1),
  /** Most bytes. */
  maxBytes: z.int().min(1),
  /** Quality of the first JPEG, 1 to 100. */
  quality: z.int().min(1).max(100),
});

/** The bounds of an attachment. */
export type ImageLimits = z.output<typeof imageLimits>;

/** What the image reader finds: facts of the file as it is stored, and the picture for a model. */
export const imageReading = z.object({
  /** Pillow's name, such as "PNG". */
  format: z.string().max(16),
  mimeType: z.string().max(64),
  /** Pillow's name, such as "RGBA". */
  mode: z.string().max(16),
  width: z.int().min(1),
  height: z.int().min(1),
  attachment: z.object({
    format: z.enum(["JPEG", "PNG"]),
    width: z.int().min(1),
    height: z.int().min(1),
    /** In base64. */
    bytes: z.string(),
  }),
  warnings: z.array(z.string().max(1000)).max(16),
});

/** What the image reader finds. */
export type ImageReading = z.output<typeof imageReading>;
