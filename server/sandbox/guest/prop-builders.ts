import { append, type Built, built, oneOf } from "./built.ts";
import { checkFormat } from "./check-format.ts";

const propKinds = ["array", "boolean", "float", "integer", "json", "map", "object", "string"];
const widgetKinds = [
  "array",
  "checkbox",
  "codeEditor",
  "color",
  "comboBox",
  "header",
  "map",
  "password",
  "secret",
  "select",
  "text",
  "textArea",
];

/** Another schema's property that this one may be fed from, or may feed. */
interface Suggestion {
  readonly schema: string;
  readonly prop: string;
}

/** A property of a schema. */
export class PropBuilder {
  readonly #made: Built = {};
  #set(member: string, value: unknown): this {
    this.#made[member] = value;
    return this;
  }
  #isOf(...kinds: readonly string[]): boolean {
    return kinds.includes(String(this.#made["kind"]));
  }
  setName(name: string): this {
    return this.#set("name", name);
  }
  setKind(kind: string): this {
    return this.#set("kind", oneOf(kind, propKinds, "PropBuilder.setKind"));
  }
  addChild(child: unknown): this {
    if (!this.#isOf("object"))
      throw new TypeError('addChild is for properties of kind object: call setKind("object") first');
    append(this.#made, "children", built(child, "PropBuilder.addChild"));
    return this;
  }
  setEntry(entry: unknown): this {
    if (!this.#isOf("array", "map"))
      throw new TypeError("setEntry is for properties of kind array or map: call setKind first");
    return this.#set("entry", built(entry, "PropBuilder.setEntry"));
  }
  addMapKeyFunc(func: unknown): this {
    append(this.#made, "mapKeyFuncs", built(func, "PropBuilder.addMapKeyFunc"));
    return this;
  }
  setDefaultValue(value: unknown): this {
    return this.#set("defaultValue", value);
  }
  setDocLink(link: string): this {
    return this.#set("docLink", link);
  }
  setDocLinkRef(reference: string): this {
    return this.#set("docLinkRef", reference);
  }
  setDocumentation(text: string): this {
    return this.#set("documentation", text);
  }
  setHidden(hidden: boolean): this {
    return this.#set("hidden", hidden);
  }
  setWidget(widget: unknown): this {
    const given = built(widget, "PropBuilder.setWidget");
    if (given["kind"] === "secret")
      throw new TypeError("a secret's widget comes with SecretPropBuilder: use it instead of PropBuilder");
    return this.#set("widget", given);
  }
  setValueFrom(value: unknown): this {
    return this.#set("valueFrom", built(value, "PropBuilder.setValueFrom"));
  }
  /** Keeps what the Joi schema says of itself; text is taken as such a description already. */
  setValidationFormat(format: string | { describe(): unknown }): this {
    if (typeof format === "string") return this.#set("validationFormat", format);
    if (typeof format?.describe !== "function")
      throw new TypeError("setValidationFormat takes a Joi schema, such as Joi.string().required()");
    const text = JSON.stringify(format.describe());
    checkFormat(text);
    return this.#set("validationFormat", text);
  }
  suggestSource(suggestion: Suggestion): this {
    append(this.#made, "suggestSources", suggestion);
    return this;
  }
  suggestAsSourceFor(suggestion: Suggestion): this {
    append(this.#made, "suggestAsSourceFor", suggestion);
    return this;
  }
  build(): Built {
    return { ...this.#made };
  }
}

/** How a property is shown and edited. */
export class PropWidgetDefinitionBuilder {
  readonly #made: Built = {};
  setKind(kind: string): this {
    this.#made["kind"] = oneOf(kind, widgetKinds, "PropWidgetDefinitionBuilder.setKind");
    return this;
  }
  addOption(label: string, value: string): this {
    append(this.#made, "options", { label, value });
    return this;
  }
  /** Makes the property fixed once there is a resource. */
  setCreateOnly(): this {
    return this.addOption("si_create_only_prop", "true");
  }
  build(): Built {
    return { ...this.#made };
  }
}
