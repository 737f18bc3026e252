import type { StoredFunction } from "../domain/functions.ts";
import { validationName } from "../domain/intrinsics.ts";
import { findIntrinsic, intrinsicId } from "../read/intrinsics.ts";

/** Problems that are told of one component. */
const mostProblems = 50;
/** Characters that are told of one value. */
const mostCharacters = 500;

/**
 * Rebuilds each format with Joi and judges each value by its own. What cannot be rebuilt is a problem of the value, so
 * that a package with a broken format says so where its component is looked at.
 */
const code = `function main({ formats, values }) {
  const schemas = formats.map((format) => {
    try {
      return Joi.build(JSON.parse(format));
    } catch (error) {
      return "its validation format cannot be used: " + reasonIn(error.message);
    }
  });
  const problems = values.flatMap(({ at, format, value }) => {
    const problem = problemOf(schemas[format], value);
    return problem === undefined ? [] : [at + ": " + problem.slice(0, ${mostCharacters})];
  });
  if (problems.length === 0) return { result: "success" };
  const more = problems.length - ${mostProblems};
  const told = problems.slice(0, ${mostProblems}).concat(more > 0 ? ["and " + more + " more"] : []);
  return { result: "failure", message: told.join("\\n") };
}

function problemOf(schema, value) {
  if (typeof schema === "string") return schema;
  try {
    return schema.validate(value, { abortEarly: false }).error?.message;
  } catch (error) {
    return "its validation format cannot be used: " + reasonIn(error.message);
  }
}

// Joi's own complaint: of a description that it marks up in colours, the line below the markup.
function reasonIn(text) {
  const lines = text.replace(/\\u001b\\[\\d+m/g, "").split("\\n");
  return (text.startsWith("{") ? lines.at(-1) : lines[0]).replace(/^\\[\\d+\\] /, "");
}
`;

/** The function that judges a component's values by their validation formats. */
export const validationFunction: StoredFunction = {
  ...(findIntrinsic(intrinsicId(validationName)) ?? missing()),
  handler: "main",
  code,
};

function missing(): never {
  throw new Error(`there is no function ${validationName}`);
}
