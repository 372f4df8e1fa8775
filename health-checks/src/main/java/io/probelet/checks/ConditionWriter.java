package io.probelet.checks;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.result.ConditionUpdate;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.TimeSource;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes updates into an object's {@code status.conditions} beside those of others (CH-2), on the
 * newest object when another writer was faster (CC-12), and not at all when nothing changes.
 */
final class ConditionWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ConditionWriter.class);
  private static final int ATTEMPTS = 5;
  private static final int UNPROCESSABLE = 422;

  private final ResourceAccess<?> access;
  private final KubernetesClient client;
  private final Set<String> removedTypes;
  private final ProgressingStatus progressing;
  private final TimeSource time;

  /** What the CRD of the kind refuses or drops, learned from the API server's answers. */
  private volatile boolean progressingRefused;

  private volatile boolean codesDropped;

  ConditionWriter(
      ResourceAccess<?> access,
      KubernetesClient client,
      Set<String> removedTypes,
      ProgressingStatus progressing,
      TimeSource time) {
    this.access = access;
    this.client = client;
    this.removedTypes = removedTypes;
    this.progressing = progressing;
    this.time = time;
    progressingRefused = progressing == ProgressingStatus.NEVER;
  }

  /** Tries on the object as it was seen first, then on what the API server has. */
  void write(GenericKubernetesResource seen, Map<String, ConditionUpdate> updates) {
    // Kubernetes writes times in whole seconds; what is read back must compare equal.
    Instant now = time.wallTime().truncatedTo(ChronoUnit.SECONDS);
    GenericKubernetesResource object = seen;
    boolean asUnknown = progressingRefused;
    for (int attempt = 1; ; attempt++) {
      Write write = plan(object, updates, asUnknown, now);
      if (write.before().equals(write.after())) {
        return;
      }
      try {
        GenericKubernetesResource stored =
            access.patchConditions(client, object, write.after().list());
        if (asUnknown && !progressingRefused) {
          reportProgressingRefused();
        }
        requireKept(stored, write.changed());
        write.changed().forEach(condition -> log(seen, condition));
        return;
      } catch (KubernetesClientException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        if (e.getCode() == UNPROCESSABLE && !asUnknown && mayMap(write)) {
          asUnknown = true;
          continue;
        }
        if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
          throw e;
        }
      }
      GenericKubernetesResource newest = access.read(client, object);
      if (newest == null || !isSame(newest, seen)) {
        return;
      }
      object = newest;
    }
  }

  private record Write(ConditionList before, ConditionList after, List<Condition> changed) {}

  private Write plan(
      GenericKubernetesResource object,
      Map<String, ConditionUpdate> updates,
      boolean asUnknown,
      Instant now) {
    ConditionList before = ConditionList.of(ResourceAccess.conditions(object));
    ConditionList after = before.without(removedTypes);
    List<Condition> changed = new ArrayList<>();
    for (Map.Entry<String, ConditionUpdate> entry : updates.entrySet()) {
      ConditionUpdate update = codesDropped ? entry.getValue().withoutCodes() : entry.getValue();
      Condition old = before.getOrInitial(entry.getKey(), now);
      Condition said =
          update.applyTo(
              old, asUnknown ? ConditionStatus.UNKNOWN : ConditionStatus.PROGRESSING, now);
      // One that says the same stays as it is written: others may write it in another form.
      if (!said.equals(old) || before.find(entry.getKey()).isEmpty()) {
        changed.add(said);
        after = after.with(said);
      }
    }
    return new Write(before, after, changed);
  }

  private boolean mayMap(Write write) {
    return progressing == ProgressingStatus.WHERE_ACCEPTED
        && write.changed().stream()
            .anyMatch(condition -> condition.status() == ConditionStatus.PROGRESSING);
  }

  private void reportProgressingRefused() {
    progressingRefused = true;
    LOG.warn(
        "status Progressing refused by the CRD, writing Unknown with reason {} kind={}",
        ConditionUpdate.PROGRESSING,
        access.kind());
  }

  /** A CRD's schema may drop fields without an error; what it drops must not be written forever. */
  private void requireKept(GenericKubernetesResource stored, List<Condition> written) {
    ConditionList kept = ConditionList.of(ResourceAccess.conditions(stored));
    for (Condition condition : written) {
      boolean codesKept =
          kept.find(condition.type())
              .orElseThrow(() ->
                  new IllegalStateException(
                      "the API server dropped condition "
                          + condition.type()
                          + "; add status.conditions to the schema of the CRD"))
              .has("codes");
      if (!codesKept && !condition.codes().isEmpty() && !codesDropped) {
        codesDropped = true;
        LOG.warn(
            "error codes dropped by the CRD; add status.conditions[].codes to its schema kind={}",
            access.kind());
      }
    }
  }

  /** One that was made anew has the name, but not what was found of the one before it. */
  private static boolean isSame(HasMetadata one, HasMetadata other) {
    return Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid());
  }

  private static void log(HasMetadata object, Condition condition) {
    LOG.info(
        "condition changed kind={} namespace={} name={} condition={} status={} reason={} message=\"{}\"",
        object.getKind(),
        object.getMetadata().getNamespace(),
        object.getMetadata().getName(),
        condition.type(),
        condition.status(),
        condition.reason(),
        condition.message());
  }
}
