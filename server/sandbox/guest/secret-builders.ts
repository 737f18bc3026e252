import { annotation, append, type Built, built } from "./built.ts";

interface Suggestion {
  readonly schema: string;
  readonly prop: string;
}

/** A property that holds a secret of another schema's definition. */
export class SecretPropBuilder {
  readonly #made: Built = {
    kind: "string",
    widget: { kind: "secret", options: [] },
    hasInputSocket: true,
  };
  #annotations: string[] = [];
  #set(member: string, value: unknown): this {
    this.#made[member] = value;
    return this;
  }
  setName(name: string): this {
    return this.#set("name", name);
  }
  setSecretKind(definition: string): this {
    const options = [{ label: "secretKind", value: definition }];
    return this.#set("widget", { kind: "secret", options });
  }
  setConnectionAnnotation(text: string): this {
    this.#annotations = [...this.#annotations, annotation(text)];
    return this.#set("connectionAnnotations", JSON.stringify(this.#annotations));
  }
  setDocLink(link: string): this {
    return this.#set("docLink", link);
  }
  setDocLinkRef(reference: string): this {
    return this.#set("docLinkRef", reference);
  }
  skipInputSocket(): this {
    return this.#set("hasInputSocket", false);
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
    if (secretKindOf(this.#made) === undefined)
      throw new TypeError(
        "a secret property needs the name of a secret definition: call setSecretKind before build",
      );
    return { ...this.#made };
  }
}

/** The definition that a built secret property names. */
export function secretKindOf(prop: Built): string | undefined {
  const widget = prop["widget"];
  const options: unknown =
    typeof widget === "object" && widget !== null ? Reflect.get(widget, "options") : [];
  const option = (Array.isArray(options) ? options : []).find(({ label }) => label === "secretKind");
  return typeof option?.value === "string" && option.value !== "" ? option.value : undefined;
}

/** A kind of secret: what is asked for when one is made. */
export class SecretDefinitionBuilder {
  #name = "";
  readonly #props: Built[] = [];
  readonly #annotations: string[] = [];
  setName(name: string): this {
    this.#name = name;
    return this;
  }
  addProp(prop: unknown): this {
    this.#props.push(built(prop, "SecretDefinitionBuilder.addProp"));
    return this;
  }
  setConnectionAnnotation(text: string): this {
    this.#annotations.push(annotation(text));
    return this;
  }
  build(): Built {
    if (this.#name === "") throw new TypeError("a secret definition needs a name: call setName before build");
    if (this.#props.length === 0)
      throw new TypeError("a secret definition needs properties: call addProp before build");
    const annotations = this.#annotations;
    return {
      name: this.#name,
      props: this.#props,
      ...(annotations.length === 0 ? {} : { connectionAnnotations: JSON.stringify(annotations) }),
    };
  }
}
