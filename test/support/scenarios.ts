import { expect, it } from "vitest";
import { type Endpoint, rowsOf } from "../../src/contract/endpoint.ts";
import { type ErrorName, errorRow } from "../../src/contract/errors.ts";
import { api } from "../../src/contract/index.ts";
import { fillPath, queryString } from "../../src/http/address.ts";
import { shapeOf } from "../../src/http/errors.ts";
import { formOf } from "../../src/http/form.ts";
import { testSchemas } from "./schemas.ts";
import type { HttpAnswer, Person, TestServer } from "./server.ts";

/** What a row's request is made of: path parameters, `query`, `body`. */
export type RowInput = Readonly<Record<string, unknown>>;

/** Two people with a workspace each on one server; everything a scenario needs is made in the first one's. */
export interface World {
  readonly server: TestServer;
  readonly ada: Person;
  readonly eve: Person;
  /** A new open change set of Ada's. */
  changeSet(): Promise<string>;
  /** A new component in a change set of Ada's. */
  component(changeSetId: string, name?: string, attributes?: object): Promise<string>;
  /** A name or id that nothing has had yet. */
  fresh(): string;
}

/** One request and its answer; `as` is who asks, Ada with what the row takes when it is left out. */
export interface Scenario {
  readonly name: string;
  readonly operation: string;
  readonly as?: "key" | "session" | "eve" | "nobody";
  readonly input?: (world: World) => RowInput | Promise<RowInput>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A success status, or the error's name in the catalogue. */
  readonly expect: number | ErrorName;
  /** What the body must contain. */
  readonly body?: (world: World) => object;
  /** Looks further, into the answer or at what became of the world. */
  readonly check?: (answer: HttpAnswer, world: World, input: RowInput) => void | Promise<void>;
}

const rows = new Map(rowsOf(api).map(({ operation, endpoint }) => [operation, endpoint]));

/** The row of an operation; throws when the contract has none of that name. */
export function rowOf(operation: string): Endpoint {
  const row = rows.get(operation);
  if (row === undefined) throw new Error(`no row ${operation} in the contract`);
  return row;
}

/** Makes the world of a describe: both people, and the test schemas in Ada's head. */
export async function createWorld(server: TestServer): Promise<World> {
  const [ada, eve] = [
    await server.person(`ada${unique(server)}`),
    await server.person(`eve${unique(server)}`),
  ];
  await server.install(ada, testSchemas);
  const client = server.client(ada.key);
  const { workspaceId } = ada;
  const fresh = (): string => server.store.id();
  return {
    server,
    ada,
    eve,
    fresh,
    changeSet: async () => {
      const answer = await client.changeSets.create({
        workspaceId,
        body: { changeSetName: `set ${fresh()}` },
      });
      return answer.changeSet.id;
    },
    component: async (changeSetId, name = `component ${fresh()}`, attributes = {}) => {
      const body = { name, schemaName: "Machine", attributes: { ...attributes } };
      const answer = await client.components.create({ workspaceId, changeSetId, body });
      return answer.component.id;
    },
  };
}

const unique = (server: TestServer): string => server.store.id().toLowerCase().slice(-8);

/** The token that gets somebody past the row's access. */
export function tokenFor(world: World, endpoint: Endpoint, as: Scenario["as"]): string | undefined {
  if (as === "nobody") return undefined;
  if (as === "eve") return endpoint.access === "session" ? world.eve.session : world.eve.key;
  if (as === "session" || (as === undefined && endpoint.access === "session")) return world.ada.session;
  return endpoint.access === "none" ? undefined : world.ada.key;
}

/** Sends a row's request. */
export function sendRow(
  world: World,
  operation: string,
  input: RowInput,
  options: {
    readonly token?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
  } = {},
): Promise<HttpAnswer> {
  const endpoint = rowOf(operation);
  const path = fillPath(endpoint.path, { workspaceId: world.ada.workspaceId, changeSetId: "HEAD", ...input });
  return world.server.request(endpoint.method, `${path}${queryString(input["query"])}`, {
    ...(options.token === undefined ? {} : { as: options.token }),
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    ...(endpoint.body === undefined ? {} : { body: bodyOf(endpoint, input["body"]) }),
  });
}

const bodyOf = ({ multipart }: Endpoint, body: unknown): unknown => {
  if (multipart === undefined || body instanceof FormData) return body ?? {};
  return formOf(multipart, body);
};

/** One test for each scenario. */
export function runScenarios(scenarios: readonly Scenario[], world: () => World): void {
  it.each(scenarios)("$operation: $name", async (scenario) => {
    const endpoint = rowOf(scenario.operation);
    const input = (await scenario.input?.(world())) ?? {};
    const token = tokenFor(world(), endpoint, scenario.as);
    const answer = await sendRow(world(), scenario.operation, input, { token, headers: scenario.headers });
    if (typeof scenario.expect === "string") expectError(answer, endpoint, scenario.expect);
    else expect({ status: answer.status, text: answer.text }).toMatchObject({ status: scenario.expect });
    if (scenario.body !== undefined) expect(answer.body).toMatchObject(scenario.body(world()));
    await scenario.check?.(answer, world(), input);
  });
}

/** The answer is this error of the catalogue, in the shape of the row's address. */
export function expectError(answer: HttpAnswer, endpoint: Endpoint, name: ErrorName): void {
  const { status, code, word } = errorRow(name);
  if (endpoint.bodiless?.includes(status) === true) {
    expect({ status: answer.status, text: answer.text }).toEqual({ status, text: "" });
    return;
  }
  const shape =
    shapeOf(endpoint.path) === "key"
      ? { error: expect.any(String), message: expect.any(String), code: word }
      : { message: expect.any(String), statusCode: status, code };
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: shape });
}
