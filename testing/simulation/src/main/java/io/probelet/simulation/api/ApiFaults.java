package io.probelet.simulation.api;

import java.time.Duration;

/**
 * Decides what happens to requests and to the events of watches. It is asked once for each, in
 * order.
 */
@FunctionalInterface
public interface ApiFaults {
  /** Everything takes a few milliseconds and succeeds. */
  ApiFaults NONE = _ -> RequestFate.USUAL;

  /**
   * {@return what happens to a request}
   *
   * @param request as it is sent
   */
  RequestFate of(ApiRequest request);

  /**
   * {@return what happens to an event of a watch, after the events before it}
   *
   * @param watch the request that began the watch
   */
  default EventFate ofEvent(ApiRequest watch) {
    return EventFate.USUAL;
  }

  /**
   * What happens to an event of a watch.
   *
   * @param delay until it arrives; those after it do not overtake it
   * @param cut whether the connection ends within it
   */
  record EventFate(Duration delay, boolean cut) {
    /** A millisecond. */
    public static final EventFate USUAL = new EventFate(Duration.ofMillis(1), false);
  }
}
