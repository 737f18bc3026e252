import type { Visit } from "../page-row.ts";

/** The page of a collective. */
export const collectiveAddress = (slug: string): string => `/collectives/${encodeURIComponent(slug)}`;

/** The collective that an address below {@link collectiveAddress} names. */
export const slugOf = ({ params }: Visit): string => params["slug"] ?? "";
