package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.rules.WorldEvent.Disturbed;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.time.Duration;

/**
 * Tells when a part of the controller has had no excuse for a while: it has led all the time, and
 * no fault has hit the API server or a controller.
 */
final class Calm {
  /** The longest pause between two tries of a write, and time to elect a leader and to list. */
  private static final long SINCE = Duration.ofSeconds(75).toNanos();

  private static final long GAP = Duration.ofSeconds(8).toNanos();

  private final String lease;
  private int disturbances;
  private long since;
  private long renewed;
  private String leader = "";

  /** A watch may stay behind for long after etcd was restored from a backup. */
  private boolean restored;

  Calm(String part) {
    this.lease = Remediations.LEADER_LEASES + part;
  }

  /** {@return whether the leader has just renewed its lease in a calm world} */
  boolean isAt(WorldEvent event) {
    switch (event) {
      case Disturbed disturbed -> {
        disturbances += disturbed.begins() ? 1 : -1;
        since = event.at();
      }
      case Restored _ -> restored = true;
      case Written write when write.path().equals(lease) && write.after() != null -> {
        renewed(write.at(), write.after());
        return !restored && disturbances == 0 && write.at() - since > SINCE;
      }
      default -> {}
    }
    return false;
  }

  private void renewed(long at, JsonNode object) {
    String holder = object.at("/spec/holderIdentity").asText();
    if (!holder.equals(leader) || at - renewed > GAP) {
      since = at;
    }
    leader = holder;
    renewed = at;
  }
}
