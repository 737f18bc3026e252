import type { NewSecret } from "../routes/change-secret.ts";

/** A secret of the head, and the component that holds it. */
export interface SampleSecret {
  readonly holder: string;
  readonly secret: NewSecret;
}

/** What the sample's cloud is entered with; made up, and good for nothing anywhere. */
export const sampleSecrets: readonly SampleSecret[] = [
  {
    holder: "cloud-account",
    secret: {
      definitionName: "Cloud Credential",
      name: "sample account",
      description: "Made up: the sample's cloud takes any key",
      rawData: { AccessKeyId: "AKSAMPLE0000EXAMPLE", SecretAccessKey: "sample-only-this-opens-nothing" },
    },
  },
];
