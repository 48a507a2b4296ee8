import { assertEquals } from "@std/assert";
import { fromFileUrl } from "../../../runtime/file_url.ts";
