/** Components by name that stand in a view beside the default one. */
export interface SampleView {
  readonly view: string;
  readonly components: readonly string[];
}

/** Components by name that another one manages. */
export interface SampleManager {
  readonly manager: string;
  readonly components: readonly string[];
}

const zones = ["a", "b", "c"] as const;
const subnetsOf = (environment: string): string[] => zones.map((zone) => `${environment}-${zone}`);
const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

/** The views of the sample workspace's head. */
export const sampleViews: readonly SampleView[] = [
  {
    view: "Network",
    components: [
      "production-network",
      ...subnetsOf("production"),
      "staging-network",
      ...subnetsOf("staging"),
      "web-access",
      "app-access",
      "database-access",
      "operator-access",
    ],
  },
  {
    view: "Compute",
    components: [...numbered("web", 3), ...numbered("app", 3), ...numbered("worker", 2), "bastion"],
  },
  { view: "Entry points", components: ["public-entry", "app-entry", "www.example.net", "api.example.net"] },
];

/** Who manages whom in the sample workspace's head. */
export const sampleManagers: readonly SampleManager[] = [
  { manager: "production-network", components: subnetsOf("production") },
  { manager: "staging-network", components: subnetsOf("staging") },
  { manager: "public-entry", components: numbered("web", 3) },
  { manager: "app-entry", components: numbered("app", 3) },
];
