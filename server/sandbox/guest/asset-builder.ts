import { append, type Built, built } from "./built.ts";
import { SecretPropBuilder, secretKindOf } from "./secret-builders.ts";
import { SocketDefinitionBuilder, ValueFromBuilder } from "./value-builders.ts";

/** A schema: its properties, secrets and sockets. Members that were never added are absent. */
export class AssetBuilder {
  readonly #made: Built = {};
  #add(member: string, value: unknown, method: string): this {
    append(this.#made, member, built(value, `AssetBuilder.${method}`));
    return this;
  }
  addProp(prop: unknown): this {
    return this.#add("props", prop, "addProp");
  }
  addSecretProp(prop: unknown): this {
    const given = built(prop, "AssetBuilder.addSecretProp");
    const kind = secretKindOf(given);
    if (kind === undefined)
      throw new TypeError(
        "addSecretProp takes a secret property: build it with SecretPropBuilder and setSecretKind",
      );
    if (given["hasInputSocket"] === false) return this.#add("secretProps", given, "addSecretProp");
    this.addInputSocket(new SocketDefinitionBuilder().setArity("one").setName(kind).build());
    const valueFrom = new ValueFromBuilder().setKind("inputSocket").setSocketName(kind).build();
    return this.#add("secretProps", { ...given, valueFrom }, "addSecretProp");
  }
  defineSecret(definition: unknown): this {
    const given = built(definition, "AssetBuilder.defineSecret");
    const name = String(given["name"]);
    this.#made["secretDefinition"] = given["props"];
    this.addSecretProp(new SecretPropBuilder().setName(name).setSecretKind(name).skipInputSocket().build());
    const valueFrom = new ValueFromBuilder().setKind("prop").setPropPath(["root", "secrets", name]).build();
    const socket = new SocketDefinitionBuilder().setArity("one").setName(name).setValueFrom(valueFrom);
    for (const text of JSON.parse(String(given["connectionAnnotations"] ?? "[]")))
      socket.setConnectionAnnotation(text);
    return this.addOutputSocket(socket.build());
  }
  addResourceProp(prop: unknown): this {
    return this.#add("resourceProps", prop, "addResourceProp");
  }
  addInputSocket(socket: unknown): this {
    return this.#add("inputSockets", socket, "addInputSocket");
  }
  addOutputSocket(socket: unknown): this {
    return this.#add("outputSockets", socket, "addOutputSocket");
  }
  addSiPropValueFrom(value: unknown): this {
    return this.#add("siPropValueFroms", value, "addSiPropValueFrom");
  }
  addDocLink(key: string, url: string): this {
    this.#made["docLinks"] = { ...(this.#made["docLinks"] as object | undefined), [key]: url };
    return this;
  }
  build(): Built {
    const sockets = this.#made["outputSockets"];
    if (this.#made["secretDefinition"] !== undefined && Array.isArray(sockets) && sockets.length > 1)
      throw new TypeError(
        "a schema that defines a secret has one output socket, the secret's: remove the others",
      );
    return { ...this.#made };
  }
}
