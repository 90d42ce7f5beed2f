const { DateTime, Duration, Interval, Settings } = lib;
Settings.defaultZone = "utc"; Settings.defaultLocale = "en-US";
const d = DateTime.fromISO("2024-02-29T13:04:05.678Z", { zone: "utc" });
print(d.toISO(), d.plus({ months: 1, days: 2 }).toISO(), d.startOf("quarter").toISO(), d.weekNumber, d.ordinal, d.isInLeapYear);
print(d.diff(DateTime.fromISO("2023-12-25T00:00:00Z"), ["months", "days", "hours"]).toObject(), d.toMillis(), d.setZone("utc+5").toISO());
print(Duration.fromObject({ hours: 30, minutes: 90 }).normalize().shiftTo("days", "hours", "minutes").toISO(), Duration.fromISO("PT36H").as("days"), Interval.after(d, { days: 2 }).splitBy({ hours: 12 }).length);
print(DateTime.fromISO("2024-13-01").invalidReason, DateTime.fromSQL("2024-01-02 03:04:05").toISO(), DateTime.fromHTTP("Sun, 06 Nov 1994 08:49:37 GMT").toISO(), DateTime.fromISO("2024-W09-4").toISODate());
print(d.toFormat("yyyy-MM-dd HH:mm:ss.SSS"), DateTime.fromFormat("29 02 2024", "dd MM yyyy").toISODate());
