package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.policy.HostRules;
import io.probelet.manifest.probe.HandlerReader;
import io.probelet.manifest.probe.ProbeReader;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.PreStopHook.Refused;
import io.probelet.probe.ProbeHandler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the hooks of one container, of which preStop is executed (P-19, D-7). */
final class LifecycleReader {
  private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "sleep");

  private final Mode mode;
  private final Duration grace;
  private final HostRules hosts;

  /**
   * Creates a reader for the containers of one pod.
   *
   * @param hosts hosts that requests may target
   */
  LifecycleReader(Mode mode, Duration grace, HostRules hosts) {
    this.mode = mode;
    this.grace = grace;
    this.hosts = hosts;
  }

  /** Returns the preStop hook, null for none. */
  @Nullable PreStopHook read(Field field, Set<String> portNames) {
    Fields lifecycle = field.object();
    if (lifecycle == null) {
      return null;
    }
    HandlerReader handlers = new HandlerReader(portNames);
    Field postStart = lifecycle.field("postStart");
    if (postStart.isPresent()) {
      hook(postStart, handlers);
      if (mode == Mode.STANDALONE_PROCESS) {
        postStart.warning(
            "is not run for a local process; do this at the start of the command" + " instead");
      }
    }
    Field signal = lifecycle.field("stopSignal");
    if (!signal.text("").isEmpty() && mode == Mode.STANDALONE_PROCESS) {
      signal.warning(Complaint.NO_EFFECT, "has no effect: a local process gets TERM");
    }
    Field preStop = lifecycle.field("preStop");
    PreStopHook hook = preStop.isPresent() ? hook(preStop, handlers) : null;
    lifecycle.rejectUnknown(Set.of());
    return hook;
  }

  private PreStopHook hook(Field field, HandlerReader handlers) {
    Refused invalid = new Refused("it is not valid");
    Fields choice = field.object();
    if (choice == null) {
      return invalid;
    }
    Field chosen = HandlerReader.pick(choice, HANDLERS);
    if (chosen == null) {
      choice.self().required("must specify a handler type");
      choice.rejectUnknown(Set.of());
      return invalid;
    }
    int errors = field.errors();
    PreStopHook hook =
        chosen.name().equals("sleep") ? sleep(chosen) : hook(chosen, handlers.read(chosen));
    choice.rejectUnknown(Set.of());
    return hook instanceof Refused || field.errors() == errors ? hook : invalid;
  }

  private PreStopHook sleep(Field field) {
    Fields sleep = field.object();
    if (sleep == null) {
      return new Refused("it is not valid");
    }
    Field length = sleep.field("seconds");
    int errors = length.errors();
    long seconds = length.int64(0);
    if (length.errors() == errors && (seconds < 0 || seconds > grace.toSeconds())) {
      length.invalid(
          seconds,
          "must be between 0 and terminationGracePeriodSeconds, here " + grace.toSeconds());
    }
    sleep.rejectUnknown(Set.of());
    return new PreStopHook.Sleep(ProbeReader.seconds(Math.max(0, seconds)));
  }

  private PreStopHook hook(Field chosen, @Nullable ProbeHandler handler) {
    return switch (handler) {
      case ProbeHandler.Exec(List<String> command) -> new PreStopHook.Exec(command);
      case ProbeHandler.HttpGet request -> {
        if (hosts.allow(request.host())) {
          yield new PreStopHook.Request(request);
        }
        Fields fields = chosen.object();
        Field host = fields == null ? chosen : fields.field("host");
        host.notAllowed("only " + hosts.words(), "hosts");
        yield new Refused("its host is not allowed");
      }
      case ProbeHandler.TcpSocket _ -> {
        chosen.warning("tcpSocket is not supported in hooks; use exec, httpGet or sleep");
        yield new Refused("tcpSocket is not supported in hooks");
      }
      case null, default -> new Refused("it is not valid");
    };
  }
}
