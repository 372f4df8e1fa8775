package io.probelet.probe;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long tests wait for what must come; only as long as this on a machine that stalls. */
public final class TestTimeout {
  public static final Duration LONG = Duration.ofMinutes(1);

  private TestTimeout() {}

  public static ConditionFactory await() {
    return Awaitility.await().atMost(LONG);
  }
}
