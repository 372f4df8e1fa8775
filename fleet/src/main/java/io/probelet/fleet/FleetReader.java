package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.cluster.care.ClusterHealthReader;
import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.ObjectFormat;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.controller.RemediationSettings;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.maintenance.MaintenanceBook;
import io.probelet.nodehealth.maintenance.MaintenanceReader;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.wire.RemediationJson;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a cluster by lists and watches with the operator's rights, from when it is started until
 * it is closed. Only reads. All methods may be called by any thread.
 */
public final class FleetReader implements FleetSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FleetReader.class);

  private static final Duration POLL = Duration.ofSeconds(5);

  private static final Duration SOON = Duration.ofMillis(100);
  private static final int EVENT_PAGE = 500;

  private final ApiServer api;
  private final String server;
  private final TimeSource time;
  private final RandomGenerator random;
  private final LeaderAnswers.Asking asking;
  private final List<ResourceWatch<?>> watches = new ArrayList<>();
  private final List<WatchedKind<?>> followed = new ArrayList<>();
  private final WatchedKind<NodeReading> nodes;
  private final WatchedKind<CheckReading> checks;
  private final WatchedKind<PolicyReading> policies;
  private final WatchedKind<Maintenance> maintenances;
  private final WatchedKind<NodeLease> leases;
  private final WatchedKind<List<FleetCondition>> clusterHealth;
  private final WatchedKind<FleetEvent> nodeEvents;
  private final WatchedKind<FleetEvent> checkEvents;
  private final RemediationKinds remediations;
  private final SerialLoop loop;
  private final Alarm poll;
  private final AtomicLong version = new AtomicLong();
  private final CompletableFuture<Void> read = new CompletableFuture<>();
  private volatile LeaderAnswers leader = LeaderAnswers.NONE;
  private volatile boolean polled;
  private final CensusCache censuses = new CensusCache();
  private @Nullable FleetView last;
  private long lastVersion = -1;

  /** Begins. */
  public FleetReader(
      ApiServer api, String server, String namespace, TimeSource time, RandomGenerator random) {
    this.api = api;
    this.server = server;
    this.time = time;
    this.random = random;
    this.asking = new LeaderAnswers.Asking(api, namespace, time);
    this.remediations = new RemediationKinds(api, time, random, this::changed);
    this.loop =
        SerialLoop.startVirtual(
            time.threads(),
            "fleet",
            1, // it has an alarm and no other task
            this::mistaken);
    this.poll = loop.alarm(this::poll);
    nodes =
        follow(
            "Nodes",
            "nodes",
            true,
            FleetLimits.NODES,
            Selection.all("Node", "/api/v1/nodes"),
            new NodeReading.OfNodes());
    checks =
        follow(
            FleetFacts.CHECKS,
            "nodehealthchecks.remediation.medik8s.io",
            true,
            FleetLimits.CHECKS,
            Selection.all(
                NodeHealthCheck.KIND,
                ApiPath.root(NodeHealthCheck.API_VERSION) + "/nodehealthchecks"),
            new ObjectFormat<>(
                NodeHealthCheck.API_VERSION,
                NodeHealthCheck.KIND,
                KeptFields.ALL,
                ObjectLimits.LARGE,
                Weighed.reading(CheckReading::of)));
    policies =
        follow(
            FleetFacts.POLICIES,
            "remediationpolicies.probelet.io",
            true,
            FleetLimits.POLICIES,
            Selection.all(
                RemediationPolicy.KIND,
                ApiPath.root(RemediationPolicy.API_VERSION) + "/" + RemediationPolicy.PLURAL),
            new ObjectFormat<>(
                RemediationPolicy.API_VERSION,
                RemediationPolicy.KIND,
                KeptFields.ALL,
                ObjectLimits.LARGE,
                Weighed.reading(PolicyReading::of)));
    maintenances =
        follow(
            "Maintenances",
            "maintenances.probelet.io",
            false,
            FleetLimits.MAINTENANCES,
            Selection.all(
                Maintenance.KIND, ApiPath.root(Maintenance.API_VERSION) + "/" + Maintenance.PLURAL),
            new ObjectFormat<>(
                Maintenance.API_VERSION,
                Maintenance.KIND,
                KeptFields.of("/spec"),
                ObjectLimits.LARGE,
                Weighed.reading(MaintenanceReader::read)));
    leases =
        follow(
            "Leases of nodes",
            "leases.coordination.k8s.io in namespace " + RemediationSettings.LEASE_NAMESPACE,
            false,
            FleetLimits.LEASES,
            Selection.all(
                "Lease",
                "/apis/coordination.k8s.io/v1/namespaces/"
                    + RemediationSettings.LEASE_NAMESPACE
                    + "/leases"),
            new ObjectFormat<>(
                RemediationJson.LEASE_API_VERSION,
                "Lease",
                KeptFields.of("/spec"),
                FleetLimits.SMALL,
                Weighed.reading(RemediationJson::readLease)));
    clusterHealth =
        follow(
            "ClusterHealths",
            "clusterhealths.probelet.io",
            true,
            FleetLimits.CLUSTER_HEALTH,
            Selection.all(
                "ClusterHealth", ApiPath.root(ClusterHealthReader.API_VERSION) + "/clusterhealths"),
            new ObjectFormat<>(
                ClusterHealthReader.API_VERSION,
                "ClusterHealth",
                KeptFields.of("/status/conditions"),
                ObjectLimits.USUAL,
                Weighed.reading(
                    health -> ConditionReader.ofCluster(health.at("/status/conditions")))));
    nodeEvents = followEvents("Events of nodes", "Node");
    checkEvents = followEvents("Events of NodeHealthChecks", NodeHealthCheck.KIND);
    poll.set(Duration.ZERO);
  }

  private <T> WatchedKind<T> follow(
      String plural,
      String resource,
      boolean essential,
      Shares.Limits limits,
      Selection selection,
      Format<Weighed<T>> format) {
    WatchedKind<T> kind =
        new WatchedKind<>(
            plural, resource, selection.collection(), essential, limits, this::changed);
    followed.add(kind);
    watches.add(ResourceWatch.start(api, selection, kind.bounded(format), kind, time, random));
    return kind;
  }

  private WatchedKind<FleetEvent> followEvents(String plural, String involved) {
    return follow(
        plural,
        "events in namespace " + EventReader.NAMESPACE,
        false,
        FleetLimits.EVENTS,
        new Selection(
            "Event",
            "/api/v1/namespaces/" + EventReader.NAMESPACE + "/events",
            "involvedObject.kind=" + involved,
            EVENT_PAGE),
        new ObjectFormat<>(
            "v1",
            "Event",
            EventReader.FIELDS,
            FleetLimits.SMALL,
            Weighed.reading(EventReader::read)));
  }

  // --- What happens

  private void changed() {
    version.incrementAndGet();
    if (!read.isDone() && isSettled()) {
      read.complete(null);
    }
  }

  private boolean isSettled() {
    return polled
        && followed.stream().allMatch(WatchedKind::isSettled)
        && remediations.all().values().stream().allMatch(WatchedKind::isSettled);
  }

  private void mistaken(Throwable mistake) {
    LOG.error("internal error while asking the leaders, continuing", mistake);
    poll.set(POLL);
  }

  /**
   * Polls what no watch shows: the kinds of remediations, the leaders, and whether a quiet watch is
   * alive.
   */
  private void poll() {
    boolean complete = checks.isSettled(); // before that the kinds they name are unknown
    poll.set(complete ? POLL : SOON);
    if (!complete) {
      return;
    }
    remediations.want(checks.all());
    remediations.discover();
    followed.forEach(kind -> kind.recheck(api));
    remediations.all().values().forEach(kind -> kind.recheck(api));
    try {
      LeaderAnswers answers = asking.ask();
      boolean news = !answers.isSameButTimes(leader);
      leader = answers;
      boolean first = !polled;
      polled = true;
      if (news || first) {
        changed();
      }
    } catch (InterruptedException closed) {
      LOG.debug("stopped asking the leaders");
    }
  }

  // --- What is shown

  /**
   * Waits until everything has been read once, or could not be.
   *
   * @param limit how long to wait at most
   * @return whether that is so; otherwise a gap says what is still to come
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public boolean awaitRead(Duration limit) throws InterruptedException {
    try {
      read.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException late) {
      return false;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** {@return a number that is greater after anything has changed; time alone changes nothing} */
  long version() {
    return version.get();
  }

  /**
   * {@return the cluster as it is now; if nothing has changed, as it was at most five seconds ago}
   */
  @Override
  public synchronized FleetView view() {
    Instant now = time.wallTime().truncatedTo(ChronoUnit.SECONDS);
    long current = version.get();
    FleetView known = last;
    if (known != null
        && lastVersion == current
        && !now.isBefore(known.time())
        && now.isBefore(known.time().plus(POLL))) {
      return known;
    }
    FleetView view = FleetAssembly.view(facts(), censuses, now);
    last = view;
    lastVersion = current;
    return view;
  }

  @Override
  public Optional<JsonNode> check(String name) {
    return checks.find(name).map(CheckReading::resource);
  }

  @Override
  public List<String> checkNames() {
    return checks.all().stream().map(CheckReading::name).toList();
  }

  @Override
  public List<NodeFacts> nodeFacts() {
    return nodes.all().stream().map(NodeReading::facts).toList();
  }

  private FleetFacts facts() {
    LeaderAnswers answers = leader;
    Map<RemediationKinds.Name, WatchedKind<RemediationReading>> kinds = remediations.all();
    List<RemediationReading> read = new ArrayList<>();
    List<FleetGap> gaps = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    Set<String> unread = new HashSet<>();
    for (WatchedKind<?> kind : followed) {
      kind.gap().ifPresent(gaps::add);
      if (kind.isAbsent()) {
        absent.add(kind.plural());
      }
    }
    kinds.forEach((name, kind) -> {
      read.addAll(kind.all());
      kind.gap()
          .ifPresent(gap -> {
            gaps.add(gap);
            unread.add(name.kind());
          });
    });
    remediations.gap().ifPresent(gaps::add);
    if (!polled) {
      gaps.add(new FleetGap("Remediations", FleetGap.Kind.PENDING, "not read yet", true));
    }
    gaps.addAll(answers.gaps());
    gaps.sort(Comparator.comparing(FleetGap::what));
    MaintenanceBook book = MaintenanceBook.of(maintenances.all());
    Instant now = time.wallTime();
    List<FleetEvent> events = new ArrayList<>(nodeEvents.all());
    events.addAll(checkEvents.all());
    return new FleetFacts(
        server,
        nodes.all().stream().map(node -> node.with(book, now)).toList(),
        checks.all(),
        read,
        policies.all(),
        leases.all(),
        answers.leaders(),
        clusterHealth.all().stream().flatMap(List::stream).toList(),
        events,
        answers.remediation(),
        answers.remediators(),
        unread,
        absent,
        gaps);
  }

  /** Ends all watches. */
  @Override
  public void close() {
    loop.close();
    watches.forEach(ResourceWatch::close);
    remediations.close();
  }
}
