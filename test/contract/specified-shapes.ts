/** A member of a shape, as the specification declares it. */
export interface SpecifiedMember {
  readonly name: string;
  /** `string`, `integer`, `boolean`, `object`, `array` or `any`. */
  readonly type: string;
  readonly required: boolean;
  readonly nullable: boolean;
}

/** Each shape with its members; `?` is optional, `|null` may be null. Without a type a member is a text. */
const table = `
ApiError: message, statusCode integer, code? integer|null
ErrorResponse: error object
ApiSuccess_String: data
BuildingResponseV1: estimatedCompletionSeconds integer, message, retryAfterSeconds integer, status
SystemStatusResponse: API_Documentation
WhoamiResponse: token object, userEmail, userId, workspaceId
ChangeSetView: id, name, status, isHead boolean
MergeStatusV1Response: changeSet object, actions array
ComponentViewV1: attributes object, canBeUpgraded boolean, connections array, domainProps array, id, name, resourceId, resourceProps array, schemaId, schemaVariantId, secretId, toDelete boolean, views array
ComponentPropViewV1: id, path, propId, value? any
ViewV1: id, isDefault boolean, name
GetComponentV1Response: component object, actionFunctions array, managementFunctions array
ComponentDetailsV1: componentId, name, schemaName, actionFunctions? array, managementFunctions? array, qualificationFunctions? array, codegen? any, diffStatus?|null, hasDiff? boolean|null, hasResource? boolean|null, manages? array, resourceId?|null, resourceStatus?|null, subscriptions? array
FunctionRelationshipV1: functionName, dependsOn? array, executionHistory? array, executionStatus? object|null
ComponentSearchResult: id, name, schema object
ResourceData: last_synced, payload? any, status
SchemaResponse: schemaId, schemaName, category?|null, installed boolean
GetSchemaV1Response: schemaId, name, defaultVariantId, variantIds array
InstallFromFileV1Response: category, displayName, schemaId, schemaName, schemaVariantId
UnlockedSchemaV1Response: schemaId, unlockedVariant object, unlockedVariantId
GetSchemaVariantV1Response: assetFuncId, category, color, displayName, variantId, installedFromUpstream boolean, isDefaultVariant boolean, isLocked boolean, variantFuncIds array, variantFuncs array, description?|null, link?|null, domainProps? object|null
SchemaVariantFunc: funcKind object, id, isOverlay boolean
PropSchemaV1: name, propId, propType, children? array|null, defaultValue? any, description?|null, docLink?|null, hidden? boolean|null, validationFormat?|null
AttributeArgumentBindingRequest: name, kind, elementKind?|null, propId?|null, staticValue? any
GetFuncV1Response: code, isLocked boolean, kind, name, description?|null, displayName?|null, link?|null
FuncRunViewV1: backendKind, backendResponseType, createdAt, functionCodeBase64, functionKind, functionName, id, state, updatedAt, functionArgs any, actionDisplayName?|null, actionId?|null, actionKind?|null, actionOriginatingChangeSetId?|null, actionOriginatingChangeSetName?|null, actionPrototypeId?|null, actionResultState?|null, attributeValueId?|null, componentId?|null, componentName?|null, functionDescription?|null, functionDisplayName?|null, functionLink?|null, schemaName?|null, resultValue? any, logs? object|null
FuncRunLogViewV1: id, funcRunId, createdAt, updatedAt, finalized boolean, logs array
OutputLineViewV1: executionId, level, message, stream, group?|null, timestamp integer
GetManagementFuncJobStateV1Response: state, funcRunId?|null
ExecuteManagementFunctionV1Response: managementFuncJobStateId, status, funcRunId?|null, message?|null
GetDebugFuncJobStateV1Response: id, state, failure?|null, funcRunId?|null, result? any
ActionViewV1: id, kind, name, originatingChangeSetId, prototypeId, state, componentId?|null, description?|null, funcRunId?|null
SecretV1: definition, id, name, description?|null
SecretDefinitionV1: secretDefinition, formData array
Workspace: approvalsEnabled boolean, creatorUserId, displayName, id, instanceEnvType, isDefault boolean, creatorUser? object|null, description?|null, externalId?|null, initialApiToken? object|null, instanceUrl?|null, quarantinedAt?|null, role?|null
Member: email, nickname, role, userId, signupAt?|null
`;

/** Every shape that the specification of the modeling API names, with its members. */
export const specifiedShapes: readonly {
  readonly shape: string;
  readonly members: readonly SpecifiedMember[];
}[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [shape = "", members = ""] = line.split(/:\s+/);
    return { shape, members: members.split(", ").map(memberOf) };
  });

function memberOf(text: string): SpecifiedMember {
  const nullable = text.endsWith("|null");
  const [declared = "", type = "string"] = text.replace("|null", "").split(" ");
  const required = !declared.endsWith("?");
  return { name: declared.replace("?", "").replace("_D", " D"), type, required, nullable };
}
