package builtins

import (
	"time"

	"github.com/pinfold-js/pinfold/js/date"
	"github.com/pinfold-js/pinfold/js/intl/datetime"
	"github.com/pinfold-js/pinfold/js/vm"
)

// zonedFormatter makes toString and toTimeString, which name the zone.
func zonedFormatter(f func(dst []byte, t float64, loc *time.Location, zone string) []byte) vm.NativeFunc {
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		t, err := thisDate(m, &c)
		if err != nil {
			return vm.Undefined, err
		}
		if err := m.Charge(20); err != nil {
			return vm.Undefined, err
		}
		zone, err := zoneNameAt(m, t)
		if err != nil {
			return vm.Undefined, err
		}
		var buf [96]byte
		return m.NewString(string(f(buf[:0], t, m.Location(), zone)))
	}
}

// zoneNameAt returns what the run's zone is called at a time.
func zoneNameAt(m *vm.Machine, t float64) (string, error) {
	if m.Location() == time.UTC || t != t {
		return "Coordinated Universal Time", nil
	}
	z, err := runZone(m)
	if err != nil {
		return "", err
	}
	return z.LongName(t), nil
}

// runZone returns the run's zone. It uses the cache of formatters, so it must be
// asked for before one is built.
func runZone(m *vm.Machine) (*datetime.Zone, error) {
	if m.Location() == time.UTC {
		return datetime.UTC(), nil
	}
	return intlCachedText(m, intlDateTimeFormat, "", func(string) (*datetime.Zone, error) { return datetime.ZoneOf(m.Location()), nil })
}

func dateToDateString(m *vm.Machine, c vm.Call) (vm.Value, error) {
	t, err := thisDate(m, &c)
	if err != nil {
		return vm.Undefined, err
	}
	var buf [40]byte
	return latin1Value(m, date.ToDateString(buf[:0], t, m.Location()))
}

// dateLocale makes Date.prototype.toLocaleString and its like (ECMA-402 §20.4).
// plain is the text of the formatter that no arguments ask for.
func dateLocale(name string, required, defaults int, plain string) vm.NativeFunc {
	service := "Date.prototype." + name
	return func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		t, ok := dateOf(m, c.This)
		if !ok {
			return vm.Undefined, incompatibleIntl(m, c.This, service)
		}
		if t != t {
			return m.NewString("Invalid Date")
		}
		text := plain
		if c.Arg(0) != vm.Undefined || c.Arg(1) != vm.Undefined {
			var err error
			if text, err = resolveDateTimeFormat(m, service, c.Arg(0), c.Arg(1), required, defaults); err != nil {
				return vm.Undefined, err
			}
		}
		build, err := dateTimeFormatBuilder(m)
		if err != nil {
			return vm.Undefined, err
		}
		f, err := intlCachedText(m, intlDateTimeFormat, text, build)
		if err != nil {
			return vm.Undefined, err
		}
		return formatDate(m, f, t)
	}
}

// The texts of the formatters that Date's methods use without arguments.
const (
	plainLocale     = "en-US|en|gregory|latn||h12||||||"
	plainDate       = "numeric|numeric|numeric||"
	plainTime       = "numeric|numeric|numeric||"
	plainLocaleDate = plainLocale + plainDate + "||||"
	plainLocaleTime = plainLocale + "||||" + plainTime
	plainLocaleBoth = plainLocale + plainDate + plainTime
)
