package io.probelet.simulation.node;

import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import java.time.Duration;

/**
 * How a container responds for a while.
 *
 * @param response what it responds
 * @param fastest its shortest response time
 * @param slowest its longest response time
 * @param throttledPercent the part of the time in which its own CPU limit stops it
 */
public record Behavior(
    Response response, Duration fastest, Duration slowest, int throttledPercent) {
  private static final String READINESS_PATH = "/ready";
  private static final String READINESS_SERVICE = "ready";

  /** Responds correctly and fast. */
  public static final Behavior HEALTHY =
      new Behavior(Response.RIGHT, Duration.ofMillis(1), Duration.ofMillis(40), 0);

  /** Accepts connections and never responds. */
  public static final Behavior HANGING = of(Response.NONE);

  /** Responds that it is unhealthy. */
  public static final Behavior WRONG = of(Response.WRONG);

  /** Works, but asks for no traffic: only its readiness is answered with an error. */
  public static final Behavior UNREADY = of(Response.UNREADY);

  /** Does not listen yet. */
  public static final Behavior REFUSING = of(Response.REFUSED);

  /** Its network is cut; commands in it still run. */
  public static final Behavior UNREACHABLE = of(Response.UNREACHABLE);

  /** What a container responds. */
  public enum Response {
    /** A correct response. */
    RIGHT,
    /** A response that reports a failure. */
    WRONG,
    /**
     * A response that reports a failure where it is asked for its readiness, else a correct one.
     */
    UNREADY,
    /** None; the kernel still accepts connections. */
    NONE,
    /** No process listens. */
    REFUSED,
    /** Packets to it are lost. */
    UNREACHABLE
  }

  private static Behavior of(Response response) {
    return new Behavior(response, HEALTHY.fastest, HEALTHY.slowest, 0);
  }

  /** {@return a correct response after a time in a range} */
  public static Behavior slow(Duration fastest, Duration slowest) {
    return new Behavior(Response.RIGHT, fastest, slowest, 0);
  }

  /** {@return a correct response that its own CPU limit delays} */
  public static Behavior throttled(Duration fastest, Duration slowest, int percent) {
    return new Behavior(Response.RIGHT, fastest, slowest, percent);
  }

  /**
   * {@return whether each probe succeeds}
   *
   * @param handler what the probe does
   * @param timeout its timeout
   */
  public boolean satisfies(ProbeHandler handler, Duration timeout) {
    return switch (handler) {
      case TcpSocket _ -> connects();
      case HttpGet _, Grpc _, Datagram _ -> answersRight(handler) && slowest.compareTo(timeout) < 0;
      case Exec _ -> runsRight() && slowest.compareTo(timeout) < 0;
      case AllOf all -> all.parts().stream().allMatch(part -> satisfies(part, timeout));
      case AnyOf any -> any.parts().stream().anyMatch(part -> satisfies(part, timeout));
    };
  }

  /**
   * {@return whether each probe fails} A slow container may be neither this nor healthy.
   *
   * @param handler what the probe does
   * @param timeout its timeout
   */
  public boolean fails(ProbeHandler handler, Duration timeout) {
    return switch (handler) {
      case TcpSocket _ -> !connects();
      case HttpGet _, Grpc _, Datagram _ ->
          !answersRight(handler) || fastest.compareTo(timeout) > 0;
      case Exec _ -> !runsRight() || fastest.compareTo(timeout) > 0;
      case AllOf all -> all.parts().stream().anyMatch(part -> fails(part, timeout));
      case AnyOf any -> any.parts().stream().allMatch(part -> fails(part, timeout));
    };
  }

  private boolean answersRight(ProbeHandler handler) {
    return response == Response.RIGHT
        || (response == Response.UNREADY && !asksForReadiness(handler));
  }

  /** {@return whether a request asks for readiness and not only for life} */
  static boolean asksForReadiness(ProbeHandler handler) {
    return switch (handler) {
      case HttpGet get -> get.path().equals(READINESS_PATH);
      case Grpc grpc -> grpc.service().equals(READINESS_SERVICE);
      default -> false;
    };
  }

  /** {@return whether a connection can be made} */
  boolean connects() {
    return response != Response.REFUSED && response != Response.UNREACHABLE;
  }

  /** {@return whether a command in it finds it healthy} */
  boolean runsRight() {
    return response == Response.RIGHT
        || response == Response.UNREADY
        || response == Response.UNREACHABLE;
  }
}
