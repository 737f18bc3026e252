import { flowOf, functionCircle } from "./binding-circles.ts";
import { overlap } from "./bindings.ts";
import { checkVariant } from "./definitions.ts";
import {
  attributeBindings,
  type FunctionsByKey,
  functionAt,
  listedBindings,
  ownFunctions,
  readWithoutEffect,
} from "./package-bindings.ts";
import { readRootProp } from "./package-props.ts";
import {
  choiceOf,
  memberObject,
  objectsOf,
  optionalFlag,
  optionalLink,
  optionalObject,
  optionalText,
  type Placed,
  present,
  senseless,
  textOf,
} from "./package-reader.ts";
import { defaultColor, type PackageBinding, type PackageVariant } from "./packages.ts";
import {
  componentTypes,
  type PropDefinition,
  propTree,
  type SecretDefinition,
  type VariantDefinition,
} from "./props.ts";
import { Refusal } from "./refusal.ts";

/** What the variants of a package have from their schema. */
export interface OfSchema {
  readonly displayName: string;
  readonly category: string;
  readonly functions: FunctionsByKey;
}

/** `component` and `Component` mean the same. */
const typeWords = componentTypes.flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)]);

/** Reads one variant of a package spec; throws the refusal of the first mistake with its place. */
export function readVariant(spec: Placed, { displayName, category, functions }: OfSchema): PackageVariant {
  textOf(spec, "version");
  optionalText(spec, "uniqueId");
  optionalFlag(spec, "isBuiltin");
  const data = optionalObject(spec, "data");
  if (data === undefined) return senseless(`${spec.at}.data`, "expected what the variant is, found nothing");
  textOf(data, "version");
  choiceOf(data, "componentType", typeWords);
  optionalText(data, "displayName");
  const asset = functionAt(functions, data, "SchemaVariantDefinition");
  const domain = readRootProp(memberObject(spec, "domain"), "domain");
  const secrets = readRootProp(memberObject(spec, "secrets"), "secrets");
  const resourceValue = readRootProp(memberObject(spec, "resourceValue"), "resource_value");
  const form = optionalObject(spec, "secretDefinition");
  const fields = form === undefined ? undefined : readRootProp(form, "secret_definition");
  const secretDefinition = fields && definedSecret(spec, fields.members, secrets.members);
  const described: VariantDefinition = {
    schemaId: "",
    displayName,
    category,
    color: optionalText(data, "color") ?? defaultColor,
    description: optionalText(data, "description") ?? null,
    link: optionalLink(data, "link") ?? null,
    isLocked: true,
    domain: domain.members,
    secrets: secrets.members,
    ...(secretDefinition === undefined ? {} : { secretDefinition }),
    resourceValue: resourceValue.members,
  };
  const variant = checkDeclared(spec.at, described);
  const props = propTree(variant, (path) => path);
  readWithoutEffect(spec, functions, props);
  const computed = [...ownFunctions(spec), ...domain.functions, ...resourceValue.functions];
  for (const { func, at } of [...secrets.functions, ...(fields?.functions ?? [])]) {
    if (functions.get(func)?.func.kind !== "Intrinsic")
      senseless(`${at}.funcUniqueId`, "expected no function of the package: secrets are given by components");
  }
  const bindings = [...listedBindings(spec, functions), ...attributeBindings(computed, functions, props)];
  checkBindings(spec.at, bindings, functions);
  const { color, description, link } = variant;
  return {
    displayName,
    color,
    description,
    link,
    assetFunc: asset.key,
    domain: variant.domain,
    secrets: variant.secrets,
    ...(secretDefinition === undefined ? {} : { secretDefinition }),
    resourceValue: variant.resourceValue,
    bindings,
  };
}

function checkDeclared(at: string, variant: VariantDefinition): VariantDefinition {
  try {
    return checkVariant(variant);
  } catch (error) {
    if (error instanceof Refusal) senseless(at, error.message);
    throw error;
  }
}

/** The definition is called like the output socket that the variant has for it, or like the one secret of its own kind. */
function definedSecret(
  spec: Placed,
  fields: readonly PropDefinition[],
  secrets: readonly PropDefinition[],
): SecretDefinition {
  const own = secrets.filter(({ name, secret }) => name === secret).map(({ name }) => name);
  const sockets = present(objectsOf(spec, "sockets"))
    .filter((socket) => optionalObject(socket, "data")?.object["kind"] === "output")
    .map((socket) => textOf(socket, "name"));
  const [name, ...more] = sockets.filter((socket) => own.includes(socket));
  const [only, ...others] = own;
  if (name !== undefined && more.length === 0) return { name, fields };
  if (name === undefined && only !== undefined && others.length === 0) return { name: only, fields };
  return senseless(
    `${spec.at}.secretDefinition`,
    "expected one entry of secrets whose name is that of its own secretKind, so that the definition has a name",
  );
}

function checkBindings(at: string, bindings: readonly PackageBinding[], functions: FunctionsByKey): void {
  const nameOf = ({ func }: PackageBinding): string => functions.get(func)?.func.name ?? func;
  const actionKinds = new Set<string>();
  const keys = new Map<string, string>();
  const outputs: PackageBinding[] = [];
  for (const binding of bindings) {
    const { kind, actionKind, output } = binding;
    const name = nameOf(binding);
    if (kind === "action" && actionKind !== undefined && actionKind !== "Manual") {
      if (actionKinds.has(actionKind))
        senseless(`${at}.actionFuncs`, `expected one action of kind ${actionKind}, found two`);
      actionKinds.add(actionKind);
    }
    // One function may compute several properties, or be several actions; in every other way a name is bound once.
    const other = keys.get(name);
    const again = other === binding.func && (kind === "attribute" || kind === "action");
    if (other !== undefined && !again)
      senseless(
        at,
        `expected each function bound once and by a name of its own, found ${JSON.stringify(name)} twice`,
      );
    keys.set(name, binding.func);
    if (output === undefined) continue;
    const rival = outputs.find((each) => overlap(each.output ?? "", output));
    if (rival !== undefined)
      senseless(
        at,
        `expected one function for ${output}, found ${JSON.stringify(nameOf(rival))} for ${rival.output} and ${JSON.stringify(name)}`,
      );
    outputs.push(binding);
  }
  checkCircles(at, bindings, functions);
}

function checkCircles(at: string, bindings: readonly PackageBinding[], functions: FunctionsByKey): void {
  const bound = bindings.flatMap((binding) => {
    const func = functions.get(binding.func)?.func;
    return func === undefined ? [] : [{ ...binding, func: { ...func, id: func.key } }];
  });
  for (const binding of bound) {
    const flow = flowOf(binding);
    if (flow === undefined) continue;
    const circle = functionCircle(
      bound.filter((other) => other !== binding),
      flow,
    );
    if (circle !== undefined)
      senseless(at, `functions would wait for each other in a circle: ${circle.join(" → ")}`);
  }
}
