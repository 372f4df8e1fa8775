package io.probelet.manifest.annotation;

import static java.util.Map.entry;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.health.GoDuration;
import io.probelet.manifest.policy.NamespacePolicy;
import io.probelet.manifest.probe.DeclaredProbes;
import io.probelet.manifest.probe.ProbeReader;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOrigins;
import io.probelet.probe.ProbeOrigins.Origin;
import io.probelet.probe.ProbeOrigins.Value;
import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one probe of the annotation and merges it with the manifest's probe of that kind. */
final class AnnotatedProbeReader {
  /** The API server's defaults, for probes that the manifest lacks; its handler never runs. */
  private static final ProbeSpec DEFAULTS = ProbeSpec.of(new Exec(List.of("true"))).build();

  private static final Map<Value, String> FIELDS =
      Map.ofEntries(
          entry(Value.TLS, "tls"),
          entry(Value.EXPECT, "expect"),
          entry(Value.INITIAL_DELAY, "initialDelay"),
          entry(Value.TIMEOUT, "timeout"),
          entry(Value.PERIOD, "period"),
          entry(Value.SUCCESS_THRESHOLD, "successThreshold"),
          entry(Value.FAILURE_THRESHOLD, "failureThreshold"),
          entry(Value.TERMINATION_GRACE_PERIOD, "terminationGracePeriod"),
          entry(Value.FAILING_PERIOD, "failingPeriod"),
          entry(Value.JITTER, "jitter"),
          entry(Value.THROTTLE_HOLD, "throttleHold"),
          entry(Value.RECOVERY_TIME, "recoveryTime"),
          entry(Value.ON_FAILURE, "onFailure"),
          entry(Value.PRE_KILL, "preKill"));

  private static final String CONTAINER = "container";
  private static final String POD = "pod";

  private final DeclaredProbes declared;
  private final CombinedHandlerReader handlers;
  private final Duration shortestPeriod;
  private final boolean startsContainers;
  private final Duration longestRecoveryTime;
  private final Duration longestThrottleHold;
  private final Totals totals;

  AnnotatedProbeReader(
      DeclaredProbes declared,
      NamespacePolicy policy,
      Duration longestThrottleHold,
      TlsReader tls,
      boolean startsContainers,
      Totals totals) {
    this.startsContainers = startsContainers;
    this.longestThrottleHold = longestThrottleHold;
    this.declared = declared;
    this.handlers = new CombinedHandlerReader(declared.portNames(), policy, tls, totals);
    this.shortestPeriod = policy.shortestPeriod();
    this.longestRecoveryTime = policy.longestRecoveryTime();
    this.totals = totals;
  }

  /** Returns the merged probe; null when it, or the manifest's own, has errors. */
  @Nullable ProbeSpec read(Fields probe, ProbeKind kind) {
    Totals.Mark before = totals.mark();
    ProbeSpec read = merged(probe, kind);
    if (read == null) {
      totals.backTo(before);
    }
    return read;
  }

  private @Nullable ProbeSpec merged(Fields probe, ProbeKind kind) {
    int errors = probe.errors();
    boolean inherits = declared.declared().contains(kind);
    ProbeSpec own = declared.valid().get(kind);
    ProbeSpec base = own == null ? DEFAULTS : own;
    ProbeHandler handler = handlers.refine(probe, own == null ? null : own.handler());
    if (handler == null && !inherits && probe.errors() == errors) {
      probe
          .self()
          .required("must specify a handler, as there is no " + ProbeReader.fieldName(kind));
    }
    Duration initialDelay =
        atLeast(probe.field("initialDelay"), Duration.ZERO, base.initialDelay());
    Duration timeout = atLeast(probe.field("timeout"), ProbeSpec.SHORTEST, base.timeout());
    Duration period = period(probe.field("period"), base.period());
    Duration failingPeriod = failingPeriod(probe.field("failingPeriod"), period);
    Duration jitter = atLeast(probe.field("jitter"), Duration.ZERO, base.jitter());
    atMost(probe.field("jitter"), jitter, period);
    int successes = successThreshold(probe.field("successThreshold"), kind, base);
    int failures = threshold(probe.field("failureThreshold"), base.failureThreshold());
    Duration grace = gracePeriod(probe.field("terminationGracePeriod"), kind, base);
    Duration throttleHold = throttleHold(probe.field("throttleHold"), kind);
    boolean restartsPod = restartsPod(probe.field("onFailure"), kind);
    Duration recoveryTime = recoveryTime(probe.field("recoveryTime"), kind);
    List<String> preKill = preKill(probe.field("preKill"), kind);
    probe.rejectUnknown(Set.of());
    if (handler != null) {
      Duration shorter =
          failingPeriod != null && failingPeriod.compareTo(period) < 0 ? failingPeriod : period;
      totals.takeRate(probe.self(), handler, shorter);
    }
    if (handler == null || probe.errors() != errors) {
      return null;
    }
    return new ProbeSpec(
        handler,
        initialDelay,
        period,
        timeout,
        successes,
        failures,
        grace,
        failingPeriod,
        jitter,
        throttleHold,
        restartsPod,
        recoveryTime,
        preKill,
        origins(probe, base.origins()));
  }

  private static ProbeOrigins origins(Fields probe, ProbeOrigins base) {
    ProbeOrigins origins = base;
    for (var named : FIELDS.entrySet()) {
      boolean given = probe.field(named.getValue()).isPresent();
      origins = origins.withIf(given, named.getKey(), Origin.ANNOTATION);
    }
    for (String handler : CombinedHandlerReader.NAMES) {
      boolean given = probe.field(handler).isPresent();
      origins = origins.withIf(given, Value.HANDLER, Origin.ANNOTATION);
    }
    return origins.withIf(probe.field("profile").isPresent(), Value.PROFILE, Origin.POLICY);
  }

  /** Reads a period, which must respect the administrator's limit. */
  private Duration period(Field field, Duration absent) {
    Duration value = atLeast(field, ProbeSpec.SHORTEST, absent);
    boolean asked = field.isPresent() && !value.equals(absent);
    if (asked && value.compareTo(shortestPeriod) < 0) {
      field.notAllowed("at least " + GoDuration.format(shortestPeriod), "shortestPeriod");
    }
    return value;
  }

  private static Duration atLeast(Field field, Duration least, Duration absent) {
    Duration value = field.duration();
    if (value == null) {
      return absent;
    }
    if (value.compareTo(least) < 0) {
      field.invalid("must be at least " + GoDuration.format(least));
      return absent;
    }
    return value;
  }

  private static void atMost(Field field, Duration value, Duration period) {
    if (value.compareTo(period) > 0) {
      field.invalid("must not be longer than the period, " + GoDuration.format(period));
    }
  }

  private @Nullable Duration failingPeriod(Field field, Duration period) {
    if (!field.isPresent()) {
      return null;
    }
    Duration value = period(field, period);
    atMost(field, value, period);
    return value;
  }

  private static int threshold(Field field, int absent) {
    int value = field.int32(absent);
    if (value < 1) {
      field.invalid("must be greater than or equal to 1");
    }
    return value;
  }

  private static int successThreshold(Field field, ProbeKind kind, ProbeSpec base) {
    int value = threshold(field, base.successThreshold());
    if (kind.restartsContainer() && value != 1) {
      field.invalid("must be 1"); // P-4: one success is enough
    }
    return value;
  }

  private static @Nullable Duration gracePeriod(Field field, ProbeKind kind, ProbeSpec base) {
    Duration value = field.duration();
    if (value == null) {
      return base.terminationGracePeriod();
    }
    if (!value.isPositive()) {
      field.invalid("must be greater than 0"); // P-6: zero would leave no time to stop
    }
    if (!kind.restartsContainer()) {
      field.invalid("must not be set for readiness"); // P-6: readiness stops no container
    }
    return value;
  }

  private List<String> preKill(Field field, ProbeKind kind) {
    if (field.isPresent() && !kind.restartsContainer()) {
      field.forbidden("must not be set for readiness"); // D-24: readiness ends no container
    }
    return handlers.command(field);
  }

  private boolean restartsPod(Field field, ProbeKind kind) {
    String value = field.text();
    if (value == null) {
      return false;
    }
    if (!value.equals(CONTAINER) && !value.equals(POD)) {
      field.unsupported(List.of(CONTAINER, POD));
    }
    if (!kind.restartsContainer()) {
      field.invalid("must not be set for readiness"); // D-23: readiness ends no container
    }
    boolean pod = value.equals(POD);
    if (pod && !startsContainers) { // D-23: a kubelet, or a user, starts the others when they want
      field.warning(
          Complaint.NO_EFFECT,
          "has no effect: only this container is restarted; in a cluster use a rule in"
              + " restartPolicyRules with action RestartAllContainers for exit codes 137 and 143");
    }
    return pod && startsContainers;
  }

  private @Nullable Duration throttleHold(Field field, ProbeKind kind) {
    Duration value = field.duration();
    if (value == null) {
      return null;
    }
    if (value.isNegative() || value.compareTo(ProbeSpec.LONGEST_THROTTLE_HOLD) > 0) {
      field.invalid("must be from 0s to " + GoDuration.format(ProbeSpec.LONGEST_THROTTLE_HOLD));
    } else if (value.isPositive() && longestThrottleHold.isZero()) {
      field.warning("has no effect: the agent's configuration has throttleGuard.enabled: false");
    } else if (value.compareTo(longestThrottleHold) > 0) {
      field.warning(
          "restarts wait at most %s, the agent's throttleGuard.maxHold"
              .formatted(GoDuration.format(longestThrottleHold)));
    }
    if (!kind.restartsContainer()) {
      field.invalid("must not be set for readiness"); // D-13: readiness stops no container
    }
    return value;
  }

  private Duration recoveryTime(Field field, ProbeKind kind) {
    Duration value = field.duration();
    if (value == null) {
      return Duration.ZERO;
    }
    if (value.isNegative() || value.compareTo(ProbeSpec.LONGEST_RECOVERY_TIME) > 0) {
      field.invalid("must be from 0s to " + GoDuration.format(ProbeSpec.LONGEST_RECOVERY_TIME));
      return Duration.ZERO;
    }
    if (value.compareTo(longestRecoveryTime) > 0) {
      field.notAllowed("at most " + GoDuration.format(longestRecoveryTime), "longestRecoveryTime");
    }
    if (kind != ProbeKind.READINESS) {
      field.invalid("may be set for readiness only"); // W-23: nothing else is ready again
    }
    return value;
  }
}
