package conv

import "math"

// ToInt32 is ToInt32 (§7.1.6) of a Number.
func ToInt32(f float64) int32 {
	// A conversion out of range gives some int32, never one equal to f.
	if i := int32(f); float64(i) == f {
		return i
	}
	return int32(toUint64(f))
}

// ToUint32 is ToUint32 (§7.1.7) of a Number.
func ToUint32(f float64) uint32 { return uint32(ToInt32(f)) }

// ToInt16 is ToInt16 (§7.1.8) of a Number.
func ToInt16(f float64) int16 { return int16(ToInt32(f)) }

// ToUint16 is ToUint16 (§7.1.9) of a Number.
func ToUint16(f float64) uint16 { return uint16(ToInt32(f)) }

// ToInt8 is ToInt8 (§7.1.10) of a Number.
func ToInt8(f float64) int8 { return int8(ToInt32(f)) }

// ToUint8 is ToUint8 (§7.1.11) of a Number.
func ToUint8(f float64) uint8 { return uint8(ToInt32(f)) }

// ToUint8Clamp is ToUint8Clamp (§7.1.12) of a Number: ties go to even.
func ToUint8Clamp(f float64) uint8 {
	switch {
	case !(f > 0):
		return 0
	case f >= 255:
		return 255
	}
	return uint8(math.RoundToEven(f))
}

// toUint64 returns the integer part of f modulo 2^64; 0 for NaN and infinities.
func toUint64(f float64) uint64 {
	b := math.Float64bits(f)
	e := int(b>>52)&0x7FF - 1075
	if e == 0x7FF-1075 || e >= 64 || e <= -53 {
		return 0
	}
	n := b&(1<<52-1) | 1<<52
	if e >= 0 {
		n <<= e
	} else {
		n >>= -e
	}
	if b>>63 != 0 {
		return -n
	}
	return n
}

// ToIntegerOrInfinity is ToIntegerOrInfinity (§7.1.5) of a Number; -0 and NaN
// become +0.
func ToIntegerOrInfinity(f float64) float64 {
	if f != f {
		return 0
	}
	return math.Trunc(f) + 0
}

// ToLength is ToLength (§7.1.20) of a Number.
func ToLength(f float64) int64 {
	switch {
	case !(f > 0):
		return 0
	case f >= 1<<53-1:
		return 1<<53 - 1
	}
	return int64(f)
}

// IsIntegral says whether f is an integral Number (§7.2.6).
func IsIntegral(f float64) bool { return math.Trunc(f) == f && f-f == 0 }

// Float16FromFloat64 rounds f to binary16, nearest, ties to even, in one step.
func Float16FromFloat64(f float64) uint16 {
	b := math.Float64bits(f)
	sign := uint16(b>>48) & 0x8000
	switch a := math.Abs(f); {
	case f != f:
		return 0x7E00
	case a >= 65520:
		return sign | 0x7C00
	case a < 0x1p-14:
		// A subnormal is a multiple of 2^-24; 1024 of them are the first normal.
		return sign | uint16(math.RoundToEven(a*0x1p24))
	}
	b &= 1<<63 - 1
	b += 1<<41 - 1 + b>>42&1
	return sign | uint16(b>>42-(1023-15)<<10)
}

// Float16ToFloat64 returns the value of a binary16.
func Float16ToFloat64(h uint16) float64 {
	e := uint64(h >> 10 & 31)
	mant := uint64(h & 0x3FF)
	var f float64
	switch e {
	case 0:
		f = float64(mant) * 0x1p-24
	case 31:
		if mant != 0 {
			return math.NaN()
		}
		f = math.Inf(1)
	default:
		f = math.Float64frombits((e+1023-15)<<52 | mant<<42)
	}
	if h&0x8000 != 0 {
		return -f
	}
	return f
}
