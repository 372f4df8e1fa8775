package io.probelet.web.explain;

import io.probelet.health.GoDuration;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOrigins;
import io.probelet.probe.ProbeSpec;
import io.probelet.web.explain.ExplainView.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of a probe that are in force, each with where it comes from. */
final class ProbeValues {
  private final ProbeSpec spec;
  private final List<Value> values = new ArrayList<>();

  private ProbeValues(ProbeSpec spec) {
    this.spec = spec;
  }

  /** {@return the values of a probe; those that say nothing are left out} */
  static List<Value> of(ProbeKind kind, ProbeSpec spec) {
    return new ProbeValues(spec).read(kind);
  }

  private List<Value> read(ProbeKind kind) {
    ProbeHandler handler = spec.handler();
    add(handler.fieldName(), HandlerText.of(handler), ProbeOrigins.Value.HANDLER);
    addTls(HandlerText.tls(handler));
    String expected = HandlerText.expectation(handler);
    if (expected != null) {
      add("expect", expected, ProbeOrigins.Value.EXPECT);
    }
    if (spec.origins().of(ProbeOrigins.Value.PROFILE) == ProbeOrigins.Origin.POLICY) {
      add("profile", "headers or TLS of the administrator", ProbeOrigins.Value.PROFILE);
    }
    add("initialDelay", spec.initialDelay(), ProbeOrigins.Value.INITIAL_DELAY);
    add("period", spec.period(), ProbeOrigins.Value.PERIOD);
    Duration failing = spec.failingPeriod();
    if (failing != null) {
      add("failingPeriod", failing, ProbeOrigins.Value.FAILING_PERIOD);
    }
    if (!spec.jitter().isZero()) {
      add("jitter", spec.jitter(), ProbeOrigins.Value.JITTER);
    }
    add("timeout", spec.timeout(), ProbeOrigins.Value.TIMEOUT);
    add("successThreshold", spec.successThreshold(), ProbeOrigins.Value.SUCCESS_THRESHOLD);
    add("failureThreshold", spec.failureThreshold(), ProbeOrigins.Value.FAILURE_THRESHOLD);
    if (kind.restartsContainer()) {
      Duration grace = spec.terminationGracePeriod();
      add(
          "terminationGracePeriod",
          grace == null ? "the pod's" : GoDuration.format(grace),
          ProbeOrigins.Value.TERMINATION_GRACE_PERIOD);
    }
    Duration hold = spec.throttleHold();
    if (hold != null) {
      add("throttleHold", hold, ProbeOrigins.Value.THROTTLE_HOLD);
    }
    if (spec.restartsPod()) {
      add("onFailure", "pod", ProbeOrigins.Value.ON_FAILURE);
    }
    if (!spec.recoveryTime().isZero()) {
      add("recoveryTime", spec.recoveryTime(), ProbeOrigins.Value.RECOVERY_TIME);
    }
    if (!spec.preKill().isEmpty()) {
      add(
          "preKill",
          HandlerText.of(new ProbeHandler.Exec(spec.preKill())),
          ProbeOrigins.Value.PRE_KILL);
    }
    return values;
  }

  /** A profile says whom to trust where the annotation does not. */
  private void addTls(@Nullable String trust) {
    if (trust == null) {
      return;
    }
    boolean ofProfile =
        spec.origins().of(ProbeOrigins.Value.TLS) == ProbeOrigins.Origin.DEFAULT
            && !trust.startsWith(HandlerText.ANY_CERTIFICATE);
    add("tls", trust, ofProfile ? ProbeOrigins.Value.PROFILE : ProbeOrigins.Value.TLS);
  }

  private void add(String name, Duration value, ProbeOrigins.Value which) {
    add(name, GoDuration.format(value), which);
  }

  private void add(String name, int value, ProbeOrigins.Value which) {
    add(name, Integer.toString(value), which);
  }

  private void add(String name, String value, ProbeOrigins.Value which) {
    values.add(new Value(name, value, spec.origins().of(which).word()));
  }
}
