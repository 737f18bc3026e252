import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  authFile,
  configFile,
  directoriesOf,
  identityFile,
  maximumSocketPathBytes,
  type PathEnvironment,
  profileOf,
} from "../../src/config/paths.ts";

const account = { home: "/home/ada", userId: 1000 };
const directories = (environment: PathEnvironment = {}) => directoriesOf(environment, account);
const server = "http://127.0.0.1:5380";

describe("directories", () => {
  it("lie in the usual places of the home when nothing is set", () => {
    expect(directories()).toEqual({
      config: "/home/ada/.config/svc",
      cache: "/home/ada/.cache/svc",
      state: "/home/ada/.local/state/svc",
      sockets: ["/tmp/svc-1000"],
    });
  });

  it("follow each XDG variable", () => {
    const found = directories({
      XDG_CONFIG_HOME: "/c",
      XDG_CACHE_HOME: "/k",
      XDG_STATE_HOME: "/s",
      XDG_RUNTIME_DIR: "/run/user/1000",
      TMPDIR: "/var/tmp",
    });
    expect(found).toEqual({
      config: "/c/svc",
      cache: "/k/svc",
      state: "/s/svc",
      sockets: ["/run/user/1000/svc", "/var/tmp/svc-1000", "/tmp/svc-1000"],
    });
  });

  it.each(["", "relative/path"])("take XDG_CONFIG_HOME %j for unset, as the XDG rules say", (value) => {
    expect(directories({ XDG_CONFIG_HOME: value }).config).toBe("/home/ada/.config/svc");
  });

  it("hold auth.json, identity.json and config.json in the config directory", () => {
    const found = directories({ XDG_CONFIG_HOME: "/c" });
    expect([authFile(found), identityFile(found), configFile(found)]).toEqual([
      "/c/svc/auth.json",
      "/c/svc/identity.json",
      "/c/svc/config.json",
    ]);
  });
});

describe("a profile", () => {
  it("is another one for another server and for another config directory, and the same otherwise", () => {
    const first = profileOf(directories(), server);
    expect(profileOf(directories(), server)).toEqual(first);
    const others = [
      profileOf(directories(), "http://127.0.0.1:5381"),
      profileOf(directories({ XDG_CONFIG_HOME: "/c" }), server),
    ];
    for (const other of others) {
      expect(other.socketPath).not.toBe(first.socketPath);
      expect(other.stateDirectory).not.toBe(first.stateDirectory);
      expect(other.cacheDirectory).not.toBe(first.cacheDirectory);
    }
  });

  it("is named so that a person recognises the server", () => {
    expect(profileOf(directories(), "https://svc.example.com/base").name).toMatch(
      /^svc\.example\.com-base-[0-9a-f]{8}$/,
    );
    expect(profileOf(directories(), "http://[::1]:5380").name).toMatch(/^1-5380-[0-9a-f]{8}$/);
  });

  it("has its socket in the runtime directory, named by 8 hex", () => {
    const { socketPath } = profileOf(directories({ XDG_RUNTIME_DIR: "/run/user/1000" }), server);
    expect(socketPath).toMatch(/^\/run\/user\/1000\/svc\/[0-9a-f]{8}\.sock$/);
  });

  it("has its socket in a directory of one's own in the temporary one without a runtime directory", () => {
    expect(profileOf(directories({ TMPDIR: "/var/tmp" }), server).socketPath).toMatch(
      /^\/var\/tmp\/svc-1000\/[0-9a-f]{8}\.sock$/,
    );
  });

  it("never has a socket path of more than 100 bytes, and uses every one of them", () => {
    // "/svc/" and "12345678.sock" take 18 bytes.
    const fitting = `/${"r".repeat(maximumSocketPathBytes - 18 - 1)}`;
    const long = `${fitting}r`;
    const at = (folder: string) => profileOf(directories({ XDG_RUNTIME_DIR: folder }), server).socketPath;
    expect(Buffer.byteLength(at(fitting))).toBe(maximumSocketPathBytes);
    expect(at(long)).toMatch(/^\/tmp\/svc-1000\//);
    // Bytes count, not letters.
    expect(at(`/${"é".repeat(41)}`)).toMatch(/^\/tmp\/svc-1000\//);
    const everywhere = directories({ XDG_RUNTIME_DIR: long, TMPDIR: join(long, "x") });
    expect(profileOf(everywhere, server).socketPath).toMatch(/^\/tmp\/svc-1000\//);
  });
});
