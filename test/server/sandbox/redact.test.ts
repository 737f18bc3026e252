import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, redactJson, secretsIn } from "../../../server/sandbox/redact.ts";
import { sandboxFixture } from "../../support/sandbox.ts";

const secret = "s3cr3t/Value+with=chars";

describe("redaction", () => {
  it.each([
    ["as it is", `a ${secret} b ${secret}`, "a [redacted] b [redacted]"],
    [
      "in base64",
      Buffer.from(secret).toString("base64"),
      expect.not.stringContaining(Buffer.from(secret).toString("base64").slice(4, 12)),
    ],
    ["percent-encoded", encodeURIComponent(secret), "[redacted]"],
    ["in hexadecimal", Buffer.from(secret).toString("hex"), "[redacted]"],
    ["quoted", JSON.stringify({ a: secret }), '{"a":"[redacted]"}'],
  ])("finds a secret %s", (_, text, expected) => {
    expect(createRedactor([secret])(text)).toEqual(expected);
  });

  it("finds a secret in base64 wherever it begins", () => {
    const redact = createRedactor([secret]);
    for (const before of ["", "u", "us", "user:"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const hidden = redact(Buffer.from(`${before}${secret}after`).toString(encoding));
        expect(Buffer.from(hidden.replace("[redacted]", ""), encoding).toString("latin1")).not.toContain(
          secret.slice(3, -3),
        );
        expect(hidden).toContain("[redacted]");
      }
    }
  });

  it("finds the lines of a secret that has several, alone", () => {
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ\n-----END KEY-----\n";
    const redact = createRedactor([key]);
    expect(redact(`x${key}y`)).toBe("x[redacted]y");
    expect(redact("line kqhkiG9w0BAQ end")).toBe("line [redacted] end");
  });

  it("takes a short secret only where it stands alone", () => {
    expect(createRedactor(["ab", ""])("ab cab abc (ab)")).toBe("[redacted] cab abc ([redacted])");
  });

  it("takes the longest of secrets that contain each other", () => {
    expect(createRedactor(["token", "token-long"])("token-long token")).toBe("[redacted] [redacted]");
  });

  it("goes through values, names and numbers", () => {
    const redact = createRedactor(secretsIn({ a: "abcdef", n: 123456, deep: [{ b: "ghijkl" }], no: true }));
    expect(redactJson({ abcdef: ["xabcdefx", 123456, 7, null, true], k: { v: "ghijkl" } }, redact)).toEqual({
      "[redacted]": ["x[redacted]x", "[redacted]", 7, null, true],
      k: { v: "[redacted]" },
    });
  });

  it("leaves no secret in any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 4 }), { maxLength: 5 }),
        fc.array(fc.string()),
        (secrets, others) => {
          const real = secrets.filter(
            (one) =>
              one.trim().length >= 4 && !"[redacted]".includes(one.trim()) && !one.includes("[redacted]"),
          );
          const text = createRedactor(real)([...others, ...real].join(" | "));
          for (const one of real) expect(text.replaceAll("[redacted]", "\0")).not.toContain(one);
        },
      ),
    );
  });
});

describe("a run with secrets", () => {
  const { run } = sandboxFixture();
  const token = "tok-4711-very-secret";
  const before = [
    {
      code: "const main = (secret) => { console.log('got', secret); requestStorage.setItem('t', secret.Token); }",
      handler: "main",
      argument: { Token: token },
    },
  ];
  it("shows them in no log line, result or error", async () => {
    const returned = await run(
      "const main = () => { const t = requestStorage.getItem('t'); console.log(t); console.log(btoa('x' + t)); console.log(t.slice(0, 9) + '\\n'); console.error([t]); return { t, [t]: [btoa(t)] }; }",
      { before },
    );
    expect(JSON.stringify(returned)).not.toContain(token);
    expect(JSON.stringify(returned)).not.toContain(btoa(token).slice(0, 20));
    expect(returned.outcome).toEqual({
      ended: "ok",
      value: { t: "[redacted]", "[redacted]": [expect.stringContaining("[redacted]")] },
    });
    const thrown = await run(
      "const main = () => { throw new Error('bad ' + requestStorage.getItem('t')); }",
      { before },
    );
    expect(thrown.outcome).toMatchObject({ ended: "threw", message: "bad [redacted]" });
    const refused = await run("const main = () => ({ [requestStorage.getItem('t')]: NaN })", { before });
    expect(refused.outcome).toEqual({
      ended: "invalidResult",
      message: "result.[redacted] is NaN, which is not JSON",
    });
  });

  it("shows them in no line that is cut, and none that breaks inside them", async () => {
    const { log } = await run(
      "const main = ({ pad }) => { console.log('x'.repeat(pad) + requestStorage.getItem('t') + 'x'.repeat(100)); console.log('a' + requestStorage.getItem('t') + '\\nb'); }",
      { before, input: { pad: 9990 } },
    );
    expect(log.join()).not.toMatch(/tok-|4711|secret/);
  });
});
