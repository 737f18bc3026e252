import Type from "typebox";
import { Collective } from "./collectives.ts";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { nullable } from "./shapes.ts";

export const invitations = group({
  accept: {
    method: "POST",
    path: "/api/v1/invitations/accept",
    summary:
      "Join the workspace or collective that the user's address was invited into, with the code of the invitation",
    description:
      "The code was shown to whoever sent the invitation, once. A code for another address is answered as an unknown one.",
    access: "sessionOrKey",
    body: Type.Object({ code: Type.String({ maxLength: 200, writeOnly: true }) }),
    response: Type.Object({
      workspace: nullable(Type.Object({ id: Id, displayName: Type.String(), role: Type.String() })),
      collective: nullable(Collective),
    }),
    errors: ["collectiveInvitationNotFound", "memberLimitReached", "invalidOrigin"],
    addition: true,
  },
});
