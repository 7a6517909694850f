// Goroutines, preemption, panics, signals, and the profiler of Go's own if that is asked for.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime/pprof"
	"sync"
	"syscall"
)

func work(rounds int) int {
	sum := 0
	for i := 0; i < rounds; i++ {
		sum = (sum + i*i) % 1000003
	}
	return sum
}

func main() {
	var profile bytes.Buffer
	if len(os.Args) > 1 {
		if err := pprof.StartCPUProfile(&profile); err != nil {
			fmt.Println(err)
		}
	}
	var group sync.WaitGroup
	sums := make([]int, 100)
	for g := range sums {
		group.Add(1)
		go func(g int) {
			defer group.Done()
			sums[g] = work(1000000)
		}(g)
	}
	group.Wait()
	signals := make(chan os.Signal, 10)
	signal.Notify(signals, syscall.SIGUSR1)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	came := <-signals
	recovered := 0
	for i := 0; i < 1000; i++ {
		func() {
			defer func() {
				if recover() != nil {
					recovered++
				}
			}()
			var nothing *int
			*nothing = i
		}()
	}
	err := exec.Command("sh", "-c", "exit 4").Run()
	if len(os.Args) > 1 {
		pprof.StopCPUProfile()
	}
	fmt.Println(sums[7], came, recovered, err, len(os.Args) > 1 && profile.Len() == 0)
	os.Exit(8)
}
