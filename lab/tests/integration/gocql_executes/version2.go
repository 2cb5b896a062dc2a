// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// passRejections2 hands rejections to the application and leaves all other errors to another policy.
type passRejections2 struct{ gocql.RetryPolicy }

func (p passRejections2) GetRetryType(err error) gocql.RetryType {
	var answer gocql.RequestError
	if errors.As(err, &answer) && answer.Code() == gocql.ErrCodeConfig {
		return gocql.Rethrow
	}
	return p.RetryPolicy.GetRetryType(err)
}

func isBusy2(err error) bool {
	var answer gocql.RequestError
	return errors.As(err, &answer) && answer.Code() == gocql.ErrCodeConfig &&
		(strings.HasPrefix(answer.Message(), "Per-partition rate limit exceeded: ") ||
			strings.HasPrefix(answer.Message(), "Fair share exceeded: "))
}

var policies2 = map[string]gocql.RetryPolicy{
	"none":        nil,
	"simple":      &gocql.SimpleRetryPolicy{NumRetries: retries},
	"exponential": &gocql.ExponentialBackoffRetryPolicy{NumRetries: retries, Min: time.Millisecond, Max: time.Millisecond},
	"downgrading": &gocql.DowngradingConsistencyRetryPolicy{
		ConsistencyLevelsToTry: []gocql.Consistency{gocql.One, gocql.One},
	},
	"pass": passRejections2{&gocql.SimpleRetryPolicy{NumRetries: retries}},
}

func executeWith2(policy string, addresses []string, run func(one func(string) string)) error {
	cluster := gocql.NewCluster(addresses...)
	cluster.Consistency = gocql.One
	cluster.RetryPolicy = policies2[policy]
	session, err := cluster.CreateSession()
	if err != nil {
		return err
	}
	defer session.Close()
	run(func(query string) string {
		// Idempotent: version 2 repeats nothing else.
		err := session.Query(query).Idempotent(true).Exec()
		var answer gocql.RequestError
		if isBusy2(err) && errors.As(err, &answer) {
			return fmt.Sprintf("0x%04x", answer.Code())
		}
		if err != nil {
			return "error"
		}
		return "success"
	})
	return nil
}
