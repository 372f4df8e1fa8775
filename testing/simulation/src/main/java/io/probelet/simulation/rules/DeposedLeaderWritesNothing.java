package io.probelet.simulation.rules;

import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Two leaders that write at the same time undo each other's work. */
final class DeposedLeaderWritesNothing implements Rule {
  /** Who holds a lease, and whether it has written since. */
  private record Holder(String process, boolean hasWritten) {}

  private final Map<String, Holder> holders = new HashMap<>();

  @Override
  public String name() {
    return "deposed-leader-writes-nothing";
  }

  @Override
  public String reason() {
    return "A deposed leader's write never takes effect after its successor's first (N-1, ACT-9).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof Restored) {
      holders.clear(); // the holder of before may be holder again
    }
    if (!(event instanceof Written write)) {
      return;
    }
    if (write.path().startsWith(Remediations.LEADER_LEASES)) {
      elected(write);
    } else if (write.process().startsWith("controller")) {
      part(write).ifPresent(part -> check(part, write, findings));
    }
  }

  private void elected(Written lease) {
    String part = lease.path().substring(Remediations.LEADER_LEASES.length());
    Holder holder = holders.get(part);
    boolean held =
        lease.after() != null && !lease.after().at("/spec/holderIdentity").asText().isEmpty();
    if (held && (holder == null || !holder.process().equals(lease.process()))) {
      holders.put(part, new Holder(lease.process(), false));
    }
  }

  private void check(String part, Written write, Findings findings) {
    Holder holder = holders.get(part);
    if (holder == null) {
      return;
    }
    boolean leads = holder.process().equals(write.process());
    findings.check(
        this,
        write.at(),
        leads || !holder.hasWritten(),
        () ->
            "%s wrote %s (%s) after %s had taken over %s and had written"
                .formatted(write.process(), write.path(), write.verb(), holder.process(), part));
    if (leads) {
      holders.put(part, new Holder(holder.process(), true));
    }
  }

  /** Which part's leader makes a write; nothing where several may. */
  private static Optional<String> part(Written write) {
    boolean created = write.before() == null;
    boolean remediation =
        Optional.ofNullable(created ? write.after() : write.before())
            .flatMap(Remediations::owner)
            .isPresent();
    if ((remediation && created)
        || write.path().contains("/nodehealthchecks/")
        || write.path().startsWith(Remediations.NODE_LEASES)) {
      return Optional.of("remediation");
    }
    if (write.path().contains("/nodeorders/")) {
      return Optional.of("remediators");
    }
    return write.path().contains("/clusterhealths/")
        ? Optional.of("cluster-care")
        : Optional.empty();
  }
}
