package io.probelet.simulation;

import io.probelet.simulation.api.ApiRequest;
import io.probelet.simulation.api.RequestFate;
import io.probelet.simulation.api.RequestFate.Effect;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Waits for writes of one kind, and lets the next ones meet a fault: what seldom fails by chance
 * fails at once, and everything else goes on undisturbed.
 */
final class Ambush {
  /** Clients wait for 5 s; what is later is lost. */
  private static final int LONGEST_DELAY = 4_900;

  /** Writes of a controller: the method, and what their path contains. */
  private static final List<Target> TARGETS =
      List.of(
          new Target("POST", "remediations"),
          new Target("POST", "remediations"),
          new Target("PATCH", "remediations/"),
          new Target("PATCH", "/status"),
          new Target("DELETE", "remediations/"),
          new Target("", "/leases/node-"),
          new Target("DELETE", "/leases/node-"),
          new Target("POST", "medik8s-leases/leases"),
          new Target("PATCH", "/nodes/"),
          new Target("PATCH", "/nodehealthchecks/"),
          new Target("PATCH", "/remediationpolicies/"),
          new Target("", "/events"),
          new Target("", "/nodeorders"),
          new Target("POST", "/jobs"),
          new Target("PATCH", "/clusterhealths/"),
          new Target("", "/"));

  private final RandomGenerator random;
  private final Target target;
  private final int fate;
  private int left;

  /** Which writes. */
  private record Target(String method, String path) {}

  Ambush(RandomGenerator random) {
    this.random = random;
    this.target = TARGETS.get(random.nextInt(TARGETS.size()));
    this.fate = random.nextInt(10);
    this.left = 1 + random.nextInt(4);
  }

  /** {@return whether it waits for a request} */
  boolean waitsFor(ApiRequest request) {
    return left > 0
        && !request.isRead()
        && request.process().startsWith("controller")
        && request.method().contains(target.method())
        && request.path().contains(target.path())
        && !request.path().contains("/leases/probelet-");
  }

  /** {@return what happens to that request} */
  RequestFate hit(ApiRequest request, RequestFate usual) {
    left--;
    // Of an event it would be the cluster's own policy, which protects the events of others.
    boolean deniable = !request.path().contains("/events");
    return switch (fate) {
      case 0 -> usual.with(new Effect.LostRequest());
      case 1 -> usual.with(new Effect.LostAnswer());
      case 2 -> usual.with(new Effect.CutAnswer());
      case 3 -> usual.with(new Effect.FailedAfterwards(504, "context deadline exceeded"));
      case 4 -> usual.with(RequestFate.internalError());
      case 5 -> usual.with(RequestFate.conflict());
      case 6 ->
          deniable && random.nextBoolean()
              ? usual.with(RequestFate.deniedByAdmission("someone-elses-policy"))
              : usual.with(RequestFate.tooManyRequests(Duration.ofSeconds(random.nextInt(1, 8))));
      case 7 -> new RequestFate(usual.there().plus(delay()), usual.back(), usual.effect());
      case 8 -> usual.with(new Effect.Duplicated(delay()));
      default -> new RequestFate(usual.there(), usual.back().plus(delay()), usual.effect());
    };
  }

  private Duration delay() {
    return Duration.ofMillis(random.nextInt(LONGEST_DELAY));
  }
}
