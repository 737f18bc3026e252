import type { Multipart } from "../contract/endpoint.ts";

/** The form that carries a row's body; what is no text is sent as JSON, so that a parsed document may be given as well. */
export function formOf({ field }: Multipart, body: unknown): FormData {
  const form = new FormData();
  if (body === undefined) return form;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  form.append(field, new Blob([text], { type: "application/json" }), `${field}.json`);
  return form;
}
