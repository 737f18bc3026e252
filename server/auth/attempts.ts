import { normalizeIP } from "@fastify/rate-limit";
import { ApiError } from "../../src/contract/errors.ts";
import type { Clock } from "../../src/lib/clock.ts";

/** How long attempts count. */
const windowMs = 60_000;
/** One account from one address: a person who mistypes, not a list of passwords. */
const perAccountAndAddress = 5;
/** One account from everywhere, by each of its two names: 30 guesses a minute are 43,200 a day, against 2^40 and more for a password of 8. */
const perAccount = 30;
/** One address with any account; an office behind one address still gets in. */
const perAddress = 30;
/** New accounts from one address. */
const signUps = 10;
/** Windows kept at once: about 100 bytes each, so at most 10 MB. */
const maximumWindows = 100_000;

/** Counts attempts of this process in fixed windows; what is refused waits for the window's end. */
export interface Attempts {
  /** Counts an attempt to sign in; throws `rateLimited`. The answer takes it back, for those that succeed. */
  signIn(account: string, address: string): () => void;
  /** Counts a new account; throws `rateLimited`. */
  signUp(address: string): void;
}

/** Makes the counters; they begin empty with each process. */
export function createAttempts(clock: Clock): Attempts {
  const windows = new Map<string, { readonly ends: number; count: number }>();

  const take = (key: string, allowed: number): (() => void) => {
    const now = clock.now();
    let window = windows.get(key);
    if (window === undefined || window.ends <= now) {
      windows.delete(key);
      if (windows.size >= maximumWindows) forget(now);
      window = { ends: now + windowMs, count: 0 };
      windows.set(key, window);
    }
    const taken = window;
    if (taken.count >= allowed) {
      const retryAfterSeconds = Math.ceil((taken.ends - now) / 1000);
      throw new ApiError("rateLimited", `too many attempts; try again in ${retryAfterSeconds} s`, {
        retryAfterSeconds,
      });
    }
    taken.count += 1;
    return () => {
      taken.count -= 1;
    };
  };

  /** Drops what is over and, past the bound, the oldest; all windows last alike, so they stand in order of their end. */
  const forget = (now: number): void => {
    for (const [key, window] of windows) {
      if (window.ends > now && windows.size < maximumWindows) break;
      windows.delete(key);
    }
  };

  return {
    signIn: (account, ip) => {
      const [name, address] = [account.toLowerCase(), networkOf(ip)];
      const undo = [
        take(`address ${address}`, perAddress),
        take(`both ${name} ${address}`, perAccountAndAddress),
        take(`account ${name}`, perAccount),
      ];
      return () => {
        for (const back of undo) back();
      };
    },
    signUp: (ip) => {
      take(`sign-up ${networkOf(ip)}`, signUps);
    },
  };
}

/** What counts as one address: of IPv6 the network of 64 bits, since everybody has a whole one to choose from. */
const networkOf = (ip: string): string => normalizeIP(ip);
