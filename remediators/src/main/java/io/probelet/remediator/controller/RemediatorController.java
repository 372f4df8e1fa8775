package io.probelet.remediator.controller;

import io.probelet.health.RetryBackoff;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.ObjectFormat;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.controller.ReconcileLoop;
import io.probelet.nodehealth.controller.ReconcileLoop.WatchFeed;
import io.probelet.remediator.controller.RemediatorReport.KindState;
import io.probelet.remediator.controller.RemediatorReport.Standing;
import io.probelet.remediator.controller.RequestTable.Entry;
import io.probelet.remediator.decide.ActionHold;
import io.probelet.remediator.decide.Outcome;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.resource.RemediationKind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out remediations for one term of leadership. One loop receives watch events and results
 * and schedules the reconciliations, which run on other threads. A standby keeps nothing in memory.
 */
public final class RemediatorController implements AutoCloseable {
  /** The name of the leader's lease. */
  public static final String LEASE = "probelet-remediators";

  private static final Logger LOG = LoggerFactory.getLogger(RemediatorController.class);

  /** Maximum number of concurrent reconciliations. */
  private static final int MAX_TURNS = 8;

  /**
   * ACT-11: each remediation is reconciled at least this often, in case a watch missed an event.
   */
  private static final Duration RESYNC = Duration.ofMinutes(1);

  private static final RetryBackoff RETRY =
      new RetryBackoff(Duration.ofMillis(500), 2, Duration.ofSeconds(60), 0.5);

  private final Leadership term;
  private final TimeSource time;
  private final RandomGenerator random;
  private final RemediatorListener listener;
  private final ReconcileLoop loop;
  private final RemediatorEvents events;
  private final RemediationReconcile turn;
  private final RequestTable table = new RequestTable();

  /** Why a kind is not watched; empty if it is watched, absent while unknown. */
  private final Map<RemediationKind, String> kinds = new EnumMap<>(RemediationKind.class);

  /** The missing permission on orders; empty if none. */
  private String ordersProblem = "";

  private final List<RemediationKind> wanted;
  private int turns;
  private boolean full;

  /**
   * Begins.
   *
   * @param thread where all is kept; to be closed with this
   */
  RemediatorController(
      ApiServer api,
      RemediatorSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediatorListener listener,
      Leadership term,
      SerialLoop thread) {
    this.term = term;
    this.time = time;
    this.random = random;
    this.listener = listener;
    loop = new ReconcileLoop(thread, time);
    this.wanted = settings.kinds();
    events = new RemediatorEvents(api, term, time, random, settings.identity(), listener);
    ActionWrites writes = new ActionWrites(api, settings.namespace());
    turn =
        new RemediationReconcile(
            api,
            writes,
            settings.gate(),
            new HookReader(settings.hooks()),
            term,
            new TermClock(time),
            events,
            listener);
    loop.start(this::work, this::untilNext);
    loop.postAfter(RESYNC, this::resync);
    for (RemediationKind kind : wanted) {
      loop.watch(
          api,
          Selection.all(kind.kind(), RequestPaths.all(kind)),
          new ObjectFormat<>(
              RemediationKind.API_VERSION,
              kind.kind(),
              SeenRequest.FIELDS,
              ObjectLimits.USUAL,
              object -> SeenRequest.read(kind, object)),
          new RequestFeed(kind),
          random);
    }
    loop.watch(
        api,
        Selection.all(NodeOrder.KIND, writes.orders()),
        new ObjectFormat<>(
            RemediationKind.API_VERSION,
            NodeOrder.KIND,
            KeptFields.of(),
            ObjectLimits.USUAL,
            Metadata::version),
        new OrderFeed(),
        random);
  }

  /**
   * Begins.
   *
   * @param api where everything is; no request takes longer than others wait for the lease
   * @param random spreads when the API server is asked again; used by several threads
   * @param term for how long it may write
   * @return what was begun, to be closed at the end of the term
   */
  public static RemediatorController start(
      ApiServer api,
      RemediatorSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediatorListener listener,
      Leadership term) {
    return new RemediatorController(
        api,
        settings,
        time,
        random,
        listener,
        term,
        ReconcileLoop.thread("remediators", time.threads()));
  }

  private final class RequestFeed extends WatchFeed<SeenRequest> {
    private final RemediationKind kind;

    RequestFeed(RemediationKind kind) {
      super(
          loop,
          kind,
          item -> seen(item.value()),
          item -> table.gone(item.value()),
          () -> state(kind, ""));
      this.kind = kind;
    }

    @Override
    public void bookmarked() {
      listed();
    }

    @Override
    public void refused(String verb) {
      String right =
          "missing permission to %s %s of %s: %s"
              .formatted(verb, kind.plural(), RemediationKind.GROUP, kind.rightsAdvice());
      loop.post(() -> state(kind, right));
    }

    @Override
    public void unserved() {
      String crd = "the API server does not serve " + kind.plural() + ", see deploy/crds";
      loop.post(() -> state(kind, crd));
    }
  }

  /** Only the version of an order is kept, to detect changes. */
  private final class OrderFeed extends WatchFeed<String> {
    OrderFeed() {
      super(
          loop,
          NodeOrder.KIND,
          order -> table.touchNode(order.name()),
          order -> table.touchNode(order.name()),
          () -> ordersProblem = "");
    }

    @Override
    public void bookmarked() {
      listed();
    }

    @Override
    public void refused(String verb) {
      String right =
          "missing permission to %s nodeorders: apply deploy/remediators/controller.yaml"
              .formatted(verb);
      loop.post(() -> ordersProblem = right);
    }
  }

  private void state(RemediationKind kind, String problem) {
    String before = kinds.put(kind, problem);
    if (!problem.equals(before)) {
      if (problem.isEmpty()) {
        LOG.info("remediation kind ready kind={}", kind.kind());
      } else {
        LOG.warn(
            "remediation kind unavailable, retrying kind={} reason=\"{}\"", kind.kind(), problem);
      }
    }
  }

  private void seen(SeenRequest request) {
    boolean taken = table.changed(request);
    if (!taken && !full) {
      LOG.error(
          "more than {} remediations exist; the others are not carried out",
          RequestTable.MAX_REQUESTS);
    }
    full = !taken;
  }

  /** Each gets a turn, and each kind its say: also what nobody reports any more. */
  private void resync() {
    table.touchAll();
    loop.postAfter(RESYNC, this::resync);
  }

  private void work() {
    Entry next = mayBegin() ? table.next(time.nanoTime()) : null;
    while (next != null) {
      begin(next);
      next = mayBegin() ? table.next(time.nanoTime()) : null;
    }
    listener.stands(standing());
  }

  /** The order of remediations of a node is known only after all kinds are listed (ACT-3). */
  private boolean mayBegin() {
    return turns < MAX_TURNS && kinds.size() == wanted.size() && term.isOn();
  }

  private @Nullable Duration untilNext() {
    return mayBegin() ? table.untilNext(time.nanoTime()) : null;
  }

  private void begin(Entry entry) {
    Optional<ActionHold> busy = table.busy(entry);
    SeenRequest seen = entry.seen();
    List<Outcome> before = entry.outcomes();
    table.begin(entry);
    turns++;
    loop.beside(() -> {
      RemediationReconcile.Result result;
      try {
        result = turn.take(seen, busy, before);
      } catch (RuntimeException mistake) {
        LOG.error("internal error, retrying remediation=\"{}\"", seen.ref(), mistake);
        result = RemediationReconcile.Result.mistake(seen, mistake);
      }
      RemediationReconcile.Result came = result;
      loop.post(() -> ended(entry, came));
    });
  }

  private void ended(Entry entry, RemediationReconcile.Result result) {
    turns--;
    String before = entry.trouble();
    if (!result.trouble().isEmpty() && !result.trouble().equals(before)) {
      LOG.warn(
          "remediation interrupted, retrying remediation=\"{}\" reason=\"{}\"",
          entry.seen().ref(),
          result.trouble());
    }
    Duration pause =
        RETRY.delay(entry.failures() + 1, random, result.asked().orElse(Duration.ZERO));
    table.ended(entry, result, time.nanoTime(), pause);
  }

  /**
   * {@return how all remediations stand}
   *
   * @throws java.util.concurrent.RejectedExecutionException after the end
   */
  public CompletableFuture<RemediatorReport> report() {
    return loop.ask(this::standing);
  }

  private RemediatorReport standing() {
    return new RemediatorReport(
        wanted.stream().map(kind -> new KindState(kind, problem(kind))).toList(),
        table.all().stream().map(RemediatorController::standing).toList());
  }

  /**
   * A missing permission found during a reconciliation is reported like a missing permission to
   * watch the kind.
   */
  private String problem(RemediationKind kind) {
    String problem = kinds.getOrDefault(kind, "still being listed");
    return problem.isEmpty()
        ? table.all().stream()
            .filter(entry -> entry.seen().kind() == kind && entry.rightMissing())
            .findFirst()
            .map(entry -> entry.trouble() + "; " + kind.rightsAdvice())
            .orElse(kind.isByOrder() ? ordersProblem : "")
        : problem;
  }

  private static Standing standing(Entry entry) {
    SeenRequest seen = entry.seen();
    String message = seen.status().message();
    String trouble = entry.trouble();
    String whole = trouble.isEmpty() ? message : message + " (" + trouble + ")";
    return new Standing(
        seen.kind(),
        Objects.requireNonNullElse(seen.ref().namespace(), ""),
        seen.ref().name(),
        seen.node(),
        seen.status().phase(),
        seen.status().phaseTime(),
        seen.status().milestone().holdReason(),
        entry.rightMissing() ? trouble : whole);
  }

  /**
   * Stops without waiting for running reconciliations. They write nothing after the term has ended.
   */
  @Override
  public void close() {
    loop.close();
    events.close();
    listener.retired();
  }
}
