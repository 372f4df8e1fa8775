package io.probelet.manifest.probe;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOrigins;
import io.probelet.probe.ProbeOrigins.Origin;
import io.probelet.probe.ProbeOrigins.Value;
import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one probe of a container as Kubernetes writes it. */
public final class ProbeReader {
  /** The longest duration whose nanoseconds fit a long, some 292 years. */
  private static final long MAX_SECONDS = Duration.ofNanos(Long.MAX_VALUE).toSeconds();

  private static final int DEFAULT_PERIOD = 10;
  private static final int DEFAULT_TIMEOUT = 1;
  private static final int DEFAULT_SUCCESSES = 1;
  private static final int DEFAULT_FAILURES = 3;
  private static final String NOT_NEGATIVE = "must be greater than or equal to 0";

  private static final Map<Value, String> FIELDS =
      Map.of(
          Value.INITIAL_DELAY, "initialDelaySeconds",
          Value.TIMEOUT, "timeoutSeconds",
          Value.PERIOD, "periodSeconds",
          Value.SUCCESS_THRESHOLD, "successThreshold",
          Value.FAILURE_THRESHOLD, "failureThreshold",
          Value.TERMINATION_GRACE_PERIOD, "terminationGracePeriodSeconds");

  private final HandlerReader handlers;

  /** Creates a reader for the probes of one container. */
  public ProbeReader(Set<String> portNames) {
    this.handlers = new HandlerReader(portNames);
  }

  /** {@return the name of the field of a probe in a container} */
  public static String fieldName(ProbeKind kind) {
    return switch (kind) {
      case STARTUP -> "startupProbe";
      case READINESS -> "readinessProbe";
      case LIVENESS -> "livenessProbe";
    };
  }

  /**
   * Reads a probe.
   *
   * @return the probe, null if it has errors
   */
  public @Nullable ProbeSpec read(Field field, ProbeKind kind) {
    Fields probe = field.object();
    if (probe == null) {
      return null;
    }
    int errors = field.errors();
    ProbeHandler handler = handler(probe);
    // P-1, P-2, P-3, P-5: not negative, and zero means the default
    int initialDelay = notNegative(probe.field("initialDelaySeconds"), 0);
    int timeout = notNegative(probe.field("timeoutSeconds"), DEFAULT_TIMEOUT);
    int period = notNegative(probe.field("periodSeconds"), DEFAULT_PERIOD);
    int successes = successThreshold(probe.field("successThreshold"), kind);
    int failures = notNegative(probe.field("failureThreshold"), DEFAULT_FAILURES);
    Duration grace = gracePeriod(probe.field("terminationGracePeriodSeconds"), kind);
    probe.rejectUnknown(Set.of());
    if (handler == null || field.errors() != errors) {
      return null;
    }
    return ProbeSpec.of(handler)
        .initialDelay(Duration.ofSeconds(initialDelay))
        .timeout(Duration.ofSeconds(timeout))
        .period(Duration.ofSeconds(period))
        .successThreshold(successes)
        .failureThreshold(failures)
        .terminationGracePeriod(grace)
        .origins(origins(probe))
        .build();
  }

  /** The API server writes its defaults into the spec, so in a cluster they come from there. */
  private static ProbeOrigins origins(Fields probe) {
    ProbeOrigins origins = ProbeOrigins.DEFAULTS.with(Value.HANDLER, Origin.SPEC);
    for (var named : FIELDS.entrySet()) {
      Field field = probe.field(named.getValue());
      origins = origins.withIf(field.int64(0) != 0, named.getKey(), Origin.SPEC);
    }
    return origins;
  }

  private @Nullable ProbeHandler handler(Fields probe) {
    Field chosen = HandlerReader.pick(probe, HandlerReader.NAMES);
    if (chosen == null) {
      probe.self().required("must specify a handler type"); // P-7: there would be nothing to probe
      return null;
    }
    return handlers.read(chosen);
  }

  /** The API server treats zero as missing. */
  private static int notNegative(Field field, int byDefault) {
    int value = field.int32(0);
    if (value < 0) {
      field.invalid(NOT_NEGATIVE);
    }
    return value == 0 ? byDefault : value;
  }

  private static int successThreshold(Field field, ProbeKind kind) {
    int value = notNegative(field, DEFAULT_SUCCESSES); // P-4: zero means the default
    if (kind != ProbeKind.READINESS && value != 1) {
      field.invalid("must be 1"); // P-4: one success is enough
    }
    return value;
  }

  private static @Nullable Duration gracePeriod(Field field, ProbeKind kind) {
    if (!field.isPresent()) {
      return null;
    }
    long seconds = field.int64(1);
    if (seconds <= 0) {
      field.invalid("must be greater than 0"); // P-6: zero would leave no time to stop
    }
    if (kind == ProbeKind.READINESS) {
      field.invalid("must not be set for readinessProbes"); // P-6: readiness stops no container
    }
    return seconds(seconds);
  }

  /**
   * {@return whole seconds of a manifest, limited to what nanoseconds can express; the API server
   * sets no limit}
   *
   * @param seconds zero or more
   */
  public static Duration seconds(long seconds) {
    return Duration.ofSeconds(Math.min(seconds, MAX_SECONDS));
  }
}
