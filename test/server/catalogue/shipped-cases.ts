import type { Json, JsonObject } from "../../../server/domain/json.ts";
import type { TestRun } from "../../support/sandbox.ts";

/** One call of a function of a shipped schema, and what must come of it. */
export interface ShippedCase {
  readonly schema: string;
  readonly func: string;
  readonly name: string;
  readonly input: Json;
  /** What the result contains; nothing in particular where it is left out. */
  readonly returns?: unknown;
  /** Or a part of the error. */
  readonly throws?: string;
  readonly logs?: readonly string[];
  readonly run?: TestRun;
}

type Case = Omit<ShippedCase, "schema" | "func">;
const cases = (schema: string, func: string, ...all: readonly Case[]): ShippedCase[] =>
  all.map((one) => ({ schema, func, ...one }));

const good = (domain: JsonObject, name = "a good one"): Case => ({
  name,
  input: { domain },
  returns: { result: "success" },
});
const bad = (domain: JsonObject, message: string, result = "failure"): Case => ({
  name: `${result}: ${message}`,
  input: { domain },
  returns: { result, message: containing(message) },
});
const containing = (text: string): unknown => ({
  asymmetricMatch: (found: unknown) => typeof found === "string" && found.includes(text),
  toString: () => `StringContaining ${text}`,
});

/** The four actions of a simulated provider. */
function simulated(
  schema: string,
  noun: string,
  domain: JsonObject,
  payload: JsonObject,
  born: object = {},
): ShippedCase[] {
  const Noun = noun.charAt(0).toUpperCase() + noun.slice(1);
  const component = (resource?: JsonObject): Json => ({
    properties: {
      si: { name: "one" },
      domain,
      ...(resource === undefined ? {} : { resource: { payload: resource } }),
    },
  });
  const lines = ["[simulated, offline]"];
  return [
    ...cases(
      schema,
      `create${Noun}`,
      {
        name: "records what it made",
        input: component(),
        returns: { status: "ok", resourceId: containing("-"), payload: { ...payload, ...born } },
        logs: lines,
      },
      {
        name: "does not make it twice",
        input: component({ x: 1 }),
        returns: { status: "error", payload: { x: 1 } },
      },
    ),
    ...cases(
      schema,
      `refresh${Noun}`,
      {
        name: "tells what is recorded",
        input: component({ x: 1 }),
        returns: { status: "ok", payload: { x: 1 } },
        logs: lines,
      },
      {
        name: "says that there is none",
        input: component(),
        returns: { status: "error", message: containing("create it first") },
      },
    ),
    ...cases(
      schema,
      `update${Noun}`,
      {
        name: "keeps what it does not know",
        input: component({ x: 1 }),
        returns: { status: "ok", payload: { ...payload, x: 1 } },
        logs: lines,
      },
      {
        name: "says that there is none",
        input: component(),
        returns: { status: "error", message: containing("create it first") },
      },
    ),
    ...cases(
      schema,
      `destroy${Noun}`,
      { name: "leaves no resource", input: component({ x: 1 }), returns: { status: "ok", payload: null } },
      { name: "has nothing to do without one", input: component(), returns: { status: "ok", payload: null } },
    ),
  ];
}

const secret = { Username: "ada", Password: "secret word", Token: "" };
const before = (argument: Json) => ({
  before: [
    {
      handler: "main",
      argument,
      code: "async function main(s) { for (const [n, f] of [['GENERIC_USERNAME','Username'],['GENERIC_PASSWORD','Password'],['GENERIC_TOKEN','Token']]) if (s[f]) requestStorage.setEnv(n, s[f]); }",
    },
  ],
});
const withSecret = { domain: {}, secrets: { "Generic Credential": "hash" } };

/** Cases of every function of every shipped schema. */
export const shippedCases: readonly ShippedCase[] = [
  ...simulated(
    "Virtual Network",
    "network",
    { Region: "eu-west", CidrBlock: "10.0.0.0/16" },
    { Region: "eu-west", CidrBlock: "10.0.0.0/16" },
    { State: "available" },
  ),
  ...cases(
    "Virtual Network",
    "cidrIsUsable",
    good({ CidrBlock: "10.0.0.0/16" }),
    bad({}, "CidrBlock is not set"),
    bad({ CidrBlock: "10.0.0.0" }, "expected an address range such as 10.0.0.0/16"),
    bad({ CidrBlock: "10.0.0.1/16" }, "use 10.0.0.0/16"),
    bad({ CidrBlock: "10.0.0.256/32" }, "at most 255"),
    bad({ CidrBlock: "10.0.0.0/33" }, "at most 32"),
    bad({ CidrBlock: "8.8.8.0/24" }, "not a private range", "warning"),
  ),
  ...cases(
    "Virtual Network",
    "countAddresses",
    { name: "counts", input: { cidr: "10.0.0.0/16" }, returns: 65_536 },
    { name: "waits for a range", input: { cidr: null } },
    { name: "refuses what is none", input: { cidr: "x" }, throws: "expected an address range" },
  ),
  ...simulated(
    "Subnet",
    "subnet",
    { NetworkId: "net-1", CidrBlock: "10.0.1.0/24", Zone: "a" },
    { NetworkId: "net-1", CidrBlock: "10.0.1.0/24", Public: null },
  ),
  ...cases(
    "Subnet",
    "deriveCidr",
    {
      name: "the first part",
      input: { network: "10.0.0.0/16", prefix: 24, number: 0 },
      returns: "10.0.0.0/24",
    },
    {
      name: "the last part",
      input: { network: "10.0.0.0/16", prefix: 20, number: 15 },
      returns: "10.0.240.0/20",
    },
    {
      name: "one address",
      input: { network: "192.168.7.8/32", prefix: 32, number: null },
      returns: "192.168.7.8/32",
    },
    { name: "waits for a network", input: { network: null, prefix: 24, number: 0 } },
    {
      name: "a part that the network has not",
      input: { network: "10.0.0.0/16", prefix: 20, number: 16 },
      throws: "Number is 0 to 15",
    },
    {
      name: "more than the network",
      input: { network: "10.0.0.0/16", prefix: 8, number: 0 },
      throws: "PrefixLength is 16 to 32",
    },
  ),
  ...cases(
    "Subnet",
    "cidrIsInsideNetwork",
    good({ NetworkCidr: "10.0.0.0/16", CidrBlock: "10.0.255.0/24" }),
    bad({}, "NetworkCidr is not set", "unknown"),
    bad({ NetworkCidr: "10.0.0.0/16" }, "no CidrBlock"),
    bad({ NetworkCidr: "10.0.0.0/16", CidrBlock: "10.1.0.0/24" }, "is not inside"),
    bad({ NetworkCidr: "nonsense", CidrBlock: "10.1.0.0/24" }, "expected an address range"),
  ),
  ...simulated(
    "Virtual Machine",
    "machine",
    { InstanceType: "large", Image: "linux", DiskGb: 40 },
    { InstanceType: "large", DiskGb: 40 },
    { State: "running", PrivateIp: containing("10.0.0.") },
  ),
  ...cases(
    "Virtual Machine",
    "restart",
    {
      name: "counts",
      input: { properties: { resource: { payload: { InstanceId: "vm-1", Restarts: 2 } } } },
      returns: { status: "ok", payload: { InstanceId: "vm-1", Restarts: 3 } },
      logs: ["vm-1: stopping", "vm-1: booting"],
    },
    { name: "needs a machine", input: { properties: {} }, returns: { status: "error" } },
  ),
  ...cases(
    "Virtual Machine",
    "priceOf",
    { name: "type and disk", input: { type: "medium", disk: 25 }, returns: 22.5 },
    { name: "no disk", input: { type: "small", disk: null }, returns: 5 },
    {
      name: "an unknown type",
      input: { type: "gigantic", disk: 1 },
      throws: 'InstanceType is one of small, medium, large, huge, found "gigantic"',
    },
  ),
  ...cases(
    "Virtual Machine",
    "staysInBudget",
    good({ MonthlyPrice: 20 }, "no maximum"),
    good({ MonthlyPrice: 20, MaximumMonthlyPrice: 50 }),
    bad({ MonthlyPrice: 49, MaximumMonthlyPrice: 50 }, "nearly 50", "warning"),
    bad({ MonthlyPrice: 51, MaximumMonthlyPrice: 50 }, "more than 50"),
    bad({}, "no price yet", "unknown"),
  ),
  ...cases(
    "Virtual Machine",
    "cloudInit",
    {
      name: "with a key",
      input: { domain: { SshKey: "ssh-ed25519 AAAA ada\n" } },
      returns: { format: "yaml", code: containing("- ssh-ed25519 AAAA ada") },
    },
    {
      name: "without",
      input: { domain: {} },
      returns: { format: "yaml", code: containing("#cloud-config\npackage_update: true") },
    },
  ),
  ...cases(
    "Generic Credential",
    "provideCredential",
    { name: "sets what there is", input: secret, returns: { GENERIC_USERNAME: 3, GENERIC_PASSWORD: 11 } },
    { name: "an empty secret", input: {}, returns: {} },
  ),
  ...cases(
    "Generic Credential",
    "credentialIsComplete",
    { name: "warning: no secret", input: { domain: {}, secrets: {} }, returns: { result: "warning" } },
    {
      name: "user name and password",
      input: withSecret,
      run: before(secret),
      returns: { result: "success", message: containing("password") },
    },
    {
      name: "a token",
      input: withSecret,
      run: before({ Token: "t0ken-value" }),
      returns: { result: "success", message: containing("token") },
    },
    {
      name: "failure: half of it",
      input: withSecret,
      run: before({ Username: "ada" }),
      returns: { result: "failure" },
    },
  ),
  ...cases(
    "Config File",
    "renderFile",
    {
      name: "YAML",
      input: {
        domain: { Format: "yaml", Values: { "server.port": "8080", "server.tls": "true", name: "app" } },
      },
      returns: { format: "yaml", code: "server:\n  port: 8080\n  tls: true\nname: app\n" },
    },
    {
      name: "JSON",
      input: { domain: { Format: "json", Values: { "a.b": "1.5", c: "01" } } },
      returns: { format: "json", code: '{\n  "a": {\n    "b": 1.5\n  },\n  "c": "01"\n}\n' },
    },
    {
      name: "TOML",
      input: {
        domain: {
          Format: "toml",
          Values: { "server.port": "8080", "server.tls.on": "true", title: 'say "hi"', "a b": "x" },
        },
      },
      returns: {
        format: "toml",
        code: 'title = "say \\"hi\\""\n"a b" = "x"\n[server]\nport = 8080\n[server.tls]\non = true\n',
      },
    },
    { name: "nothing", input: {}, returns: { format: "yaml", code: "{}\n" } },
    {
      name: "a value among others",
      input: { domain: { Values: { a: "1", "a.b": "2" } } },
      throws: "a is a value already",
    },
    {
      name: "another format",
      input: { domain: { Format: "xml" } },
      throws: "Format is one of yaml, json, toml",
    },
  ),
  ...cases(
    "Config File",
    "fileIsComplete",
    good({ Path: "/etc/app.yaml", Values: { a: "1" } }),
    bad({ Values: { a: "1" } }, "Path is not set", "warning"),
    bad({ Path: "/etc/app.toml", Values: { a: "1" } }, "does not look like", "warning"),
    bad({ Path: "/etc/app.yaml" }, "no values", "warning"),
    bad({ Path: "/etc/app.yaml", Values: { "a.b": "1", a: "1" } }, "there are values below it"),
  ),
  ...simulated(
    "TLS Certificate",
    "certificate",
    { CommonName: "a.example.org", ExpiresAt: "2031-01-01" },
    { CommonName: "a.example.org", ExpiresAt: "2031-01-01" },
    { State: "issued" },
  ),
  ...cases(
    "TLS Certificate",
    "certificateIsCurrent",
    good({ ExpiresAt: "9999-01-01" }),
    bad({}, "ExpiresAt is not set", "unknown"),
    bad({ ExpiresAt: "soon" }, "no date"),
    bad({ ExpiresAt: "2001-01-01" }, "expired on 2001-01-01"),
    bad({ ExpiresAt: "2100-01-01", WarnDays: 1_000_000 }, "expires in", "warning"),
  ),
  ...cases(
    "TLS Certificate",
    "namesAreHostNames",
    good({ CommonName: "www.example.org", AlternativeNames: ["*.example.org"] }),
    bad({}, "CommonName is not set"),
    bad({ CommonName: "www.example.org", AlternativeNames: ["a b", "-x.org"] }, "a b, -x.org"),
  ),
  ...simulated(
    "DNS Record",
    "record",
    { FullName: "www.example.org", Type: "A", Values: ["10.0.0.1"] },
    { FullName: "www.example.org", Values: ["10.0.0.1"] },
  ),
  ...cases(
    "DNS Record",
    "fullName",
    {
      name: "below the zone",
      input: { name: "www", zone: "example.org." },
      returns: "www.example.org",
    },
    {
      name: "the zone itself",
      input: { name: null, zone: "example.org" },
      returns: "example.org",
    },
    { name: "waits for a zone", input: { name: "www", zone: null } },
  ),
  ...cases(
    "DNS Record",
    "zoneFile",
    {
      name: "lines",
      input: { domain: { FullName: "www.example.org", Type: "TXT", TtlSeconds: 60, Values: ["a", 'b "c"'] } },
      returns: {
        format: "zone",
        code: 'www.example.org.\t60\tIN\tTXT\t"a"\nwww.example.org.\t60\tIN\tTXT\t"b \\"c\\""\n',
      },
    },
    { name: "nothing", input: {}, returns: { format: "zone", code: "" } },
  ),
  ...cases(
    "DNS Record",
    "valuesFitType",
    good({ Type: "A", Values: ["10.0.0.1", "10.0.0.2"] }),
    good({ Type: "AAAA", Values: ["fe80::1"] }, "IPv6"),
    good({ Type: "TXT", Values: ["anything at all"] }, "text"),
    bad({ Type: "A", Values: ["10.0.0.999"] }, "A needs an IPv4 address"),
    bad({ Type: "A", Values: [] }, "Values is empty"),
    bad({ Type: "CNAME", Values: ["a.org", "b.org"] }, "a CNAME has one value"),
    bad({ Type: "MX", Values: ["x"] }, "Type is one of"),
  ),
  ...cases(
    "Import Inventory",
    "importInventory",
    {
      name: "creates what is new and changes what is known",
      input: {
        thisComponent: {
          properties: {
            domain: {
              Inventory:
                '[{"name":"web-1","schema":"Virtual Machine","domain":{"DiskGb":40},"resourceId":"vm-1"},{"name":"net","schema":"Virtual Network"}]',
            },
          },
        },
        components: { "01X": { properties: { si: { name: "net" } } } },
        currentView: "DEFAULT",
      },
      returns: {
        status: "ok",
        message: "1 created, 1 updated",
        ops: {
          create: {
            "web-1": {
              kind: "Virtual Machine",
              attributes: { "/domain/DiskGb": 40, "/si/resourceId": "vm-1" },
            },
          },
          update: { net: { attributes: {} } },
        },
      },
      logs: ["creating web-1 (Virtual Machine)", "updating net (Virtual Network)"],
    },
    {
      name: "says what is wrong",
      input: { thisComponent: { properties: { domain: { Inventory: '[{"name":"a"}]' } } }, components: {} },
      returns: { status: "error", message: "Inventory[0]: expected the name of a schema" },
    },
  ),
  ...cases(
    "Import Inventory",
    "inventoryIsReadable",
    good({ Inventory: '[{"name":"a","schema":"Wait"}]' }),
    bad({}, "Inventory is not set", "warning"),
    bad({ Inventory: "{" }, "Inventory is not JSON"),
    bad({ Inventory: "{}" }, "is a list of"),
    bad({ Inventory: '[{"name":"a","schema":"b"},{"name":"a","schema":"b"}]' }, "a name of its own, found a"),
    bad({ Inventory: '[{"name":"a","schema":"b","domain":[]}]' }, "expected an object in domain"),
  ),
  ...["wait", "waitAgain"].flatMap((func) =>
    cases(
      "Wait",
      func,
      {
        name: "waits",
        input: { properties: { domain: { Seconds: 1 } } },
        returns: { status: "ok", payload: { WaitedSeconds: 1 } },
        logs: ["waited 1 of 1 seconds"],
      },
      {
        name: "fails if asked to",
        input: { properties: { domain: { Seconds: 0, Fail: true, FailureMessage: "no luck" } } },
        returns: { status: "error", message: "no luck" },
      },
      {
        name: "knows its limits",
        input: { properties: { domain: { Seconds: 1000 } } },
        returns: { status: "error", message: containing("0 to 100") },
      },
    ),
  ),
  ...cases("Wait", "forget", {
    name: "leaves no resource",
    input: { properties: {} },
    returns: { status: "ok", payload: null },
  }),
  ...cases(
    "Wait",
    "secondsAreInRange",
    good({ Seconds: 5 }),
    bad({ Seconds: 101 }, "Seconds is 0 to 100, found 101"),
  ),
];
