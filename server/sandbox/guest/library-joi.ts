import Joi from "joi";

/** The global `Joi`. */
export const library: unknown = Joi;
