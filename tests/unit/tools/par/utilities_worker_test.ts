import { assertEquals, assertMatch } from "@std/assert";

Deno.test("The ten utilities of par run in a worker without any permission", async () => {
  const url = new URL("../../../fixtures/par_utilities_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module", deno: { permissions: "none" } });
  const { read, results } = await new Promise<{ read: string; results: Record<string, unknown> }>(
    (resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
    },
  );
  worker.terminate();
  const { generate_password, generate_uuid, get_time, ...fixed } = results;
  assertEquals(read === "granted", false);
  assertEquals(fixed, {
    calculator: 14,
    convert_temperature: { value: 212, unit: "F", original_value: 100, original_unit: "C" },
    echo: "hello",
    hash_text: { hash: "5d41402abc4b2a76b9719d911017c592", algorithm: "md5" },
    json_format: "[\n  1\n]",
    string_stats: { characters: 3, words: 2, lines: 1 },
    url_encode: "a%20b",
  });
  assertMatch(String(generate_password), /^[A-Za-z0-9!@#$%^&*]{16}$/);
  assertMatch(String(generate_uuid), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assertMatch(String(get_time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});
