// Dates in UTC: distances, week days, leap years, ISO weeks, month grid.
const DAY = 24 * 60 * 60 * 1000;
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
type Weekday = (typeof weekdays)[number];

interface Entry {
  title: string;
  at: string;
}

function startOfDay(d: Date): Date {
  return new Date(Date.UTC(d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate()));
}

function isoWeek(d: Date): string {
  const t = startOfDay(d);
  t.setUTCDate(t.getUTCDate() + 4 - (t.getUTCDay() || 7));
  const yearStart = new Date(Date.UTC(t.getUTCFullYear(), 0, 1));
  const week = Math.ceil(((t.getTime() - yearStart.getTime()) / DAY + 1) / 7);
  return `${t.getUTCFullYear()}-W${String(week).padStart(2, "0")}`;
}

function relative(from: Date, to: Date): string {
  const days = Math.round((startOfDay(to).getTime() - startOfDay(from).getTime()) / DAY);
  if (days === 0) return "today";
  if (days === 1) return "tomorrow";
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
}

const daysInMonth = (y: number, m: number): number => new Date(Date.UTC(y, m + 1, 0)).getUTCDate();

const now = new Date((input as { today: string }).today);
const events = (input.events as Entry[]).map((e) => ({ ...e, date: new Date(e.at) }));
const valid = events.filter((e) => !Number.isNaN(e.date.getTime())).sort((a, b) => a.date.getTime() - b.date.getTime());

for (const { title, date } of valid) {
  const day: Weekday = weekdays[date.getUTCDay()];
  console.log(`${date.toISOString()} ${day} ${isoWeek(date)} ${title} (${relative(now, date)})`);
}

const year = now.getUTCFullYear();
const month = now.getUTCMonth();
const lead = (new Date(Date.UTC(year, month, 1)).getUTCDay() + 6) % 7;
const cells = [...Array(lead).fill("  "), ...Array.from({ length: daysInMonth(year, month) }, (_, i) => String(i + 1).padStart(2))];
console.log("Mo Tu We Th Fr Sa Su");
while (cells.length) console.log(cells.splice(0, 7).join(" "));

const leap = [1900, 2000, 2023, 2024].filter((y) => daysInMonth(y, 1) === 29);
const next = new Date(now);
next.setUTCMonth(next.getUTCMonth() + 1, 31);
return {
  next: valid.find((e) => e.date > now)?.title,
  broken: events.filter((e) => Number.isNaN(+e.date)).map((e) => e.title),
  leap,
  overflow: next.toJSON(),
  json: JSON.parse(JSON.stringify({ now })),
};
