import { looksLikeUlid } from "../contract/ids.ts";
import type { GetSchemaVariantResponse, PropSchema, SchemaResponse } from "../contract/schemas.ts";
import { StillBuildingError } from "../http/failure.ts";
import { sleep } from "../lib/clock.ts";
import type { Place } from "./component-lookup.ts";
import type { Context } from "./context.ts";

/** A schema by id or by name; throws the API's refusal, which names those that are similar. */
export async function findSchema(context: Context, place: Place, named: string): Promise<SchemaResponse> {
  const { schemas } = await context.api();
  const query = looksLikeUlid(named) ? { schemaId: named.toUpperCase() } : { schema: named };
  return schemas.find({ ...place, query });
}

/** How often a definition that is being computed is asked for again. */
const attempts = 15;

/** The default variant of a schema; waits while its definition is running. */
export async function defaultVariant(
  context: Context,
  place: Place,
  schemaId: string,
): Promise<GetSchemaVariantResponse> {
  const { schemas } = await context.api();
  for (let attempt = 1; ; attempt++) {
    try {
      return await schemas.variantDefault({ ...place, schemaId });
    } catch (error) {
      if (!(error instanceof StillBuildingError) || attempt === attempts) throw error;
      await sleep(context.clock, error.retryAfterSeconds * 1000, context.untilStopped());
    }
  }
}

/** One line for each property below a tree's root: pointer, kind, what is known of it. */
export function propLines(root: PropSchema): string[] {
  const lines: string[] = [];
  const visit = (prop: PropSchema, pointer: string): void => {
    for (const child of prop.children ?? []) {
      const isElement = prop.propType === "array" || prop.propType === "map";
      const at = `${pointer}/${isElement ? `[${prop.propType}]` : child.name}`;
      const told = [
        child.propType,
        ...(child.defaultValue == null ? [] : [`default ${JSON.stringify(child.defaultValue)}`]),
        ...(child.hidden === true ? ["hidden"] : []),
        ...(child.description == null ? [] : [child.description]),
      ];
      lines.push(`  ${at}  ${told.join(", ")}`);
      visit(child, at);
    }
  };
  visit(root, `/${root.name}`);
  return lines;
}

/** The pointers of a tree with the ids of their properties. */
export function propIds(root: PropSchema): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const visit = (prop: PropSchema, pointer: string): void => {
    ids.set(pointer, prop.propId);
    if (prop.propType !== "object") return;
    for (const child of prop.children ?? []) visit(child, `${pointer}/${child.name}`);
  };
  visit(root, `/${root.name}`);
  return ids;
}

/** A function of a variant in words: `action Create`, `Qualification`. */
export const kindText = ({ funcKind }: GetSchemaVariantResponse["variantFuncs"][number]): string => {
  if (funcKind.kind === "action") return `Action ${funcKind.actionKind}`;
  return funcKind.kind === "management" ? "Management" : funcKind.funcKind;
};
