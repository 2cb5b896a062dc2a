module isotherm/linearizable

go 1.19

// Decides whether a history is linearizable; nobody should write that twice.
require github.com/anishathalye/porcupine v1.0.0
