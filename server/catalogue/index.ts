import { configFile } from "./config-file.ts";
import { dnsRecord } from "./dns-record.ts";
import { genericCredential } from "./generic-credential.ts";
import { importInventory } from "./import-inventory.ts";
import type { ShippedSchema } from "./shipped.ts";
import { subnet } from "./subnet.ts";
import { tlsCertificate } from "./tls-certificate.ts";
import { virtualMachine } from "./virtual-machine.ts";
import { virtualNetwork } from "./virtual-network.ts";
import { wait } from "./wait.ts";

/** The schemas that come with the server, in the order of the catalogue. */
export const shippedSchemas: readonly ShippedSchema[] = [
  configFile,
  dnsRecord,
  genericCredential,
  importInventory,
  subnet,
  tlsCertificate,
  virtualMachine,
  virtualNetwork,
  wait,
];
