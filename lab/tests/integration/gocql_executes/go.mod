module isotherm/gocql

go 1.25

// The driver before and since its move to Apache, to count how often their retry policies repeat a rejected request.
require (
	github.com/apache/cassandra-gocql-driver/v2 v2.0.0
	github.com/gocql/gocql v1.7.0
)

require (
	github.com/golang/snappy v0.0.3 // indirect
	github.com/hailocab/go-hostpool v0.0.0-20160125115350-e80d13ce29ed // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	gopkg.in/inf.v0 v0.9.1 // indirect
)
