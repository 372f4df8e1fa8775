package io.probelet.benchmarks;

/** What a contender did in a short time in which none of the others worked. */
record MeasuredWindow(
    double seconds, long cpuMicros, double probes, long ownMicros, MachineTimes machine) {
  double cpuMicrosPerProbe() {
    return cpuMicros / probes;
  }

  double probesPerSecond() {
    return probes / seconds;
  }

  /** {@return of one core} */
  double cpuShare() {
    return cpuMicros / 1e6 / seconds;
  }

  /** {@return what programs took that have nothing to do with the measurement, of one core} */
  double othersShare() {
    return Math.max(0, machine.busyMicros() - ownMicros) / 1e6 / seconds;
  }

  /** {@return what the host took, of one core} */
  double stolenShare() {
    return machine.stolenMicros() / 1e6 / seconds;
  }
}
