import Joi from "joi";

// What checks descriptions is made with the first one: made here, it is in the memory that every function begins with.
Joi.build({ type: "any" });

/** The global `Joi`. */
export const library: unknown = Joi;
