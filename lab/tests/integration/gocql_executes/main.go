// SPDX-License-Identifier: Apache-2.0

// Executes statements with gocql and one of its retry policies, and prints how each ended.
//
// Arguments: the driver's major version (1 or 2), the retry policy, the number of executions of each statement, the
// addresses of all nodes separated by commas, and the statements. The last line has a count for each outcome: the code
// of the error that the application gets, or "success".
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

// retries is how often the policies that repeat a request do so.
const retries = 2

func main() {
	repeats, err := strconv.Atoi(os.Args[3])
	fail(err)
	execute := executeWith1
	if os.Args[1] == "2" {
		execute = executeWith2
	}
	outcomes := map[string]int{}
	fail(execute(os.Args[2], strings.Split(os.Args[4], ","), func(one func(string) string) {
		for _, query := range os.Args[5:] {
			for i := 0; i < repeats; i++ {
				outcomes[one(query)]++
			}
		}
	}))
	var words []string
	for outcome, count := range outcomes {
		words = append(words, fmt.Sprintf("%s=%d", outcome, count))
	}
	sort.Strings(words)
	fmt.Println(strings.Join(words, " "))
}

func fail(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
