// Lets the harness call functions of the tree under test; see Serve.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strconv"
)

// Args are the arguments of one call.
type Args []json.RawMessage

// Into reads an argument into what target points at.
func (a Args) Into(at int, target any) {
	if err := json.Unmarshal(a[at], target); err != nil {
		panic(err)
	}
}

// Int returns an argument that is a whole number.
func (a Args) Int(at int) (value int) { a.Into(at, &value); return }

// Float returns an argument that is a number.
func (a Args) Float(at int) (value float64) { a.Into(at, &value); return }

// Text returns an argument that is a text.
func (a Args) Text(at int) (value string) { a.Into(at, &value); return }

// Bool returns an argument that is true or false.
func (a Args) Bool(at int) (value bool) { a.Into(at, &value); return }

type request struct {
	Nonce   string
	Answers string
	Cases   []struct {
		N    int
		Call string
		Args Args
	}
}

var asked, answers = open()

func open() (request, *os.File) {
	var asked request
	data, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = json.Unmarshal(data, &asked)
	}
	if err != nil {
		panic(err)
	}
	file, err := os.OpenFile(asked.Answers, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		panic(err)
	}
	os.Remove(asked.Answers)
	return asked, file
}

// Serve calls functions as it is asked to. An error that one returns is told by its type and its
// text, a panic by the word "panic".
func Serve(functions map[string]func(Args) (any, error)) {
	for _, one := range asked.Cases {
		answer := call(functions[one.Call], one.Args)
		answer["nonce"], answer["n"] = asked.Nonce, one.N
		line, err := json.Marshal(answer)
		if err != nil {
			line, _ = json.Marshal(map[string]any{"nonce": asked.Nonce, "n": one.N,
				"raised": []string{"unplain"}, "text": err.Error()})
		}
		answers.Write(append(line, '\n'))
	}
}

func call(function func(Args) (any, error), args Args) (answer map[string]any) {
	defer func() {
		if what := recover(); what != nil {
			names := []string{"panic", fmt.Sprintf("%T", what)}
			answer = map[string]any{"raised": names, "text": fmt.Sprint(what)}
		}
	}()
	value, err := function(args)
	if err != nil {
		names := []string{"error", fmt.Sprintf("%T", err), err.Error()}
		return map[string]any{"raised": names, "text": err.Error()}
	}
	return map[string]any{"value": plain(reflect.ValueOf(value))}
}

func plain(value reflect.Value) any {
	switch value.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Pointer, reflect.Interface:
		if value.IsNil() {
			return nil
		}
		return plain(value.Elem())
	case reflect.Float32, reflect.Float64:
		if number := value.Float(); math.IsNaN(number) || math.IsInf(number, 0) {
			return map[string]string{"$number": strconv.FormatFloat(number, 'g', -1, 64)}
		}
	case reflect.Slice, reflect.Array:
		items := make([]any, value.Len())
		for at := range items {
			items[at] = plain(value.Index(at))
		}
		return items
	case reflect.Map:
		table := map[string]any{}
		for _, key := range value.MapKeys() {
			table[fmt.Sprint(key.Interface())] = plain(value.MapIndex(key))
		}
		return table
	}
	return value.Interface()
}
