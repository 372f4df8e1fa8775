package io.probelet.benchmarks;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The work of every contender.
 *
 * @param periodMillis time between two runs of one probe
 * @param ports ports of the target on 127.0.0.1; probes are distributed over them, so that no
 *     contender runs out of local ports
 * @param tls of HTTPS probes
 */
record Load(Kind kind, int workers, int periodMillis, List<Integer> ports, TlsLoad tls) {
  Load(Kind kind, int workers, int periodMillis, List<Integer> ports) {
    this(kind, workers, periodMillis, ports, TlsLoad.DEFAULT);
  }

  enum Kind {
    HTTP,
    TCP,
    /** HTTP under TLS 1.3. */
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

  /** {@return what is probed, in words} */
  String text() {
    return kind == Kind.HTTPS ? kind + " (" + tls + ")" : kind.toString();
  }

  static List<Integer> ports(int first, int count) {
    return IntStream.range(first, first + count).boxed().toList();
  }
}
