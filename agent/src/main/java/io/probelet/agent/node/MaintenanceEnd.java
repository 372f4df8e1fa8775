package io.probelet.agent.node;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.MaintenanceNote;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when the node's maintenance is over (MW-11): its end has come, or the Node no longer
 * names it.
 */
final class MaintenanceEnd {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceEnd.class);

  /** The wall clock may be set meanwhile. */
  private static final Duration CLOCK_AGAIN = Duration.ofMinutes(1);

  private final TimeSource time;
  private final Supplier<Optional<MaintenanceNote>> note;
  private final Runnable over;
  private final Alarm alarm;

  // Of the loop only.
  private boolean maintained;

  /**
   * Prepares.
   *
   * @param note what the Node named last
   * @param over called on the loop when a maintenance is over
   */
  MaintenanceEnd(
      SerialLoop loop, TimeSource time, Supplier<Optional<MaintenanceNote>> note, Runnable over) {
    this.time = time;
    this.note = note;
    this.over = over;
    alarm = loop.alarm(this::look);
  }

  /** The Node names another maintenance than before, or none; may be called by any thread. */
  void changed() {
    alarm.set(Duration.ZERO);
  }

  /** {@return the maintenance that the node is in; empty if it is in none} */
  Optional<MaintenanceNote> now() {
    return note.get().filter(named -> time.wallTime().isBefore(named.until()));
  }

  private void look() {
    Optional<MaintenanceNote> now = now();
    if (maintained && now.isEmpty()) {
      LOG.info("maintenance is over, running all checks again");
      over.run();
    } else if (!maintained && now.isPresent()) {
      LOG.info(
          "node is in maintenance until={} maintenance={}", now.get().until(), now.get().name());
    }
    maintained = now.isPresent();
    now.ifPresent(named -> {
      Duration left = Duration.between(time.wallTime(), named.until());
      alarm.set(left.compareTo(CLOCK_AGAIN) > 0 ? CLOCK_AGAIN : left);
    });
  }
}
