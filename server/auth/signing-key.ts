import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** The pair that workspace tokens are signed with (ES256). */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Names the pair in the header of what it signed: the thumbprint of RFC 7638. */
  readonly id: string;
}

/** The number of points of the curve P-256: private keys are below it. */
const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");

/**
 * Derives the pair from the server's key, so that all processes which were given the same key sign and verify alike, and
 * nothing more has to be kept. Of derived numbers the first that is a private key counts: all are but 1 in 2^32.
 */
export function signingKeyOf(keyFor: (purpose: string) => Buffer): SigningKey {
  for (let attempt = 0; ; attempt++) {
    const secret = keyFor(`workspace tokens ${attempt}`);
    const number = BigInt(`0x${secret.toString("hex")}`);
    if (number === 0n || number >= order) continue;
    return pairOf(secret);
  }
}

function pairOf(secret: Buffer): SigningKey {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(secret);
  // 0x04, then both coordinates of 32 bytes.
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const jwk = { crv: "P-256", kty: "EC", x, y };
  return {
    privateKey: createPrivateKey({ key: { ...jwk, d: secret.toString("base64url") }, format: "jwk" }),
    publicKey: createPublicKey({ key: jwk, format: "jwk" }),
    // The members that count, in the order of their names.
    id: createHash("sha256").update(JSON.stringify(jwk)).digest("base64url"),
  };
}
