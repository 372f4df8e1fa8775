package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Knows which code has hardly been used since the agent began (W-21): loading or compiling it
 * during a probe takes time that is not the target's fault. Lives on one loop.
 *
 * <pre>
 * start                    16th answer by TCP              30 s
 *   |---- TCP is new ------------|                           |
 *   |---- gRPC is new: it never had an answer ---------------|
 *   exec is never new: the command has its own clock
 * </pre>
 */
final class ColdStart {
  /** After this many responses the code is warm. */
  static final int ENOUGH_ANSWERS = 16;

  /** The longest extra wait for a target that never responds. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  private final TimeSource time;
  private final long startNanos;
  private final LongSupplier codePreparation;
  private final Map<Path, Integer> answers = new EnumMap<>(Path.class);

  /** Handlers whose probes run through the same code. */
  enum Path {
    HTTP,
    HTTPS,
    H2C,
    TCP,
    TLS,
    UDP,
    GRPC,
    GRPC_TLS,
    COMBINED,
    /**
     * The timeout runs while the command runs: a CRI runtime counts it, or it begins once the local
     * process has started (H-9). Code that the agent loads takes nothing from it.
     */
    COMMAND;

    static Path of(ProbeHandler handler) {
      return switch (handler) {
        case HttpGet http when http.scheme() == Scheme.HTTPS -> HTTPS;
        case HttpGet http -> http.protocol() == Protocol.HTTP2 ? H2C : HTTP;
        case TcpSocket tcp -> tcp.tls() == null && !tcp.startsTls() ? TCP : TLS;
        case Datagram ignored -> UDP;
        case Grpc grpc -> grpc.tls() == null ? GRPC : GRPC_TLS;
        case Exec ignored -> COMMAND;
        case AllOf(List<ProbeHandler> parts) -> ofParts(parts);
        case AnyOf(List<ProbeHandler> parts) -> ofParts(parts);
      };
    }

    private static Path ofParts(List<ProbeHandler> parts) {
      return parts.stream().allMatch(part -> of(part) == COMMAND) ? COMMAND : COMBINED;
    }
  }

  /** Begins at this moment, with code that has not been used at all. */
  ColdStart(ProbeLoop loop) {
    time = loop.time();
    startNanos = time.nanoTime();
    codePreparation = loop.codePreparation();
  }

  /** {@return a mark of the current moment, for a later question} */
  long mark(Path path) {
    return isNew(path) ? codePreparation.getAsLong() : 0;
  }

  /** Takes note of a definite answer, good or bad. */
  void answered(Path path) {
    if (isNew(path)) {
      answers.merge(path, 1, Integer::sum);
    }
  }

  /**
   * {@return whether a probe that got no definite answer says nothing of its target}
   *
   * @param mark of when it began
   * @param lost nanoseconds of it in which the agent had no processor, or stood still
   * @param timeout what the target had
   */
  boolean spoilt(Path path, long mark, long lost, Duration timeout) {
    return isNew(path) && (codePreparation.getAsLong() != mark || lost >= timeout.toNanos() / 10);
  }

  private boolean isNew(Path path) {
    return path != Path.COMMAND
        && answers.getOrDefault(path, 0) < ENOUGH_ANSWERS
        && time.nanoTime() - startNanos < LONGEST.toNanos();
  }
}
