// Package llm is what a host implements to give runs a language model.
//
// In: requests as scripts make them, checked here before any model sees them.
// Out: the answer, whole or as a stream of its pieces, with the tokens it took;
// errors with a code and whether to try again. It holds no provider's wire
// format and no key: those are the host's.
//
// Names in JSON are those of the skills' interface: model, messages, system,
// tools, max_tokens, stop_reason, usage, input_tokens and so on.
//
// meter: it has no meter: loops go over one request, an argument whose bytes a run limits, one answer, which the host made, or the pieces that a program asks for
package llm
