import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Multipart } from "../contract/endpoint.ts";
import { ApiError } from "../contract/errors.ts";
import { errorMessage } from "../lib/error-message.ts";

/** Other fields, files and their bytes that a form may carry beside the one that counts. */
const maximumParts = 100;

/** Makes a scope read forms; what its rows expect of them is judged by {@link readForm}. */
export function acceptForms(scope: FastifyInstance): void {
  scope.register(multipart, { throwFileSizeLimit: false });
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The text of the field that counts, undefined when the form has none; the last one wins where several have its name.
 * Throws `invalidRequest` for what is no form, is not UTF-8 or too large.
 */
export async function readForm(request: FastifyRequest, form: Multipart): Promise<string | undefined> {
  const { field, maximumBytes } = form;
  if (!request.isMultipart()) {
    const found = request.headers["content-type"] ?? "none";
    throw new ApiError("invalidRequest", `content-type: expected multipart/form-data, found ${found}`);
  }
  let text: string | undefined;
  const limits = { fileSize: maximumBytes, parts: maximumParts, files: maximumParts };
  // Text parts are read as files are, so that bytes, limits and letters are judged alike.
  const parts = request.files({ limits, isPartAFile: () => true });
  try {
    for await (const { fieldname, file } of parts) {
      const bytes: Buffer[] = [];
      for await (const chunk of file) if (fieldname === field) bytes.push(chunk);
      if (fieldname !== field) continue;
      if (file.truncated) throw tooLarge(form);
      text = decoded(Buffer.concat(bytes), field);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const why = errorMessage(error);
    throw new ApiError("invalidRequest", `body: expected a complete form, found one that is not (${why})`);
  }
  return text;
}

const tooLarge = ({ field, maximumBytes }: Multipart): ApiError =>
  new ApiError("invalidRequest", `${field}: expected at most ${maximumBytes / 1024 / 1024} MB, found more`);

function decoded(bytes: Buffer, field: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ApiError("invalidRequest", `${field}: expected UTF-8 text, found bytes that are not`);
  }
}
