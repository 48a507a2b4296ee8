import { assertEquals } from "@std/assert";

import { readAudioInfo } from "../../../../../tools/engine/file/audio_info.ts";

function read(bytes: Uint8Array) {
  return readAudioInfo(
    (offset, length) => Promise.resolve(bytes.slice(offset, offset + length)),
    bytes.length,
  );
}

function bytesOf(...parts: (string | readonly number[] | number)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => {
      if (typeof part === "number") return new Array<number>(part).fill(0);
      return typeof part === "string" ? Array.from(part, (one) => one.charCodeAt(0)) : [...part];
    }),
  );
}

const FORMAT = [16, 0, 0, 0, 1, 0, 2, 0, 0x44, 0xac, 0, 0, 0x10, 0xb1, 2, 0, 4, 0, 16, 0];

Deno.test("readAudioInfo() reads a WAV header, also behind other chunks", async () => {
  const data = ["data", [0x10, 0xb1, 2, 0], 176_400] as const;
  const plain = bytesOf("RIFF", 4, "WAVE", "fmt ", FORMAT, ...data);
  const odd = bytesOf("RIFF", 4, "WAVE", "LIST", [3, 0, 0, 0], 4, "fmt ", FORMAT, ...data);
  const streamed = bytesOf("RIFF", 4, "WAVE", "fmt ", FORMAT, "data", [255, 255, 255, 255], 88_200);
  const info = { sampleRateHz: 44_100, channels: 2, durationSeconds: 1 };
  assertEquals(await read(plain), info);
  assertEquals(await read(odd), info);
  assertEquals(await read(streamed), { ...info, durationSeconds: 0.5 });
});

Deno.test("readAudioInfo() reads a FLAC header", async () => {
  // 48000 Hz (0x0bb80), 2 channels, 16 bits, 96000 samples.
  const packed = [0x0b, 0xb8, 0x02, 0xf0, 0x00, 0x01, 0x77, 0x00];
  const bytes = bytesOf("fLaC", [0, 0, 0, 34], 10, packed, 16);
  assertEquals(await read(bytes), { sampleRateHz: 48_000, channels: 2, durationSeconds: 2 });
});

Deno.test("readAudioInfo() reads an MP3's first frame behind its ID3 tag", async () => {
  // MPEG 1 layer III, 128 kbit/s, 44100 Hz, stereo: 16000 bytes are a second.
  const frame = [0xff, 0xfb, 0x90, 0x00];
  const tag = ["ID3", [3, 0, 0, 0, 0, 1, 0], 128] as const;
  const info = { sampleRateHz: 44_100, channels: 2, durationSeconds: 1 };
  assertEquals(await read(bytesOf(frame, 15_996)), info);
  assertEquals(await read(bytesOf(...tag, frame, 15_996)), info);
  const xing = bytesOf(frame, 32, "Xing", [0, 0, 0, 1], [0, 0, 0, 100], 100);
  assertEquals(await read(xing), { ...info, durationSeconds: 100 * 1152 / 44_100 });
  // MPEG 2 layer III, 64 kbit/s, 22050 Hz, mono.
  const mono = bytesOf([0xff, 0xf3, 0x80, 0xc0], 7_996);
  assertEquals(await read(mono), { sampleRateHz: 22_050, channels: 1, durationSeconds: 1 });
});

Deno.test("readAudioInfo() returns null for what it does not know", async () => {
  for (
    const bytes of [bytesOf(), bytesOf("RIFF"), bytesOf("RIFF", 4, "WAVE"), bytesOf("fLaC", 8), bytesOf(64)]
  ) {
    assertEquals(await read(bytes), null);
  }
});
