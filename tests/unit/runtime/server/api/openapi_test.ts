import { Validator } from "@seriousme/openapi-schema-validator";
import { assertEquals } from "@std/assert";

import { documentOf } from "../../../../../runtime/server/api/openapi.ts";
import { OPERATIONS } from "../../../../../runtime/server/api/operations.ts";
import { SERVER_OPERATIONS } from "../../../../../runtime/server/api/server_operations.ts";

const operations = [...SERVER_OPERATIONS, ...OPERATIONS];

// deno-lint-ignore no-explicit-any
const document: any = documentOf(operations, "1.2.3");

Deno.test("documentOf() makes a valid document of all operations", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assertEquals([valid, errors], [true, undefined]);
  const ids = Object.values<Record<string, { operationId: string }>>(document.paths)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  assertEquals(ids.toSorted(), operations.map(({ id }) => id).toSorted());
});

Deno.test("documentOf() refers to schemas that are there, and has each once", () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
  const names = Object.keys(document.components.schemas);
  const lost = refs.filter((ref) => !names.includes(ref.replace("#/components/schemas/", "")));
  assertEquals(lost, []);
  const { requestBody, responses, parameters } = document.paths["/runs"].post;
  assertEquals(requestBody, {
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/StartRun" } } },
  });
  assertEquals(Object.keys(responses), ["201", "4XX", "5XX"]);
  assertEquals(parameters.map(({ name }: { name: string }) => name), ["X-Client-ID"]);
  assertEquals(document.components.schemas.StartRun.properties.grants.$ref, "#/components/schemas/Narrowing");
  assertEquals(document.components.schemas.StartRun.properties.prompt, {
    type: "string",
    minLength: 1,
    description: "What to do.",
  });
});

Deno.test("documentOf() tells parameters, what is open, and in which form failures come", () => {
  const [id] = document.paths["/runs/{id}"].get.parameters;
  assertEquals(id, { name: "id", in: "path", required: true, schema: { type: "string" } });
  const [after] = document.paths["/runs/{id}/events"].get.parameters
    .filter((one: { in: string }) => one.in === "query");
  assertEquals([after.name, after.required, after.schema.type], ["after", false, "integer"]);
  assertEquals(document.paths["/health"].get.security, []);
  const { parameters, responses } = document.paths["/runs/{id}/events"].get;
  const headers = parameters.flatMap((one: { in: string; name: string }) =>
    one.in === "header" ? [one.name] : []
  );
  assertEquals([headers, Object.keys(responses)], [["Last-Event-ID"], ["200", "204", "4XX", "5XX"]]);
  const chat = document.paths["/v1/chat/completions"].post.responses["200"].content;
  assertEquals(Object.keys(chat), ["application/json", "text/event-stream"]);
  const given = { ...operations[0]!, id: "chat", errors: "openai" as const };
  const other = JSON.stringify(documentOf([given], "1"));
  assertEquals(other.includes("#/components/schemas/OpenAIFailure"), true);
});
