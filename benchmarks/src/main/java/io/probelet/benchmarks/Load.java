package io.probelet.benchmarks;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The work of every contender.
 *
 * @param periodMillis time between two runs of one probe
 * @param ports ports of the target on 127.0.0.1; probes are distributed over them, so that no
 *     contender runs out of local ports
 */
record Load(Kind kind, int workers, int periodMillis, List<Integer> ports) {
  enum Kind {
    HTTP,
    TCP,
    /** HTTP/2 under TLS 1.3, chosen by ALPN. */
    HTTPS,
    /** The health protocol over plaintext HTTP/2. */
    GRPC
  }

  /** {@return the port of one probe} */
  int port(int worker) {
    return ports.get(worker % ports.size());
  }

  /** {@return probes per second asked for} */
  double rate() {
    return workers * 1000.0 / periodMillis;
  }

  static List<Integer> ports(int first, int count) {
    return IntStream.range(first, first + count).boxed().toList();
  }
}
