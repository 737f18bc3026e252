import { listOf, scalar, text } from "./prop.ts";
import type { ShippedSchema } from "./shipped.ts";
import { simulatedActions } from "./simulation.ts";
import { source } from "./source.ts";

/** A certificate and until when it is good. */
export const tlsCertificate: ShippedSchema = {
  name: "TLS Certificate",
  category: "Security",
  color: "#B0448B",
  description: "A certificate for names, with a look at its expiry; who issues it is simulated",
  domain: [
    text("CommonName", { createOnly: true, description: "Such as www.example.org" }),
    listOf("AlternativeNames", text("AlternativeName")),
    text("ExpiresAt", { description: "Such as 2031-12-31 or 2031-12-31T23:59:59Z" }),
    scalar("WarnDays", "integer", { defaultValue: 30, description: "Days ahead of the expiry" }),
  ],
  secrets: [{ name: "Generic Credential", kind: "string", secret: "Generic Credential" }],
  resourceValue: [text("CertificateId"), text("State")],
  functions: [
    ...simulatedActions({
      noun: "certificate",
      prefix: "cert",
      idMember: "CertificateId",
      told: ["CommonName", "AlternativeNames", "ExpiresAt"],
      steps: ["proving who owns the names", "signing"],
      born: 'State: "issued"',
    }),
    {
      kind: "qualification",
      name: "certificateIsCurrent",
      displayName: "Certificate is current",
      description: "Whether it has not expired, and does not expire soon",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const { ExpiresAt: text, WarnDays: ahead = 30 } = domain ?? {};
  if (!text) return { result: "unknown", message: "ExpiresAt is not set" };
  const expiry = Date.parse(text);
  if (Number.isNaN(expiry)) return { result: "failure", message: "ExpiresAt is no date such as 2031-12-31: " + text };
  const days = Math.floor((expiry - Date.now()) / (24 * 60 * 60 * 1000));
  if (days < 0) return { result: "failure", message: "expired on " + text };
  if (days < ahead) return { result: "warning", message: "expires in " + days + " days, on " + text };
  return { result: "success", message: "good for " + days + " days" };
}
`,
    },
    {
      kind: "qualification",
      name: "namesAreHostNames",
      displayName: "Names are host names",
      description: "Whether everything that it is for can be the name of a host",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const { CommonName: common, AlternativeNames: others = [] } = domain ?? {};
  if (!common) return { result: "failure", message: "CommonName is not set" };
  const label = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  const host = new RegExp("^(\\*\\.)?" + label + "(\\." + label + ")+$");
  const wrong = [common, ...others].filter((name) => !host.test(String(name)));
  if (wrong.length > 0) return { result: "failure", message: "not the name of a host: " + wrong.join(", ") };
  return { result: "success" };
}
`,
    },
  ],
};
