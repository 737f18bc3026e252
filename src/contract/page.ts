import Type from "typebox";

/** Items a page holds when nothing is asked for, and at most. */
export const defaultLimit = 50;
export const maximumLimit = 300;

export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Items a page, default ${defaultLimit}, at most ${maximumLimit}`,
    }),
  ),
  cursor: Type.Optional(Type.String({ description: "Id of the last item of the page before" })),
};

/** The number of items to serve: what was asked, the default, or the maximum when more was asked. */
export const clampLimit = (limit: number | undefined): number =>
  Math.min(limit ?? defaultLimit, maximumLimit);
