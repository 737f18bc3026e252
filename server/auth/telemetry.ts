import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Server } from "../context.ts";
import type { Handled } from "../request-log.ts";
import { recordTelemetry } from "../store/telemetry.ts";
import { deviceId } from "./device.ts";
import { callerOf } from "./guard.ts";

/** Notes every operation of the key-authentication API: for a user where one called, else for the device. */
export function recordUse(
  app: FastifyInstance,
  server: Server,
  handled: (request: FastifyRequest) => Handled | undefined,
): void {
  const key = server.keyFor("device id");
  app.addHook("onResponse", async (request) => {
    const known = handled(request);
    if (known === undefined || !request.url.startsWith("/api/")) return;
    const { operation, userId } = known;
    // A session or key always wins over the header, which identifies a device and nobody.
    const distinctId = userId ?? deviceId(request.headers["svc-distinct-id"], callerOf(request), key);
    server.background.run(() =>
      recordTelemetry(server.store, { distinct_id: distinctId, actor: userId ?? null, operation }),
    );
  });
}
