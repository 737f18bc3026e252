import { layersAndAccounts } from "./0001-layers-and-accounts.ts";
import type { Migration } from "./migration.ts";

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [layersAndAccounts];
