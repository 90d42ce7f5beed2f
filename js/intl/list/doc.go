// Package list joins the parts of a list as a language does: "A, B, and C". In
// go locales, types and styles; out come patterns that the caller fills.
package list
