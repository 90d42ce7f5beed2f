package heap

// Class says what kind of object a record is: which internal slots it has and
// which exotic behaviour, if any.
type Class uint8

// Classes of objects. Data and Length of the record mean what the comment says.
const (
	ClassObject               Class = iota
	ClassArray                      // Length = "length"
	ClassFunction                   // bytecode closure: Length = function number in the run, Data = environment
	ClassNative                     // built-in function: Length = native number, Data = any bound value
	ClassBound                      // Data = block {target, this, args…}
	ClassHostFunction               // Length = host function number
	ClassProxy                      // Data = block {target, handler}; flags say callable, constructor
	ClassError                      // Data = raw stack info or undefined
	ClassBoolean                    // Data = the primitive
	ClassNumber                     // Data = the primitive
	ClassString                     // Data = the primitive
	ClassSymbol                     // Data = the primitive
	ClassBigInt                     // Data = the primitive
	ClassDate                       // Data = time value, a double
	ClassRegExp                     // Length = regexp number in the run, Data = block {source, flags}
	ClassMap                        // Data = table
	ClassSet                        // Data = table
	ClassWeakMap                    // Data = table, keys weak
	ClassWeakSet                    // Data = table, keys weak
	ClassWeakRef                    // Data = the target, weak
	ClassFinalizationRegistry       // Data = block
	ClassPromise                    // Data = block
	ClassGenerator                  // Data = block with the detached frame
	ClassAsyncGenerator             // Data = block with the detached frame
	ClassArguments                  // Data = block of the mapping, or undefined when unmapped
	ClassArrayBuffer                // Data = block {raw, byteLength, maxByteLength}
	ClassTypedArray                 // Data = block {buffer, offset, length, …}
	ClassDataView                   // Data = block {buffer, offset, length}
	ClassIterator                   // built-in iterators: Data = block; Length = which
	ClassForIn                      // internal: enumerator of for-in
	ClassNamespace                  // module namespace: Length = number of the module, Data = whether it is deferred
	ClassGlobal                     // the global object
	ClassDisposable                 // DisposableStack: Data = block
	ClassModuleSource               // a module source object: Data = the name of its class
	ClassIntl                       // an object of ECMA-402: Length = which, Data = block
	ClassWeb                        // an object of a web standard: Length = which, Data = block
	ClassHost                       // opaque to scripts: Data whatever its owner put there
	NumClasses
)

// ObjFlags are the properties of an object that its shape doesn't hold.
type ObjFlags uint16

// Object flags.
const (
	NonExtensible  ObjFlags = 1 << iota
	Sparse                  // Elems is a hash table, not a dense array
	ElemsSealed             // indexed elements are not configurable
	ElemsFrozen             // … and not writable
	LengthReadOnly          // an array's length is not writable
	IsProto                 // used as a prototype: changes to its properties bump the epoch
	LazyProps               // a function whose length, name and prototype are not made yet
	Callable                // has [[Call]]
	Constructor             // has [[Construct]]
	Exotic                  // some internal method is not the ordinary one: proxies, typed arrays, strings, arguments, namespaces
	ClassCtor               // a class constructor: [[Call]] throws
	Derived                 // a derived class constructor
	HTMLDDA                 // reserved for [[IsHTMLDDA]] in conformance tests
)

// InlineSlots is how many named properties live in the record itself.
const InlineSlots = 4

// Object is the record of every object.
type Object struct {
	Shape   ShapeID
	Class   Class
	Realm   uint8 // of a built-in or host function or a RegExp: the number of its realm
	Flags   ObjFlags
	Slots   Block  // named properties from InlineSlots on
	Elems   Block  // indexed properties
	ElemLen uint32 // dense elements that are initialised
	Length  uint32 // see Class
	Data    Value  // see Class
	Inline  [InlineSlots]Value
}

type cellKind uint8

const (
	cellFree   cellKind = iota
	cellInline          // Latin-1 string in the record
	cellFlat            // string in a raw block
	cellRope            // a + b
	cellSlice           // part of the flat string a from unit b on
	cellSymbol          // a = description string or 0
	cellBigInt          // limbs in block a
)

type cellFlags uint8

const (
	cellWide       cellFlags = 1 << iota // UTF-16 units; else Latin-1
	cellAtom                             // the interned one of its content
	cellNotIndex                         // known not to be an array index
	cellPrivate                          // symbol: a private name
	cellRegistered                       // symbol: made by Symbol.for
	cellNegative                         // BigInt
)

// inlineBytes is the longest Latin-1 string kept in the record itself.
const inlineBytes = 12

// Cell is the record of strings, symbols and BigInts.
type Cell struct {
	_      [0]uint64 // aligned as words are
	kind   cellKind
	flags  cellFlags
	depth  uint16 // ropes: height, saturating
	length uint32 // code units, or limbs
	hash   uint32 // 0 = not computed
	a, b   uint32 // see cellKind; flat and inline strings: b = their atom, when known
	text   [inlineBytes]byte
}

// Attrs are the attributes of a property.
type Attrs uint8

// Property attributes.
const (
	Writable Attrs = 1 << iota
	Enumerable
	Configurable
	Accessor // the slot holds a pair

	// DefaultAttrs are those of a property made by assignment.
	DefaultAttrs = Writable | Enumerable | Configurable
	// HiddenAttrs are those of built-in methods.
	HiddenAttrs = Writable | Configurable
)

// Shape is a hidden class: which named property is in which slot, and the
// prototype. A shape's own key is the one its last property has; the others
// are its ancestors'.
type Shape struct {
	_      [0]uint64 // aligned as words are
	Parent ShapeID
	Proto  Obj    // 0 = null
	Key    uint32 // Str of a string or symbol; 0 for a root
	Table  Block  // index of the keys, 0 = none yet
	Count  uint32 // slots in use
	Attrs  Attrs
	flags  uint8
	_      uint16
	live   uint32 // dictionaries: properties, without deleted ones
	_      uint32
}

const (
	shapeDict uint8 = 1 << iota // owned by one object; its table changes in place
	shapeUsed
)
