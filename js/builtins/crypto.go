package builtins

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupCrypto makes crypto with randomUUID and getRandomValues (Web
// Cryptography §10). The bytes come from the run's own generator, as
// Math.random's do: they are as secret as the run's seed. There is no subtle.
func setupCrypto(b *vm.Builder) {
	proto := b.Object(b.Intrinsic(vm.ObjectPrototype))
	ctor := webCtor(b, "Crypto", 0, func(m *vm.Machine, _ vm.Call) (vm.Value, error) {
		return vm.Undefined, nodeError(m, vm.TypeErrorPrototype, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor")
	}, proto, 0)
	b.Tag(proto, "Crypto")
	webMethod(b, proto, "getRandomValues", 1, cryptoGetRandomValues)
	webMethod(b, proto, "randomUUID", 0, cryptoRandomUUID)
	b.GlobalObj("Crypto", ctor)
	b.GlobalValue("crypto", heap.ObjectValue(webObject(b.Machine, proto, webCrypto, 1)), heap.DefaultAttrs)
}

// maxRandomBytes is how many bytes getRandomValues gives at once.
const maxRandomBytes = 65536

// fillRandom fills p from the run's generator, eight bytes at a time.
func fillRandom(m *vm.Machine, p []byte) error {
	if err := m.Charge(len(p)/8 + 32); err != nil {
		return err
	}
	for len(p) > 0 { //meter: charged above
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], m.RandomBits())
		p = p[copy(p, w[:]):]
	}
	return nil
}

// cryptoGetRandomValues is Crypto.prototype.getRandomValues.
func cryptoGetRandomValues(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if _, err := thisWeb(m, &c, webCrypto); err != nil {
		return vm.Undefined, err
	}
	v := c.Arg(0)
	if len(c.Args) == 0 {
		e, err := newNodeError(m, vm.TypeErrorPrototype, "ERR_MISSING_ARGS", "Failed to execute 'getRandomValues' on 'Crypto': 1 argument required, but only 0 present.", false)
		if err != nil {
			return vm.Undefined, err
		}
		return vm.Undefined, m.Throw(e)
	}
	integers := false
	if m.IsTypedArray(v) {
		t := m.TypedElem(v.AsObj())
		integers = t <= vm.ElemUint32 || t.IsBigInt()
	}
	if !integers {
		return vm.Undefined, domException(m, "TypeMismatchError", "The data argument must be an integer-type TypedArray")
	}
	if m.IsImmutable(m.ViewBuffer(v.AsObj())) {
		return vm.Undefined, immutableError(m, "Crypto.prototype.getRandomValues")
	}
	p := m.TypedBytesW(v.AsObj())
	if len(p) > maxRandomBytes {
		return vm.Undefined, domException(m, "QuotaExceededError", "The requested length exceeds "+quoted(maxRandomBytes)+" bytes")
	}
	return v, fillRandom(m, p)
}

// cryptoRandomUUID is Crypto.prototype.randomUUID: a UUID of version 4 (RFC
// 9562 §5.4).
func cryptoRandomUUID(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if _, err := thisWeb(m, &c, webCrypto); err != nil {
		return vm.Undefined, err
	}
	var u [16]byte
	if err := fillRandom(m, u[:]); err != nil {
		return vm.Undefined, err
	}
	u[6] = u[6]&0x0F | 0x40
	u[8] = u[8]&0x3F | 0x80
	h := hex.EncodeToString(u[:])
	return m.NewString(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}
