package vm

import "github.com/pinfold-js/pinfold/js/heap"

// Headline is the first line of an error's stack: what Error.prototype.toString
// gives (§20.5.3.4), from data properties only, running no script.
func (m *Machine) Headline(v Value) (Str, error) {
	if !v.IsObject() {
		return m.H.NewString(m.plainText(v))
	}
	o := v.AsObj()
	name, err := m.headlinePart(o, m.N.Name)
	if err != nil {
		return 0, err
	}
	if name == 0 {
		if name, err = m.H.NewString("Error"); err != nil {
			return 0, err
		}
	}
	msg, err := m.headlinePart(o, m.N.Message)
	if err != nil || msg == 0 || m.H.Len(msg) == 0 {
		return name, err
	}
	if m.H.Len(name) == 0 {
		return msg, nil
	}
	sep, err := m.H.NewString(": ")
	if err != nil {
		return 0, err
	}
	if name, err = m.H.Concat(name, sep); err != nil {
		return 0, err
	}
	return m.H.Concat(name, msg)
}

// headlinePart finds name or message of an error; 0 if it is undefined. A name
// that only a getter knows is guessed from the constructor.
func (m *Machine) headlinePart(o Obj, key Key) (Str, error) {
	for p, n := o, 0; p != 0 && n < 1000; n++ {
		if m.H.Obj(p).Class == heap.ClassProxy {
			break
		}
		v, a, ok, err := m.ownRaw(p, key)
		if err != nil {
			return 0, err
		}
		if ok {
			switch {
			case a&heap.Accessor != 0:
				if key == m.N.Name {
					return m.H.NewString(m.ConstructorName(o))
				}
				return 0, nil
			case v == Undefined:
				return 0, nil
			case v.IsString():
				return v.AsStr(), nil
			}
			return m.H.NewString(m.Describe(v))
		}
		p = m.H.Proto(p)
	}
	return 0, nil
}

// CaptureFrames makes an object of class Error, without properties, that holds
// the script frames now on the stack. When above is a function, the frames up
// to and with its innermost call are left out; all are when it isn't running.
func (m *Machine) CaptureFrames(above Value) Obj {
	o := m.H.NewObject(m.H.RootShape(0), heap.ClassError)
	top := len(m.frames)
	if m.IsCallable(above) {
		rec := m.H.Obj(above.AsObj())
		index := -1
		if rec.Class == heap.ClassFunction {
			index = int(rec.Length)
		}
		if err := m.Charge(top / 8); err != nil {
			return o // sticky
		}
		for top--; top >= 0 && m.frames[top].fn.index != index; top-- { //meter: charged above
		}
		top = max(top, 0)
	}
	m.captureStack(o, top)
	return o
}
