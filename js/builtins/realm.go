package builtins

import (
	"github.com/pinfold-js/pinfold/js/vm"
)

// NewRealm builds the realm that every run starts from. It is built once per
// process; the result is immutable. extra adds what a host gives to all its
// runs.
func NewRealm(extra ...func(*vm.Builder)) (*vm.Realm, error) {
	return vm.BuildRealm(func(b *vm.Builder) {
		setupIteratorPrototype(b)
		for _, setup := range []func(*vm.Builder){
			setupObject, setupFunction, setupError, setupSymbol, setupBoolean,
			setupNumber, setupBigInt, setupMath, setupDate,
			setupIterator, setupArray, setupString, setupRegExp,
			setupMap, setupSet, setupWeak,
			setupArrayBuffer, setupTypedArray, setupDataView, setupAtomics, setupJSON, setupStructuredClone,
			setupPromise, setupArrayFromAsync, setupGenerator, setupProxy, setupReflect, setupGlobals, setupDisposable, setupModuleSource, setupIntl,
			setupDOMException, setupURL, setupTextEncoding, setupBase64, setupCrypto, setupChecks,
		} {
			setup(b)
		}
		for _, setup := range extra { //meter: once for a realm, before any script
			setup(b)
		}
	})
}
