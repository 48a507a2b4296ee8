import {
  IssuerMismatchError,
  OAuthError,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
} from "@modelcontextprotocol/client";

import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import { foldIssues } from "../fold_issues.ts";
import { UNREADABLE } from "./remote/answers.ts";
import { httpError } from "./remote/remote_transport.ts";

/** Longest message of a server's error that is told, in characters. */
const MAX_MESSAGE = 2_000;
/** How deep an error is wrapped at most. */
const MAX_CAUSES = 5;

/**
 * Returns what went wrong with a server as an error with a code. Its message is a part of a sentence about the server.
 *
 * @param mask Takes the secrets out of what the server said
 */
export function toError(error: unknown, mask: (text: string) => string = (text) => text): ToolError {
  const { code, message, retryable, details } = understood(error);
  return new ToolError(code, mask(message), { retryable, details });
}

function understood(error: unknown): ToolError {
  const known = toolError(error) ?? httpError(error);
  if (known !== null) return known;
  const text = foldIssues(error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE);
  if (error instanceof ProtocolError && isUnreadable(error)) {
    return new ToolError("external_failure", `its answer cannot be read: ${text}`, { retryable: false });
  }
  if (error instanceof ProtocolError) {
    const code = error.code === ProtocolErrorCode.InvalidParams
      ? "invalid_input"
      : error.code === ProtocolErrorCode.ResourceNotFound
      ? "not_found"
      : "external_failure";
    return new ToolError(code, `it answered with the error ${error.code}: ${text}`, {
      details: { mcp_code: error.code },
      retryable: false,
    });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) {
    return new ToolError("unavailable", "its connection was closed");
  }
  if (error instanceof SdkError || isOfSchema(error)) {
    return new ToolError("external_failure", `its answer is not what the protocol says: ${text}`, {
      retryable: false,
    });
  }
  return new ToolError("external_failure", `its answer cannot be read: ${text}`, { retryable: false });
}

/** The library wraps what the gate refuses, and what went wrong with a login. */
function toolError(error: unknown): ToolError | null {
  let one = error;
  for (let depth = 0; depth < MAX_CAUSES && one instanceof Error; depth++) {
    if (one instanceof ToolError) return one;
    if (one instanceof IssuerMismatchError && one.kind === "authorization_response") {
      return new ToolError("unauthenticated", "the login came back from another login server: log in again");
    }
    if (one instanceof OAuthError) {
      const said = one.message.slice(0, MAX_MESSAGE);
      return new ToolError("unauthenticated", `its login server refused the login: ${one.code}: ${said}`);
    }
    one = one.cause ?? (one as { data?: { cause?: unknown } }).data?.cause;
  }
  return null;
}

function isUnreadable({ data }: ProtocolError): boolean {
  return isObject(data) && data[UNREADABLE] === true;
}

function isOfSchema(error: unknown): boolean {
  return error instanceof Error && error.name.includes("ZodError");
}
