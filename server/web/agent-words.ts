/** Programs by what their user agent says, the more particular ones first: most browsers also say what they resemble. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/^svc-cli\//, "svc, the command line"],
  [/^svc-daemon\//, "svc, the daemon"],
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, "Windows"],
  [/\b(iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];
/** Of a program that is none of these: its own name and version. */
const product = /^[\w.-]{1,40}(\/[\w.-]{1,20})?/;

/** A user agent as people call it, such as "Firefox on Linux"; it says what the program says of itself, no more. */
export function agentWords(userAgent: string | null): string {
  if (userAgent === null) return "a program that does not say";
  const program = programs.find(([sign]) => sign.test(userAgent))?.[1];
  if (program?.startsWith("svc") === true) return program;
  const system = systems.find(([sign]) => sign.test(userAgent))?.[1];
  if (program !== undefined) return system === undefined ? program : `${program} on ${system}`;
  return product.exec(userAgent)?.[0].replace("/", " ") ?? "an unknown program";
}
