import Type from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { named } from "./shapes.ts";

const Ok = Type.Object({ data: Type.String() }, { $id: "ApiSuccess_String" });

export const system = group({
  root: {
    method: "GET",
    path: "/",
    summary: "Where the documentation is",
    access: "any",
    revision: "answer",
    response: Type.Object({ "API Documentation": Type.String() }, { $id: "SystemStatusResponse" }),
  },
  health: {
    method: "GET",
    path: "/healthz",
    summary: "Whether the process answers",
    access: "none",
    response: Ok,
    always: true,
    addition: true,
  },
  readiness: {
    method: "GET",
    path: "/readyz",
    summary: "Whether the process can serve: the database answers and is migrated",
    access: "none",
    response: Ok,
    errors: ["unavailable"],
    always: true,
    addition: true,
  },
});

export const identity = group({
  whoami: {
    method: "GET",
    path: "/whoami",
    summary: "Who the token stands for, and in which workspace",
    access: "user",
    revision: "answer",
    response: named("WhoamiResponse", {
      token: Type.Object({ id: Id, kind: Type.String(), userId: Id }, { additionalProperties: true }),
      userEmail: Type.String(),
      userId: Id,
      workspaceId: Id,
    }),
    errors: ["forbidden"],
  },
});
