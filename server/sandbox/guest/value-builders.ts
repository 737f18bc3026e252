import { annotation, type Built, built, oneOf } from "./built.ts";

/** Where a value comes from: a property or a socket. */
export class ValueFromBuilder {
  readonly #made: Built = {};
  setKind(kind: string): this {
    this.#made["kind"] = oneOf(kind, ["inputSocket", "outputSocket", "prop"], "ValueFromBuilder.setKind");
    return this;
  }
  setSocketName(name: string): this {
    if (this.#made["kind"] !== "inputSocket" && this.#made["kind"] !== "outputSocket")
      throw new TypeError(
        "setSocketName is for values from sockets: setKind inputSocket or outputSocket first",
      );
    this.#made["socket_name"] = name;
    return this;
  }
  setPropPath(path: readonly string[]): this {
    if (this.#made["kind"] !== "prop")
      throw new TypeError("setPropPath is for values from properties: setKind prop first");
    this.#made["prop_path"] = path;
    return this;
  }
  build(): Built {
    return { ...this.#made };
  }
}

/** A socket of a schema. */
export class SocketDefinitionBuilder {
  readonly #made: Built = {};
  readonly #annotations: string[] = [];
  setName(name: string): this {
    this.#made["name"] = name;
    return this;
  }
  setArity(arity: string): this {
    this.#made["arity"] = oneOf(arity, ["one", "many"], "SocketDefinitionBuilder.setArity");
    return this;
  }
  setConnectionAnnotation(text: string): this {
    this.#annotations.push(annotation(text));
    return this;
  }
  setUiHidden(hidden: boolean): this {
    this.#made["uiHidden"] = hidden;
    return this;
  }
  setValueFrom(value: unknown): this {
    this.#made["valueFrom"] = built(value, "SocketDefinitionBuilder.setValueFrom");
    return this;
  }
  build(): Built {
    const name = this.#made["name"];
    if (typeof name !== "string" || name === "")
      throw new TypeError("a socket needs a name: call setName before build");
    const own = annotation(name);
    const annotations = [...this.#annotations.filter((text) => text !== own), own];
    return { ...this.#made, connectionAnnotations: JSON.stringify(annotations) };
  }
}

/** A function that makes one entry of a map. */
export class MapKeyFuncBuilder {
  readonly #made: Built = {};
  setKey(key: string): this {
    this.#made["key"] = key;
    return this;
  }
  setValueFrom(value: unknown): this {
    this.#made["valueFrom"] = built(value, "MapKeyFuncBuilder.setValueFrom");
    return this;
  }
  build(): Built {
    return { ...this.#made };
  }
}

/** What sets a component's color, name or resource payload. */
export class SiPropValueFromDefinitionBuilder {
  readonly #made: Built = {};
  setKind(kind: string): this {
    const kinds = ["color", "name", "resourcePayload"];
    this.#made["kind"] = oneOf(kind, kinds, "SiPropValueFromDefinitionBuilder.setKind");
    return this;
  }
  setValueFrom(value: unknown): this {
    this.#made["valueFrom"] = built(value, "SiPropValueFromDefinitionBuilder.setValueFrom");
    return this;
  }
  build(): Built {
    return { ...this.#made };
  }
}
