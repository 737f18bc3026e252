import type { FunctionKind } from "../../src/contract/functions.ts";
import type { BindingKind, FunctionArgument, FunctionDefinition } from "./functions.ts";
import { isReadable } from "./json.ts";
import { refuse } from "./refusal.ts";

/** Longest source of a function, in UTF-16 units; what is longer the sandbox would not take. */
export const maximumCode = 1_000_000;

/** What somebody says of a function they make. */
export interface FunctionWishes {
  readonly name: string;
  readonly code: string;
  readonly displayName?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/** What a function is that a binding of a kind puts to work. */
export const functionKindOf: Readonly<Record<BindingKind, FunctionKind>> = {
  action: "Action",
  attribute: "Attribute",
  authentication: "Authentication",
  codegen: "CodeGeneration",
  management: "Management",
  qualification: "Qualification",
};

/** What a function of that kind is declared to be given and to return. */
export interface Signature {
  readonly arguments: readonly FunctionArgument[];
  readonly isTransformation?: boolean;
}

/** An unlocked function as it was asked for, or the refusal of a name or code that no function may have. */
export function defineFunction(
  kind: FunctionKind,
  wishes: FunctionWishes,
  { arguments: declared, isTransformation = false }: Signature = { arguments: [] },
): FunctionDefinition {
  return {
    name: checkFunctionName(wishes.name),
    ...describeFunction(wishes),
    link: null,
    kind,
    handler: "main",
    isLocked: false,
    arguments: declared,
    isTransformation,
    // Attribute functions say nothing of what they return: their property judges it.
    ...(kind === "Attribute" ? { responseType: "Unset" } : {}),
  };
}

/** The members of a function that an update replaces. */
export const describeFunction = ({
  code,
  displayName,
  description,
}: Omit<FunctionWishes, "name">): Pick<FunctionDefinition, "code" | "displayName" | "description"> => ({
  code: checkCode(code),
  displayName: displayName ?? null,
  description: description ?? null,
});

function checkFunctionName(name: string): string {
  if (!isReadable(name)) {
    refuse(
      "invalidRequest",
      "name: expected something to read in one line, found only spaces, or a control character",
    );
  }
  if (name === "__proto__")
    refuse("invalidRequest", "name: expected another name, found the reserved __proto__");
  if (name.startsWith("si:")) {
    refuse(
      "invalidRequest",
      "name: expected another name, those that begin with si: belong to every workspace",
    );
  }
  return name;
}

function checkCode(code: string): string {
  if (code.length <= maximumCode) return code;
  return refuse("invalidRequest", `code: expected at most ${maximumCode} characters, found ${code.length}`);
}
