package io.probelet.manifest.annotation;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.annotation.Totals.Amount;
import io.probelet.manifest.policy.NamespacePolicy;
import io.probelet.manifest.policy.Profile;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import org.jspecify.annotations.Nullable;

/** Holds handlers of an annotation to what the administrator allows, and to the pod's totals. */
final class HandlerBounds {
  private final NamespacePolicy policy;
  private final Totals totals;

  HandlerBounds(NamespacePolicy policy, Totals totals) {
    this.policy = policy;
    this.totals = totals;
  }

  /**
   * Complains about a handler that the annotation brings along, if it is not allowed. One that the
   * pod's spec has went through admission and is not checked.
   *
   * @param handler one that is no combination
   * @param profile what it is sent with, whose hosts count then; null for none
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
    if (profile == null && !policy.hosts().allow(host(handler))) {
      Fields fields = chosen.object();
      Field host = fields == null ? chosen : fields.field("host");
      host.notAllowed("no host here but " + policy.hosts().words(), "hosts");
    }
  }

  /** Returns the host a handler names; null means the pod's own address. */
  static @Nullable String host(ProbeHandler handler) {
    return switch (handler) {
      case HttpGet http -> http.host();
      case TcpSocket tcp -> tcp.host();
      default -> null;
    };
  }
}
