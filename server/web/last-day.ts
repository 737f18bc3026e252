import { fail } from "../../src/contract/errors.ts";

/**
 * The end of a day, in UTC, that a date field carries: the last moment of it. Throws `badRequest` for what is no day of
 * the calendar.
 */
export function endOfDay(field: string, day: string): string {
  const end = new Date(`${day}T23:59:59.999Z`);
  // Some calendars in machines go on counting after the last day of a month.
  if (!Number.isNaN(end.getTime()) && end.toISOString().slice(0, 10) === day) return end.toISOString();
  return fail(
    "badRequest",
    `${field}: expected a date such as 2030-01-31, found ${JSON.stringify(day.slice(0, 40))}`,
  );
}
