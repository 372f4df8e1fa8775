package io.probelet.manifest.annotation;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.annotation.Totals.Amount;
import io.probelet.manifest.policy.NamespacePolicy;
import io.probelet.manifest.policy.Profile;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.ProbeHandler.UdpSocket;
import org.jspecify.annotations.Nullable;

/** Checks handlers of an annotation against the administrator's policy and the pod's totals. */
final class HandlerBounds {
  private final NamespacePolicy policy;
  private final Totals totals;

  HandlerBounds(NamespacePolicy policy, Totals totals) {
    this.policy = policy;
    this.totals = totals;
  }

  /**
   * Reports a handler of the annotation that is not allowed. A handler of the pod's spec passed
   * admission and is not checked.
   *
   * @param handler a handler that is not a combination
   * @param profile the profile that is used with it, whose hosts then apply; null for none
   */
  void check(Field chosen, ProbeHandler handler, @Nullable Profile profile) {
    totals.take(chosen, Amount.HANDLERS, 1);
    if (handler instanceof Exec(var command)) {
      totals.take(chosen, Amount.COMMAND_WORDS, command.size());
      if (!policy.exec()) {
        chosen.notAllowed("no commands in annotations", "exec");
      }
    }
    if (handler instanceof HttpGet http && !http.headers().isEmpty()) {
      totals.take(chosen, Amount.HEADERS, http.headers().size());
    }
    if (port(handler) instanceof Port.UnixSocket && !policy.files()) {
      // P-34: it would be one of the node's, or what a pod has linked to one
      chosen.forbidden("annotations in a cluster may not name files; unixSocket is one");
    }
    if (sends(handler) && host(handler) != null && !policy.files()) {
      // P-28, P-29: an agent changes nothing elsewhere for a pod's author
      chosen.forbidden("in a cluster, POST and send are only for the pod's own address (no host)");
    }
    if (profile == null && !policy.hosts().allow(host(handler))) {
      Fields fields = chosen.object();
      Field host = fields == null ? chosen : fields.field("host");
      host.notAllowed("only " + policy.hosts().words(), "hosts");
    }
  }

  /** Returns whether a handler sends what may change something. */
  private static boolean sends(ProbeHandler handler) {
    return switch (handler) {
      case HttpGet http -> http.method() == Method.POST;
      case TcpSocket tcp -> tcp.dialog().stream().anyMatch(Step.Send.class::isInstance);
      case UdpSocket _ -> true;
      default -> false;
    };
  }

  private static @Nullable Port port(ProbeHandler handler) {
    return switch (handler) {
      case HttpGet http -> http.port();
      case TcpSocket tcp -> tcp.port();
      default -> null;
    };
  }

  /** Returns the host a handler names; null means the pod's own address. */
  static @Nullable String host(ProbeHandler handler) {
    return switch (handler) {
      case HttpGet http -> http.host();
      case TcpSocket tcp -> tcp.host();
      case Datagram datagram -> datagram.host();
      default -> null;
    };
  }
}
