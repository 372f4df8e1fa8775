package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.probelet.checks.condition.HealthStatus;
import io.probelet.checks.condition.ThresholdPolicy;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.health.Alarm;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.Conditions;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiServer;
import io.probelet.kube.event.ApiEvent;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.ObjectFormat;
import io.probelet.kube.watch.Observer;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks one cluster as its {@code ClusterHealth} named {@code cluster} specifies (section 4 of the
 * rules). It runs a round when the resource appears or its spec changes, and one per sync period.
 * Only the leader runs it.
 */
public final class ClusterCare implements AutoCloseable {
  /** The name of the lease that elects the leader. */
  public static final String LEASE = "probelet-cluster-care";

  /** The resource. */
  public static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("probelet.io")
          .withVersion("v1alpha1")
          .withKind("ClusterHealth")
          .withPlural("clusterhealths")
          .withNamespaced(false)
          .build();

  private static final Logger LOG = LoggerFactory.getLogger(ClusterCare.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String API_VERSION = "probelet.io/v1alpha1";
  private static final String NAME = "cluster";
  private static final Duration WATCH_TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_WAITING = 16;
  private static final int ATTEMPTS = 5;
  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager("probelet")
          .withForce(true)
          .build();
  private static final Duration AFTER_ERROR = Duration.ofMinutes(1);

  /** Delay of a retry while the API server is unreachable. */
  private static final Duration UNREACHED = Duration.ofSeconds(10);

  /** How often the resource is read if the watch reports nothing. */
  private static final Duration UNASKED = Duration.ofMinutes(1);

  private final KubernetesClient client;
  private final NamedChecks checks;
  private final TimeSource time;
  private final CareListener listener;
  private final BooleanSupplier mayWrite;
  private final CareEvents events;
  private final WebhookRemediator webhooks;
  private final ClusterObjects objects;
  private final SerialLoop loop;
  private final Alarm next;
  private final ResourceWatch<ObjectNode> watch;

  // Used only on the loop.
  private boolean failureLogged;
  private ObjectNode lastRead = JSON.createObjectNode();
  private ClusterHealthReader.@Nullable Reading lastReading;

  /** The last status; null if there is no resource. */
  private @Nullable Shown shown;

  /** A status with its thresholds. */
  private record Shown(CareStatus status, ThresholdPolicy thresholds) {}

  /** Starts the rounds on the caller's loop. */
  ClusterCare(
      KubernetesClient client,
      NamedChecks checks,
      TimeSource time,
      RandomGenerator random,
      CareListener listener,
      BooleanSupplier mayWrite,
      SerialLoop loop) {
    this.loop = loop;
    this.next = loop.alarm(this::round);
    this.mayWrite = () -> !loop.isClosed() && mayWrite.getAsBoolean();
    this.client = client;
    this.checks = checks;
    this.time = time;
    this.listener = listener;
    events = new CareEvents(client, time, random, listener, mayWrite);
    objects = new ClusterObjects(client, time, random);
    webhooks = new WebhookRemediator(client, events, listener, this.mayWrite);
    watch = watch(client, time, random, new ResourceEvents());
  }

  /**
   * Starts the rounds.
   *
   * @param client closed by the caller, after the returned value
   * @param checks the checks that components may name
   * @param random spreads rewrites of Events and the ends of watches; used by several threads
   * @param listener notified of every round
   * @param mayWrite queried before every write; false after leadership is lost
   * @return the running rounds, to be closed by the caller
   */
  public static ClusterCare start(
      KubernetesClient client,
      NamedChecks checks,
      TimeSource time,
      RandomGenerator random,
      CareListener listener,
      BooleanSupplier mayWrite) {
    SerialLoop loop =
        SerialLoop.start(
            time.threads(),
            "cluster-care",
            MAX_WAITING,
            bug -> LOG.error("cluster health: internal error, continuing", bug));
    return new ClusterCare(client, checks, time, random, listener, mayWrite, loop);
  }

  /** Stops the rounds. A running round is interrupted and writes nothing more. */
  @Override
  public void close() {
    watch.close();
    loop.close();
    objects.close();
    events.close();
  }

  /** Of a resource its generation and spec are kept, so that a change of its status is none. */
  private static ResourceWatch<ObjectNode> watch(
      KubernetesClient client,
      TimeSource time,
      RandomGenerator random,
      Observer<ObjectNode> observer) {
    return ResourceWatch.start(
        ApiServer.of(client, WATCH_TIMEOUT, time.threads()),
        Selection.all(KIND.getKind(), ApiPath.root(API_VERSION) + "/" + KIND.getPlural()),
        new ObjectFormat<>(
            API_VERSION,
            KIND.getKind(),
            KeptFields.of("/metadata/generation", "/spec"),
            ObjectLimits.USUAL,
            ClusterCare::evaluated),
        observer,
        time,
        random);
  }

  private static ObjectNode evaluated(ObjectNode resource) {
    ObjectNode kept = JSON.createObjectNode();
    kept.set("generation", resource.at("/metadata/generation"));
    kept.set("spec", resource.path("spec"));
    return kept;
  }

  private final class ResourceEvents implements Observer<ObjectNode> {
    /** A list after an interruption repeats it unchanged. */
    private @Nullable ObjectNode last;

    @Override
    public void changed(Item<ObjectNode> resource) {
      if (NAME.equals(resource.name())) {
        if (!resource.value().equals(last)) {
          last = resource.value();
          roundSoon();
        }
      } else {
        LOG.warn("ClusterHealth ignored: only {} is evaluated name={}", NAME, resource.name());
      }
    }

    @Override
    public void gone(Item<ObjectNode> resource) {
      if (NAME.equals(resource.name())) {
        last = null;
        roundSoon();
      }
    }

    @Override
    public void listed() {}
  }

  /** Runs after the current round, if any. If the queue is full, another run is pending already. */
  private void roundSoon() {
    loop.offer(() -> next.set(Duration.ZERO));
  }

  private void round() {
    loop.requireInLoop();
    try {
      GenericKubernetesResource resource = resource().get();
      if (resource == null) {
        shown = null;
        objects.roundEnded();
        listener.roundEnded(List.of(), List.of());
        next.set(UNASKED);
        return;
      }
      next.set(round(resource));
      failureLogged = false;
    } catch (RuntimeException e) {
      next.set(isUnreached(e) ? UNREACHED : AFTER_ERROR);
      if (!failureLogged && !loop.isClosed()) {
        LOG.warn("cluster health not evaluated reason=\"{}\"", ApiErrorText.of(e), e);
        failureLogged = true;
      }
      showApiServer();
    }
  }

  private static boolean isUnreached(RuntimeException e) {
    return e instanceof KubernetesClientException refused && refused.getCode() <= 0;
  }

  /** CH-47: a status that cannot be written is still shown in metrics. */
  private void showApiServer() {
    if (shown == null || loop.isClosed()) {
      return;
    }
    CareStatus status =
        shown
            .status()
            .withApiServer(new ApiServerCheck(client, time).run(), shown.thresholds(), now());
    shown = new Shown(status, shown.thresholds());
    listener.roundEnded(status.conditions().list(), status.constraints().list());
  }

  private Duration round(GenericKubernetesResource resource) {
    long generation = Objects.requireNonNullElse(resource.getMetadata().getGeneration(), 0L);
    ObjectNode document = JSON.createObjectNode();
    document.set("spec", JSON.valueToTree(resource.get("spec")));
    ClusterHealthReader.Reading reading = read(document);
    ClusterHealthSpec spec = reading.valid();
    if (spec == null) {
      Instant now = now();
      CareStatus status =
          write(resource, before -> before.refused(generation, reading.refusal(), now));
      if (mayWrite.getAsBoolean()) {
        label(resource, status.health(), false);
      }
      return AFTER_ERROR;
    }
    CareRound round = new CareRound(client, objects, checks, spec, time);
    CareStatus.Round found = round.run(generation);
    objects.roundEnded();
    Instant now = now();
    CareStatus status = write(resource, before -> before.after(found, spec.thresholdPolicy(), now));
    shown = new Shown(status, spec.thresholdPolicy());
    if (mayWrite.getAsBoolean()) {
      label(resource, status.health(), spec.gardener() != null);
      webhooks.round(spec, round.webhooks());
    }
    listener.roundEnded(status.conditions().list(), status.constraints().list());
    return spec.syncPeriod();
  }

  /** Reads a spec again only if it has changed: compiling its expressions takes a while. */
  private ClusterHealthReader.Reading read(ObjectNode document) {
    ClusterHealthReader.Reading known = lastReading;
    if (known == null || !document.equals(lastRead)) {
      known = ClusterHealthReader.ofExisting(checks).read(document);
      lastRead = document;
      lastReading = known;
    }
    return known;
  }

  /** Kubernetes stores times in whole seconds; a status that is read back must compare equal. */
  private Instant now() {
    return time.wallTime().truncatedTo(ChronoUnit.SECONDS);
  }

  /** Writes the changes, on the newest version of the object after a conflict (CC-12). */
  private CareStatus write(GenericKubernetesResource seen, UnaryOperator<CareStatus> change) {
    GenericKubernetesResource object = seen;
    for (int attempt = 1; ; attempt++) {
      JsonNode written = JSON.valueToTree(object.get("status"));
      CareStatus before = CareStatusJson.read(written);
      CareStatus after = change.apply(before);
      if (after.equals(before) || !mayWrite.getAsBoolean()) {
        return after;
      }
      try {
        applyStatus(object, CareStatusJson.applied(after, written));
        report(object, before.conditions(), after.conditions());
        report(object, before.constraints(), after.constraints());
        return after;
      } catch (KubernetesClientException e) {
        if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == ATTEMPTS) {
          throw e;
        }
      }
      object = resource().require();
    }
  }

  /**
   * Applies our fields. Conditions and fields of other managers stay untouched. The API server
   * rejects another version of the object as a conflict, because the decision may be outdated.
   */
  private void applyStatus(GenericKubernetesResource object, ObjectNode status) {
    ObjectNode ours = JSON.createObjectNode();
    ours.put("apiVersion", object.getApiVersion()).put("kind", object.getKind());
    ours.putObject("metadata")
        .put("name", NAME)
        .put("resourceVersion", object.getMetadata().getResourceVersion());
    ours.set("status", status);
    client
        .genericKubernetesResources(KIND)
        .resource(object)
        .subresource("status")
        .patch(APPLY, ours.toString());
  }

  private void report(GenericKubernetesResource object, Conditions before, Conditions after) {
    for (Condition condition : after.list()) {
      ConditionStatus old = before.get(condition.type()).map(Condition::status).orElse(null);
      if (old == condition.status()
          || (old == null && condition.status() == ConditionStatus.TRUE)) {
        continue;
      }
      LOG.info(
          "condition changed condition={} status={} reason={} message=\"{}\"",
          condition.type(),
          condition.status(),
          condition.reason(),
          condition.message());
      String change = condition.type() + " is " + condition.status();
      events.record(
          object,
          condition.status() == ConditionStatus.TRUE ? ApiEvent.NORMAL : ApiEvent.WARNING,
          condition.reason(),
          change,
          change + ": " + condition.message());
    }
  }

  private void label(GenericKubernetesResource object, String health, boolean gardener) {
    ObjectNode patch = JSON.createObjectNode();
    ObjectNode labels = patch.putObject("metadata").putObject("labels");
    List<String> names =
        gardener
            ? List.of(HealthStatus.LABEL, HealthStatus.GARDENER_LABEL)
            : List.of(HealthStatus.LABEL);
    for (String name : names) {
      if (!health.equals(label(object, name))) {
        labels.put(name, health);
      }
    }
    if (!labels.isEmpty()) {
      resource().patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
    }
  }

  private static @Nullable String label(GenericKubernetesResource object, String name) {
    return object.getMetadata().getLabels() == null
        ? null
        : object.getMetadata().getLabels().get(name);
  }

  private Resource<GenericKubernetesResource> resource() {
    return client.genericKubernetesResources(KIND).withName(NAME);
  }
}
