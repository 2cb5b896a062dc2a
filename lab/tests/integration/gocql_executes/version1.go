// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	gocql "github.com/gocql/gocql"
)

// passRejections1 hands rejections to the application and leaves all other errors to another policy.
type passRejections1 struct{ gocql.RetryPolicy }

func (p passRejections1) GetRetryType(err error) gocql.RetryType {
	var answer gocql.RequestError
	if errors.As(err, &answer) && answer.Code() == gocql.ErrCodeConfig {
		return gocql.Rethrow
	}
	return p.RetryPolicy.GetRetryType(err)
}

func isBusy1(err error) bool {
	var answer gocql.RequestError
	return errors.As(err, &answer) && answer.Code() == gocql.ErrCodeConfig &&
		(strings.HasPrefix(answer.Message(), "Per-partition rate limit exceeded: ") ||
			strings.HasPrefix(answer.Message(), "Fair share exceeded: "))
}

var policies1 = map[string]gocql.RetryPolicy{
	"none":        nil,
	"simple":      &gocql.SimpleRetryPolicy{NumRetries: retries},
	"exponential": &gocql.ExponentialBackoffRetryPolicy{NumRetries: retries, Min: time.Millisecond, Max: time.Millisecond},
	"downgrading": &gocql.DowngradingConsistencyRetryPolicy{
		ConsistencyLevelsToTry: []gocql.Consistency{gocql.One, gocql.One},
	},
	"pass": passRejections1{&gocql.SimpleRetryPolicy{NumRetries: retries}},
}

func executeWith1(policy string, addresses []string, run func(one func(string) string)) error {
	cluster := gocql.NewCluster(addresses...)
	cluster.Consistency = gocql.One
	cluster.RetryPolicy = policies1[policy]
	session, err := cluster.CreateSession()
	if err != nil {
		return err
	}
	defer session.Close()
	run(func(query string) string {
		// Idempotent: version 2 repeats nothing else.
		err := session.Query(query).Idempotent(true).Exec()
		var answer gocql.RequestError
		if isBusy1(err) && errors.As(err, &answer) {
			return fmt.Sprintf("0x%04x", answer.Code())
		}
		if err != nil {
			return "error"
		}
		return "success"
	})
	return nil
}
