package vm

// Intrinsic names one of the well-known objects of a realm (ECMA-262 §6.1.7.4
// and the ones the engine keeps for itself).
type Intrinsic int

// The intrinsics.
const (
	ObjectPrototype Intrinsic = iota
	FunctionPrototype
	ObjectConstructor
	FunctionConstructor
	GlobalObject
	GlobalLex // declarative record of scripts' let, const and class

	ArrayConstructor
	ArrayPrototype
	ArrayProtoValues
	ArrayProtoToString
	ArrayIteratorPrototype
	ArrayIteratorNext
	IteratorPrototype
	IteratorConstructor
	AsyncIteratorPrototype
	AsyncFromSyncIteratorPrototype
	IteratorHelperPrototype
	WrapForValidIteratorPrototype

	StringConstructor
	StringPrototype
	StringIteratorPrototype
	NumberConstructor
	NumberPrototype
	BooleanConstructor
	BooleanPrototype
	SymbolConstructor
	SymbolPrototype
	BigIntConstructor
	BigIntPrototype
	MathObject
	JSONObject
	ReflectObject
	AtomicsObject
	ProxyConstructor

	ErrorConstructor
	ErrorPrototype
	TypeErrorConstructor
	TypeErrorPrototype
	RangeErrorConstructor
	RangeErrorPrototype
	ReferenceErrorConstructor
	ReferenceErrorPrototype
	SyntaxErrorConstructor
	SyntaxErrorPrototype
	EvalErrorConstructor
	EvalErrorPrototype
	URIErrorConstructor
	URIErrorPrototype
	AggregateErrorConstructor
	AggregateErrorPrototype
	SuppressedErrorConstructor
	SuppressedErrorPrototype

	DateConstructor
	DatePrototype
	RegExpConstructor
	RegExpPrototype
	RegExpProtoExec
	RegExpStringIteratorPrototype

	MapConstructor
	MapPrototype
	MapIteratorPrototype
	SetConstructor
	SetPrototype
	SetIteratorPrototype
	WeakMapConstructor
	WeakMapPrototype
	WeakSetConstructor
	WeakSetPrototype
	WeakRefConstructor
	WeakRefPrototype
	FinalizationRegistryConstructor
	FinalizationRegistryPrototype

	PromiseConstructor
	PromisePrototype
	PromiseProtoThen
	PromiseResolveFunction

	GeneratorFunctionConstructor
	GeneratorFunctionPrototype
	GeneratorPrototype
	AsyncFunctionConstructor
	AsyncFunctionPrototype
	AsyncGeneratorFunctionConstructor
	AsyncGeneratorFunctionPrototype
	AsyncGeneratorPrototype

	ArrayBufferConstructor
	ArrayBufferPrototype
	DataViewConstructor
	DataViewPrototype
	TypedArrayConstructor
	TypedArrayPrototype
	Int8ArrayConstructor // the element types follow in the order of ElemType
	Uint8ArrayConstructor
	Uint8ClampedArrayConstructor
	Int16ArrayConstructor
	Uint16ArrayConstructor
	Int32ArrayConstructor
	Uint32ArrayConstructor
	Float16ArrayConstructor
	Float32ArrayConstructor
	Float64ArrayConstructor
	BigInt64ArrayConstructor
	BigUint64ArrayConstructor
	Int8ArrayPrototype // the same order again
	Uint8ArrayPrototype
	Uint8ClampedArrayPrototype
	Int16ArrayPrototype
	Uint16ArrayPrototype
	Int32ArrayPrototype
	Uint32ArrayPrototype
	Float16ArrayPrototype
	Float32ArrayPrototype
	Float64ArrayPrototype
	BigInt64ArrayPrototype
	BigUint64ArrayPrototype

	DisposableStackConstructor
	DisposableStackPrototype
	AsyncDisposableStackConstructor
	AsyncDisposableStackPrototype

	EvalFunction
	ThrowTypeError
	ErrorStackGetter
	ErrorStackSetter
	GeneratorNext // %GeneratorPrototype%.next

	PromiseResolver // templates of the functions that promises are settled through
	PromiseRejecter
	CapabilityExecutor
	AsyncFromSyncUnwrap
	AsyncFromSyncClose
	ModuleFulfilled
	ModuleRejected
	DynamicImportLoaded
	DynamicImportDone
	DynamicImportFailed

	ProxyShape // an object with the hidden class of all proxies

	ArraySpeciesGetter   // get Array[@@species]
	ObjectProtoToString  // Object.prototype.toString
	AsyncDisposeReturned // onFulfilled of %AsyncIteratorPrototype%[@@asyncDispose]
	MapProtoSet
	SetProtoAdd

	RegExpSpeciesGetter
	RegExpPristine // what an untouched %RegExp.prototype% is like

	PromiseThenFinally // templates of the functions that Promise's methods make
	PromiseCatchFinally
	PromiseValueThunk
	PromiseThrower
	PromiseAllElement
	PromiseSettledElement
	PromiseSettledReason
	PromiseAnyReason
	FromAsyncFulfilled // Array.fromAsync
	FromAsyncRejected

	TypedArrayLengthGetter

	IntlObject // ECMA-402
	IntlCollatorConstructor
	IntlCollatorPrototype
	IntlDateTimeFormatConstructor
	IntlDateTimeFormatPrototype
	IntlDisplayNamesConstructor
	IntlDisplayNamesPrototype
	IntlListFormatConstructor
	IntlListFormatPrototype
	IntlLocaleConstructor
	IntlLocalePrototype
	IntlNumberFormatConstructor
	IntlNumberFormatPrototype
	IntlPluralRulesConstructor
	IntlPluralRulesPrototype
	IntlRelativeTimeFormatConstructor
	IntlRelativeTimeFormatPrototype
	IntlSegmenterConstructor
	IntlSegmenterPrototype
	IntlSegmentsPrototype
	IntlSegmentIteratorPrototype
	IntlCollatorCompare // templates of bound functions
	IntlNumberFormatFormat
	IntlDateTimeFormatFormat

	DeferredImportDone // templates of import.defer()
	DeferredImportFailed
	AbstractModuleSource
	AbstractModuleSourcePrototype

	DOMExceptionPrototype
	URLPrototype
	URLSearchParamsPrototype
	URLSearchParamsEntries
	URLSearchParamsIteratorPrototype
	TextEncoderPrototype
	TextDecoderPrototype
	CodeErrorToString // toString of errors that show their code

	NumIntrinsics
)
