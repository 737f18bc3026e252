/** One line of the specification's tables of endpoints. */
export interface SpecifiedRow {
  readonly method: string;
  /** With `:name` parameters, as the contract writes them. */
  readonly path: string;
  /** Statuses of a success. */
  readonly success: readonly number[];
  /** Statuses of refusals, with those that every row of its group has. */
  readonly refusals: readonly number[];
}

/**
 * Method, path, statuses of success, and the statuses listed beyond them. `WS`, `CS` and `VAR` are prefixes; below `WS`
 * and `/management` every row also has 401 and 500.
 */
const table = `
GET    /                                                        200     401 503
GET    /whoami                                                  200     401 403
GET    WS/change-sets                                           200
POST   WS/change-sets                                           200     422
POST   WS/change-sets/purge_open                                200
GET    CS                                                       200     404
DELETE CS                                                       200
POST   CS/force_apply                                           200     428
GET    CS/merge_status                                          200
POST   CS/request_approval                                      200
GET    CS/components                                            200
POST   CS/components                                            200     404 412 422
POST   CS/components/add_to_view                                204     409 422
POST   CS/components/duplicate                                  200
GET    CS/components/find                                       200     404
POST   CS/components/search                                     200     404 424
GET    CS/components/:componentId                               200     404
PUT    CS/components/:componentId                               200     404 412 422
DELETE CS/components/:componentId                               200     404
POST   CS/components/:componentId/action                        200     404 409 412 422
POST   CS/components/:componentId/erase                         200     404
POST   CS/components/:componentId/execute-management-function   200     404 412 422
POST   CS/components/:componentId/manage                        200     404
GET    CS/components/:componentId/resource                      200     412
POST   CS/components/:componentId/restore                       200     404 412
POST   CS/components/:componentId/upgrade                       200     404
GET    CS/schemas                                               200
POST   CS/schemas                                               200     422
GET    CS/schemas/find                                          200     404
POST   CS/schemas/install_from_file                             200     400 422
POST   CS/schemas/search                                        200     404
GET    CS/schemas/:schemaId                                     200/202 404
POST   CS/schemas/:schemaId/contribute                          200     400 404
POST   CS/schemas/:schemaId/install                             200     422
POST   CS/schemas/:schemaId/unlock                              200     422
GET    CS/schemas/:schemaId/variant/default                     200/202 404
GET    CS/schemas/:schemaId/variant/:schemaVariantId            200/202 404 412
PUT    CS/schemas/:schemaId/variant/:schemaVariantId            200     404 412
POST   VAR/action                                               200     404 412
DELETE VAR/action/:funcId                                       200     404 412
POST   VAR/attribute                                            200     404 412
DELETE VAR/attribute/:funcId                                    200     404 412
POST   VAR/authentication                                       200     404 412
DELETE VAR/authentication/:funcId                               200     404 412
POST   VAR/codegen                                              200     404 412
DELETE VAR/codegen/:funcId                                      200     404 412
POST   VAR/management                                           200     404 412
DELETE VAR/management/:funcId                                   200     404 412
POST   VAR/qualification                                        200     404 412
DELETE VAR/qualification/:funcId                                200     404 412
GET    CS/actions                                               200
POST   CS/actions/:actionId/cancel                              200     404
POST   CS/actions/:actionId/put_on_hold                         200     404
POST   CS/actions/:actionId/retry                               200     404
GET    CS/secrets                                               200
POST   CS/secrets                                               200     422
PUT    CS/secrets/:secretId                                     200     404
DELETE CS/secrets/:secretId                                     200     404
GET    CS/funcs/runs/:funcRunId                                 200     404
POST   CS/funcs/transformation                                  200
GET    CS/funcs/:funcId                                         200     404
PUT    CS/funcs/:funcId                                         200     404
POST   CS/funcs/:funcId/unlock                                  200     422
GET    CS/management-funcs/:managementFuncJobStateId            200     404
POST   CS/debug-funcs                                           200     400 404
GET    CS/debug-funcs/:debugFuncJobStateId                      200     404
POST   CS/policy-reports                                        200
GET    CS/search                                                200     424
GET    /management/workspaces                                   200
POST   /management/workspaces                                   200     400
GET    /management/workspaces/:workspaceId                      200     403 404
DELETE /management/workspaces/:workspaceId                      204     403 404
PATCH  /management/workspaces/:workspaceId                      200     400 403 404
DELETE /management/workspaces/:workspaceId/leave                200     403 404
GET    /management/workspaces/:workspaceId/members              200     403 404
POST   /management/workspaces/:workspaceId/members              200     400 403 404 409
DELETE /management/workspaces/:workspaceId/members              200     400 403 404
POST   /management/workspaces/:workspaceId/update_member_access 200     400 403 404
`;

const prefixes: readonly (readonly [short: string, full: string])[] = [
  ["VAR", "CS/schemas/:schemaId/variant/:schemaVariantId/funcs"],
  ["CS", "WS/change-sets/:changeSetId"],
  ["WS", "/v1/w/:workspaceId"],
];

/** Every endpoint of the specification of the modeling API. */
export const specifiedRows: readonly SpecifiedRow[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [method = "", short = "", success = "", ...refusals] = line.split(/\s+/);
    const path = prefixes.reduce(
      (text, [prefix, full]) => text.replace(new RegExp(`^${prefix}`), full),
      short,
    );
    const everywhere = /^\/(v1|management)\//.test(path) ? [401, 500] : [];
    return {
      method,
      path,
      success: success.split("/").map(Number),
      refusals: [...refusals.map(Number), ...everywhere],
    };
  });
