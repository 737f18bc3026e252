/** Everything that decides how one server process runs; each member is a row of the table of settings. */
export interface ServerSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** `sqlite:<path>` or `postgres://…`. */
  readonly database: string;
  /** The file (0600) that holds the server's own key; made, with its directory, when it is missing. */
  readonly secretKeyFile: string;
  /** The key itself, 64 hexadecimal characters, instead of the file. */
  readonly secretKey: string | undefined;
  /** The address that people reach the server by; undefined means the address it listens on. */
  readonly publicUrl: string | undefined;
  /** Whether `X-Forwarded-*` headers are believed: only behind a proxy that sets them. */
  readonly trustProxy: boolean;
  /** Whether anyone may create an account; the first one always may. */
  readonly signUp: "open" | "closed";
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

/** Whether a host name or address means this machine only. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
