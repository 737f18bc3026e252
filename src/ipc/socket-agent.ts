import { Agent, type ClientRequestArgs } from "node:http";
import { connect, type Socket } from "node:net";

/** Opens every connection to one unix socket, whatever its path looks like. */
export class SocketAgent extends Agent {
  readonly #path: string;

  constructor(path: string) {
    super({ keepAlive: true, maxFreeSockets: 4 });
    this.#path = path;
  }

  override createConnection(_options: ClientRequestArgs): Socket {
    return connect(this.#path);
  }
}
