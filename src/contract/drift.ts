import Type, { type Static } from "typebox";
import { Id } from "./ids.ts";
import { AnyJson, named } from "./shapes.ts";

/** A component of the head whose resource was found to be otherwise than its model, and is so still. */
export const DriftedComponent = named("DriftedComponent", {
  componentId: Id,
  componentName: Type.String(),
  schemaName: Type.String(),
  attributes: Type.Array(
    Type.Object({
      path: Type.String({ description: "Pointer of the attribute, such as `/domain/region`" }),
      model: AnyJson,
      resource: AnyJson,
    }),
  ),
});
export type DriftedComponent = Static<typeof DriftedComponent>;
