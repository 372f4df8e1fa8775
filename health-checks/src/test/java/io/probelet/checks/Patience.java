package io.probelet.checks;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long tests wait for what must come; only as long as this on a machine that stalls. */
public final class Patience {
  private Patience() {}

  public static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1));
  }
}
