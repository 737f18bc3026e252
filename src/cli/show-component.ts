import type { Output as AnswerOf } from "../contract/endpoint.ts";
import type { Api } from "../contract/index.ts";
import { type Place, schemaNameOf } from "./component-lookup.ts";
import { componentLines } from "./component-text.ts";
import type { Context } from "./context.ts";

/** Shows a person a component as {@link componentLines} tells it, with its schema by name; a program `document`. */
export async function showComponent(
  context: Context,
  place: Place,
  answer: AnswerOf<Api["components"]["get"]>,
  document: unknown = answer,
): Promise<void> {
  const { output } = context;
  if (output.json) return output.result(document, []);
  const schemaName = await schemaNameOf(context, place, answer.component.schemaId);
  output.result(document, componentLines(answer, schemaName, output));
}
