package io.probelet.simulation;

import io.probelet.simulation.api.ApiFaults;
import io.probelet.simulation.api.ApiRequest;
import io.probelet.simulation.api.RequestFate;
import io.probelet.simulation.api.RequestFate.Effect;
import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.faults.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** The faults of the API server that are in force, and crashes that wait for a write. */
final class ApiTrouble implements ApiFaults {
  private static final Duration LATE = Duration.ofMillis(1);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

  /** What the paths of writes contain that fail while others do not. */
  private static final List<String> ABOUT =
      List.of(
          "/leases/node-",
          "/nodes/",
          "/nodehealthchecks/",
          "/events",
          "remediations",
          "/status",
          "/nodeorders",
          "/jobs",
          "/leases/probelet-",
          "/");

  private final RandomGenerator random;
  private final LongSupplier now;
  private final Runnable hit;
  private final List<Trouble> troubles = new ArrayList<>();

  /** Namespaces that are or were being deleted: what waits for them may wait for long. */
  private final Set<String> refused = new HashSet<>();

  private final List<Crash> crashes = new ArrayList<>();
  private final List<Ambush> ambushes = new ArrayList<>();

  /**
   * A fault in force.
   *
   * @param hits which requests may be hit
   * @param share of these that are hit, from 0 to 1
   * @param rhythm the time between two bursts of events
   */
  private record Trouble(
      Fault fault,
      RandomGenerator random,
      Predicate<ApiRequest> hits,
      double share,
      Duration rhythm) {
    boolean hits(ApiRequest request) {
      return hits.test(request) && random.nextDouble() < share;
    }
  }

  /**
   * A crash at a process's next write.
   *
   * @param process its name begins with this
   * @param kill is told after which time to end it: 0 for before the write takes effect
   */
  private record Crash(String process, boolean before, Consumer<Duration> kill) {}

  /**
   * Begins without trouble.
   *
   * @param now the time of the world, in nanoseconds
   * @param hit runs when a single request meets a fault
   */
  ApiTrouble(RandomGenerator random, LongSupplier now, Runnable hit) {
    this.hit = hit;
    this.random = random;
    this.now = now;
  }

  /** {@return ends the fault} */
  Runnable begin(Fault fault) {
    RandomGenerator own = fault.random();
    if (fault.kind() == FaultKind.HIT_WRITES) {
      Ambush ambush = new Ambush(own);
      ambushes.add(ambush);
      return () -> ambushes.remove(ambush);
    }
    boolean always = fault.kind() == FaultKind.REFUSE_NAMESPACE;
    boolean some = !always && own.nextBoolean();
    Trouble trouble =
        new Trouble(
            fault,
            own,
            some ? about(ABOUT.get(own.nextInt(ABOUT.size()))) : _ -> true,
            always ? 1 : (some ? 0.3 : 0.05) + 0.6 * own.nextDouble(),
            Duration.ofMillis(own.nextInt(500, 8_000)));
    troubles.add(trouble);
    if (always) {
      refused.add(Workload.namespace(fault));
    }
    return () -> troubles.remove(trouble);
  }

  /** {@return the namespaces that are being deleted} */
  Set<String> refusedNamespaces() {
    return refused;
  }

  /** Whether a request writes, and its path contains a word. */
  private static Predicate<ApiRequest> about(String word) {
    return request -> !request.isRead() && request.path().contains(word);
  }

  /** {@return calls the crash off, if it has not come} */
  Runnable crashAtWrite(String process, boolean before, Consumer<Duration> kill) {
    Crash crash = new Crash(process, before, kill);
    crashes.add(crash);
    return () -> crashes.remove(crash);
  }

  @Override
  public RequestFate of(ApiRequest request) {
    RequestFate fate =
        RequestFate.delayed(
            Duration.ofNanos(random.nextLong(500_000, 4_000_000)),
            Duration.ofNanos(random.nextLong(500_000, 4_000_000)));
    for (Trouble trouble : troubles) {
      if (trouble.hits(request)) {
        fate = hit(trouble, request, fate);
      }
    }
    for (Ambush ambush : ambushes) {
      if (ambush.waitsFor(request)) {
        fate = ambush.hit(request, fate);
        hit.run();
      }
    }
    return request.isRead() ? fate : crash(request, fate);
  }

  private static RequestFate hit(Trouble trouble, ApiRequest request, RequestFate fate) {
    RandomGenerator random = trouble.random();
    boolean writes = !request.isRead();
    return switch (trouble.fault().kind()) {
      case SLOW_SERVER ->
          new RequestFate(
              fate.there().plusMillis(random.nextInt(3_000)),
              fate.back().plusMillis(random.nextInt(3_000)),
              fate.effect());
      case DELAY_ANSWERS ->
          writes
              ? new RequestFate(
                  fate.there(), fate.back().plusMillis(random.nextInt(4_900)), fate.effect())
              : fate;
      case BUNDLE_EVENTS -> fate;
      case LOSE_REQUESTS -> fate.with(new Effect.LostRequest());
      case LOSE_ANSWERS ->
          fate.with(
              switch (random.nextInt(3)) {
                case 0 -> new Effect.CutAnswer();
                case 1 -> new Effect.FailedAfterwards(504, "context deadline exceeded");
                default -> new Effect.LostAnswer();
              });
      case DUPLICATE_REQUESTS ->
          writes
              ? fate.with(new Effect.Duplicated(Duration.ofMillis(random.nextInt(5_000))))
              : fate;
      case FAIL_REQUESTS -> fate.with(RequestFate.internalError());
      case REFUSE_BUSY ->
          fate.with(
              RequestFate.tooManyRequests(
                  Duration.ofSeconds(1 + random.nextLong(LONGEST_RETRY.toSeconds()))));
      case REFUSE_ADMISSION -> // of events it is the cluster's own policy, for names of others
          writes && !request.path().contains("/events")
              ? fate.with(RequestFate.deniedByAdmission("someone-elses-policy"))
              : fate;
      case REFUSE_NAMESPACE ->
          creates(request, Workload.namespace(trouble.fault()))
              ? fate.with(RequestFate.deniedByAdmission("NamespaceLifecycle"))
              : fate;
      case CONFLICT -> // what does not exist yet conflicts with nothing
          writes && !request.method().equals("POST") ? fate.with(RequestFate.conflict()) : fate;
      default -> throw new IllegalArgumentException(trouble.fault().toString());
    };
  }

  private static boolean creates(ApiRequest request, String namespace) {
    return request.method().equals("POST")
        && request.path().contains("/namespaces/" + namespace + "/");
  }

  private RequestFate crash(ApiRequest request, RequestFate fate) {
    for (Crash crash : List.copyOf(crashes)) {
      if (request.process().startsWith(crash.process())) {
        crashes.remove(crash);
        crash.kill().accept(crash.before() ? Duration.ZERO : fate.there().plus(LATE));
        return crash.before()
            ? fate.with(new Effect.LostRequest())
            : new RequestFate(fate.there(), fate.there().plus(LATE.multipliedBy(2)), fate.effect());
      }
    }
    return fate;
  }

  @Override
  public EventFate ofEvent(ApiRequest watch) {
    Duration delay = Duration.ofNanos(random.nextLong(300_000, 4_000_000));
    boolean cut = false;
    for (Trouble trouble : troubles) {
      if (trouble.fault().kind() == FaultKind.BUNDLE_EVENTS) {
        long rhythm = trouble.rhythm().toNanos();
        delay = Duration.ofNanos(rhythm - now.getAsLong() % rhythm);
      } else if (trouble.random().nextDouble() < trouble.share()) {
        switch (trouble.fault().kind()) {
          case SLOW_SERVER -> delay = delay.plusMillis(trouble.random().nextInt(5_000));
          case LOSE_ANSWERS -> cut |= trouble.random().nextInt(10) == 0;
          default -> {}
        }
      }
    }
    return new EventFate(delay, cut);
  }
}
