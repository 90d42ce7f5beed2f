const { "dayjs.min.js": dayjs, ...plugins } = libs;
for (const name of Object.keys(plugins)) if (name.startsWith("plugin/")) dayjs.extend(plugins[name]);
const d = dayjs.utc("2024-02-29T13:04:05.678Z");
print(d.format(), d.format("YYYY-MM-DD HH:mm:ss.SSS Z dddd MMM Do Q X x [at] A h k"), d.toISOString(), d.unix());
print(d.add(1, "year").format("YYYY-MM-DD"), d.add(1, "month").format("YYYY-MM-DD"), d.subtract(3, "day").format(), d.endOf("month").format(), d.startOf("week").format());
print(d.diff(dayjs.utc("2023-01-01"), "month", true), d.diff("2024-02-01T00:00:00Z", "day"), d.isBefore("2025-01-01"), d.isSame("2024-02-29T00:00:00Z", "day"));
print(dayjs.utc("29/02/2024 07:08", "DD/MM/YYYY HH:mm").toISOString(), dayjs("31/02/2024", "DD/MM/YYYY", true).isValid(), dayjs("nope").isValid(), String(dayjs(null)));
print(dayjs.duration({ hours: 30, minutes: 5 }).format("D H:mm"), dayjs.duration(90061000).toISOString(), dayjs.duration("P1DT2H").asHours(), d.daysInMonth(), d.set("date", 1).day(), d.toJSON(), JSON.stringify({ d }));
