package io.probelet.benchmarks;

/** The figures of a contender in a short time in which no other contender ran. */
record MeasuredWindow(
    double seconds, long cpuMicros, double probes, long ownMicros, MachineTimes machine) {
  double cpuMicrosPerProbe() {
    return cpuMicros / probes;
  }

  double probesPerSecond() {
    return probes / seconds;
  }

  /** {@return the share of one core} */
  double cpuShare() {
    return cpuMicros / 1e6 / seconds;
  }

  /** {@return the share of one core that unrelated programs used} */
  double othersShare() {
    return Math.max(0, machine.busyMicros() - ownMicros) / 1e6 / seconds;
  }

  /** {@return the share of one core that the host used} */
  double stolenShare() {
    return machine.stolenMicros() / 1e6 / seconds;
  }
}
