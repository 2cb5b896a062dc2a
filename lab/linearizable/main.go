// SPDX-License-Identifier: Apache-2.0

// Decides whether histories of registers are linearizable. Reads one operation a line from standard input, as JSON, and
// prints how many registers there are, and the names of those that are not linearizable or that took too long to decide.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/anishathalye/porcupine"
)

// An operation on one register; registers begin with 0.
type operation struct {
	Register string `json:"register"`
	// "read", "write" or "swap": a compare-and-set.
	Kind string `json:"kind"`
	// What was read, written, or swapped in.
	Value int64 `json:"value"`
	// What a swap expects to find.
	Expected int64 `json:"expected"`
	// Whether a swap found it.
	Applied bool `json:"applied"`
	// Whether the outcome is known. If not, the operation may have happened at any time since it began, or never.
	Known bool `json:"known"`
	// Nanoseconds of one clock.
	Began int64 `json:"began"`
	Ended int64 `json:"ended"`
}

type verdict struct {
	Registers int      `json:"registers"`
	Broken    []string `json:"broken"`
	Undecided []string `json:"undecided"`
}

// register is what a linearizable register does. That an operation of unknown outcome never happened is the same as that
// it happened after all others.
var register = porcupine.Model{
	Init: func() interface{} { return int64(0) },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		held, done := state.(int64), input.(operation)
		switch done.Kind {
		case "read":
			return done.Value == held, held
		case "write":
			return true, done.Value
		default:
			found := held == done.Expected
			if done.Known && found != done.Applied {
				return false, held
			}
			if found {
				return true, done.Value
			}
			return true, held
		}
	},
}

func main() {
	if len(os.Args) != 2 {
		fail("linearizable takes one argument: the seconds that a register may take")
	}
	seconds, err := strconv.ParseFloat(os.Args[1], 64)
	if err != nil || seconds <= 0 {
		fail("the seconds must be a positive number, not " + os.Args[1])
	}
	patience := time.Duration(seconds * float64(time.Second))
	histories, names := read()
	found := verdict{Registers: len(names), Broken: []string{}, Undecided: []string{}}
	for _, name := range names {
		switch porcupine.CheckOperationsTimeout(register, histories[name], patience) {
		case porcupine.Illegal:
			found.Broken = append(found.Broken, name)
		case porcupine.Unknown:
			found.Undecided = append(found.Undecided, name)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		fail(err.Error())
	}
}

// read returns the history of each register, and the names in the order in which they first appear.
func read() (map[string][]porcupine.Operation, []string) {
	histories := map[string][]porcupine.Operation{}
	var names []string
	lines := bufio.NewScanner(os.Stdin)
	for number := 1; lines.Scan(); number++ {
		var done operation
		if err := json.Unmarshal(lines.Bytes(), &done); err != nil {
			fail(fmt.Sprintf("line %d: %v", number, err))
		}
		if done.Kind != "read" && done.Kind != "write" && done.Kind != "swap" {
			fail(fmt.Sprintf("line %d: the kind is read, write or swap, not %q", number, done.Kind))
		}
		ended := done.Ended
		if !done.Known {
			if done.Kind == "read" {
				continue
			}
			ended = math.MaxInt64
		}
		if _, seen := histories[done.Register]; !seen {
			names = append(names, done.Register)
		}
		histories[done.Register] = append(histories[done.Register],
			porcupine.Operation{Input: done, Call: done.Began, Return: ended})
	}
	if err := lines.Err(); err != nil {
		fail(err.Error())
	}
	return histories, names
}

func fail(sentence string) {
	fmt.Fprintln(os.Stderr, sentence)
	os.Exit(2)
}
