import type { FastifyInstance } from "fastify";
import type { Server } from "../context.ts";
import { recordTelemetry } from "../store/telemetry.ts";
import { deviceId } from "./device.ts";
import { callerOf } from "./guard.ts";

/** Notes every operation of the key-authentication API: for a user where one called, else for the device. */
export function recordUse(app: FastifyInstance, server: Server): void {
  const key = server.keyFor("device id");
  app.addHook("onResponse", (request, _reply, done) => {
    const { operation, userId } = request;
    if (operation === undefined || !request.url.startsWith("/api/")) return done();
    // A session or key always wins over the header, which identifies a device and nobody.
    const distinctId = userId ?? deviceId(request.headers["svc-distinct-id"], callerOf(request), key);
    server.background.run(() =>
      recordTelemetry(server.store, { distinct_id: distinctId, actor: userId ?? null, operation }),
    );
    done();
  });
}
