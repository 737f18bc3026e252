import { hash } from "node:crypto";
import type { SchemaResponse } from "../../src/contract/schemas.ts";
import { shippedSchemas } from "../catalogue/index.ts";
import { packageOf } from "../catalogue/shipped.ts";
import { canonical, type Json } from "../domain/json.ts";
import { packageSpec } from "../domain/package-export.ts";
import { readPackage } from "../domain/package-spec.ts";
import type { Package } from "../domain/packages.ts";
import { findContributed, listContributed } from "../store/catalogue.ts";
import type { Reads } from "../store/open.ts";
import { idOf } from "./ids.ts";

/** A schema of the catalogue in a list. */
export interface CatalogueEntry {
  readonly schemaId: string;
  readonly schemaName: string;
  readonly category: string;
  /** Tells two packages of one schema apart. */
  readonly hash: string;
}

/** A schema of the catalogue with all that it is. */
export interface CataloguedSchema {
  readonly schemaId: string;
  readonly hash: string;
  readonly pack: Package;
}

/** The hash of a package: the same for the same behaviour, whoever wrote it down and when. */
export function packageHash(pack: Package): string {
  const stamp = { version: "", createdAt: "", createdBy: "" };
  return hash("sha256", canonical(packageSpec(pack, stamp)), "base64url");
}

let made: ReadonlyMap<string, CataloguedSchema & CatalogueEntry> | undefined;

/** The schemas that come with the server by id; made at the first call. */
function shipped(): ReadonlyMap<string, CataloguedSchema & CatalogueEntry> {
  made ??= new Map(
    shippedSchemas.map((schema) => {
      const pack = packageOf(schema);
      const schemaId = idOf(`catalogue ${pack.name}`);
      const entry = {
        schemaId,
        schemaName: pack.name,
        category: pack.category,
        hash: packageHash(pack),
        pack,
      };
      return [schemaId, entry];
    }),
  );
  return made;
}

/**
 * Every schema of the catalogue once: those that come with the server, then what workspaces contributed, the first
 * contributed coming first. A name may be there more than once; the first of them counts.
 */
export async function listCatalogue(reads: Reads): Promise<CatalogueEntry[]> {
  const contributed = (await listContributed(reads)).map(
    ({ schema_id: schemaId, name: schemaName, category, hash: found }) => ({
      schemaId,
      schemaName,
      category,
      hash: found,
    }),
  );
  return [...shipped().values(), ...contributed];
}

/** The catalogue as lists of schemas show it where nothing of it is installed. */
export const catalogueResponses = async (reads: Reads): Promise<SchemaResponse[]> =>
  (await listCatalogue(reads)).map(({ schemaId, schemaName, category }) => ({
    schemaId,
    schemaName,
    category,
    installed: false,
  }));

/** The schema of the catalogue with that id, in any letter case; undefined when there is none. */
export async function findCatalogued(reads: Reads, schemaId: string): Promise<CataloguedSchema | undefined> {
  const id = schemaId.toUpperCase();
  const known = shipped().get(id);
  if (known !== undefined) return known;
  const found = await findContributed(reads, id);
  return found && { schemaId: id, hash: found.hash, pack: contributedPackage(found.hash, found.spec) };
}

/** The first schema of the catalogue with that name, in any letter case; undefined when there is none. */
export async function findCataloguedNamed(reads: Reads, name: string): Promise<CataloguedSchema | undefined> {
  const wanted = name.toLowerCase();
  const entry = (await listCatalogue(reads)).find(({ schemaName }) => schemaName.toLowerCase() === wanted);
  return entry && findCatalogued(reads, entry.schemaId);
}

/** Packages that were read before; a large one takes some megabytes. */
const kept = new Map<string, Package>();
const maximumKept = 20;

/** What was contributed, by its hash. Only this software writes these specs. */
function contributedPackage(key: string, spec: string): Package {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const document: Json = JSON.parse(spec);
  const pack = readPackage(document);
  if (kept.size >= maximumKept) kept.clear();
  kept.set(key, pack);
  return pack;
}
