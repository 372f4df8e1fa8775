package io.probelet.web.explain;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says what would follow if a startup or liveness probe of a container failed now. */
@FunctionalInterface
public interface RestartForecast {
  /** Where nothing holds restarts. */
  RestartForecast UNGUARDED =
      (container, _) ->
          Consequence.of(container.restarts() ? FailureEffect.RESTART : FailureEffect.STOP);

  /**
   * {@return what would follow; asking changes nothing}
   *
   * @param kind startup or liveness
   */
  Consequence of(ContainerSnapshot container, ProbeKind kind);

  /**
   * What would follow.
   *
   * @param effect if nothing holds it
   * @param unless what may hold it though that is not known before, as the end of a sentence; empty
   *     for nothing
   * @param kept when this instance failed last and was kept all the same; null if it was not
   */
  record Consequence(
      FailureEffect effect, String unless, Optional<Held> held, @Nullable Instant kept) {
    /** {@return a consequence that nothing holds} */
    public static Consequence of(FailureEffect effect) {
      return new Consequence(effect, "", Optional.empty(), null);
    }
  }

  /**
   * What holds restarts.
   *
   * @param until when they pass at the latest; null if that begins to count with the failure
   */
  record Held(String why, @Nullable Instant until) {}
}
