import { z } from "zod";

import * as callSchemas from "./call_operations.ts";
import * as chatSchemas from "./chat_schemas.ts";
import type { ErrorForm, Operation } from "./operation.ts";
import * as responseSchemas from "./response_schemas.ts";
import * as runSchemas from "./run_schemas.ts";

type Schema = Record<string, unknown>;

/** The forms in which operations tell of failures. */
const ERRORS: Readonly<Record<ErrorForm, z.ZodType>> = {
  bulkhead: z.object({
    error: z.object({
      code: z.string().describe("Of a closed list, to branch on."),
      message: z.string().describe("Names the value, the reason and the next step."),
      retryable: z.boolean().describe("The same request may succeed later."),
      details: z.record(z.string(), z.unknown()),
    }),
  }),
  openai: z.object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  }),
  detail: z.object({ detail: z.string() }),
};
const ERROR_NAMES: Readonly<Record<ErrorForm, string>> = {
  bulkhead: "Failure",
  openai: "OpenAIFailure",
  detail: "DetailFailure",
};
/** Schemas by the names that they have in the source. */
const NAMED: Readonly<Record<string, unknown>> = {
  ...callSchemas,
  ...chatSchemas,
  ...responseSchemas,
  ...runSchemas,
};
const REFS = "#/components/schemas/";

/** Makes the description of some operations, in OpenAPI 3.1. */
export function documentOf(operations: readonly Operation[], version: string): Schema {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, Schema>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll("+}", "}");
    (paths[path] ??= {})[operation.method.toLowerCase()] = describe(operation, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "bulkhead",
      version,
      description: "Agents and tools over HTTP, inside the permissions that the server was started with.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ token: [] }],
    paths,
    components: {
      schemas: schemas.all(),
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "The token that the server printed at its start.",
        },
      },
    },
  };
}

function describe(operation: Operation, schemas: Schemas): Schema {
  const { id, tag, summary, body, answer, errors = "bulkhead", isOpen = false } = operation;
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation, schemas),
    ...headerParameters(operation),
  ];
  const failure = { description: "Why there is no answer.", content: json(schemas.refOf(ERRORS[errors])) };
  const content = {
    ...answer.json && json(schemas.refOf(answer.json)),
    ...answer.type &&
      { [answer.type]: { schema: answer.type.startsWith("text/") ? { type: "string" } : {} } },
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: !body.safeParse({}).success, content: json(schemas.refOf(body)) },
    }),
    responses: {
      [String(answer.status ?? 200)]: { description: answer.description, content },
      ...answer.empty && { "204": { description: answer.empty } },
      "4XX": failure,
      "5XX": failure,
    },
    ...(isOpen && { security: [] }),
  };
}

function json(schema: Schema): Schema {
  return { "application/json": { schema } };
}

function pathParameters({ path }: Operation): Schema[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters({ query }: Operation, schemas: Schemas): Schema[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.plain(query) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(schema["description"] !== undefined && { description: schema["description"] }),
    schema,
  }));
}

function headerParameters({ answer: { headers = {} } }: Operation): Schema[] {
  return Object.entries(headers).map(([name, description]) => ({
    ...{ name, in: "header", required: false, description },
    schema: { type: "string" },
  }));
}

/** Schemas that stand once in the document, by the names that they have in the source. */
class Schemas {
  readonly #registry = z.registry<{ id: string }>();
  readonly #all: Record<string, Schema>;

  constructor() {
    for (const [name, value] of Object.entries(NAMED)) {
      if (value instanceof z.ZodType) this.#registry.add(value, { id: name });
    }
    for (const [form, schema] of Object.entries(ERRORS)) {
      this.#registry.add(schema, { id: ERROR_NAMES[form as ErrorForm] });
    }
    const { schemas } = z.toJSONSchema(this.#registry, {
      io: "input",
      uri: (id) => `${REFS}${id}`,
      override,
    });
    this.#all = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, cleaned(schema)]));
  }

  all(): Record<string, Schema> {
    return this.#all;
  }

  refOf(schema: z.ZodType): Schema {
    const named = this.#registry.get(schema);
    return named ? { $ref: `${REFS}${named.id}` } : this.plain(schema);
  }

  /** With all that it uses in itself. */
  plain(schema: z.ZodType): Schema {
    return cleaned(z.toJSONSchema(schema, { io: "input", reused: "inline", override }));
  }
}

/** The bounds of safe integers tell nobody anything. */
function override({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Names of its own would make references mean something else. */
function cleaned({ $schema: _, $id: __, ...schema }: Schema): Schema {
  return schema;
}
