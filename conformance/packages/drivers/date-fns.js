const f = lib, d = new Date(2024, 1, 29, 13, 4, 5, 678);
print(f.format(d, "yyyy-MM-dd'T'HH:mm:ss.SSS"), f.format(d, "EEEE, do MMMM yyyy, h:mm aaaa 'week' I"), f.formatISO(f.addMonths(d, 1), { representation: "date" }));
print(f.differenceInCalendarDays(d, new Date(2023, 11, 25)), f.differenceInMonths(d, new Date(2023, 0, 1)), f.formatDistance(d, new Date(2024, 2, 5)), f.formatDistanceStrict(d, new Date(2020, 2, 5)));
print(f.format(f.parse("02/29/2024 7:08 PM", "MM/dd/yyyy h:mm a", new Date(2000, 0, 1)), "PPPPpppp").slice(0, 40), f.isValid(f.parse("31.02.2024", "dd.MM.yyyy", d)), f.format(f.parseISO("2024-W09-4"), "P"));
print(f.eachDayOfInterval({ start: new Date(2024, 1, 27), end: new Date(2024, 2, 1) }).map(x => f.format(x, "MMdd")), f.getISOWeek(d), f.endOfQuarter(d).getMonth(), f.isWeekend(d), f.addBusinessDays(d, 5).getDate());
print(f.intervalToDuration({ start: new Date(2020, 0, 15), end: d }), f.formatDuration({ years: 2, hours: 5 }), f.formatRelative(f.subDays(d, 3), d), f.closestTo(d, [new Date(2024, 0), new Date(2024, 2)]).getMonth());
try { f.format(d, "YYYY") } catch (e) { print(e.name, e.message.slice(0, 40)) }
