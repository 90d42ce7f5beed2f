const d = lib.utc("2024-02-29T13:04:05.678Z");
print(d.format(), d.format("dddd, MMMM Do YYYY, h:mm:ss a"), d.format("L LT [w] W E DDDo Q"), d.toISOString(), d.valueOf());
print(d.clone().add(1, "M").format(), d.clone().subtract(1, "year").format(), d.clone().endOf("isoWeek").format(), d.isLeapYear(), d.daysInMonth());
print(lib.utc("12-25-1995", "MM-DD-YYYY").format(), lib.utc("2010 30 13:05", "YYYY DDD HH:mm").format(), lib.utc("31/02/2024", "DD/MM/YYYY", true).isValid(), lib.utc("Mon, 25 Dec 1995 13:30:00 +0430", lib.RFC_2822).format());
print(lib.duration(2, "weeks").humanize(), lib.duration("P1Y2M3DT4H").toISOString(), lib.duration(3661e3).asMinutes(), d.from(lib.utc("2024-03-05")), d.to(lib.utc("2030-01-01")));
print(lib.utc("2024-02-28").calendar(lib.utc("2024-02-29")), lib.max(d, lib.utc(0)).unix(), d.diff(lib.utc("2020-01-01"), "days"), d.isBetween("2024-01-01", "2025-01-01"));
lib.defineLocale("xx", { months: "a_b_c_d_e_f_g_h_i_j_k_l".split("_"), relativeTime: { future: "in %s", past: "%s ago", d: "1d", dd: "%dd" } });
print(lib.utc("2024-02-29").locale("xx").format("MMMM"), lib.utc("2024-02-20").locale("xx").from(lib.utc("2024-02-29")), d.toArray(), d.toObject(), JSON.stringify(d));
