package io.probelet.web.explain;

import java.util.Locale;

/** What follows when a startup or liveness probe has failed. */
public enum FailureEffect {
  /** The container is stopped, and another instance started. */
  RESTART("it is restarted", "its restart is held"),
  /** The container is stopped, and its pod's policy wants no other instance. */
  STOP("it is stopped, and not started again", "its stop is held"),
  /** Its pod is evicted, as there is no runtime to stop a container. */
  EVICT("its pod is evicted", "the eviction of its pod is held"),
  /** Its pod is deleted, as there is no runtime to stop a container. */
  DELETE("its pod is deleted", "the deletion of its pod is held"),
  /** It is logged and counted. */
  OBSERVE(
      "that is logged; by policy it is not restarted",
      "that is logged; by policy it is not restarted"),
  /** It is kept: stopped, it might exit with 0 and so count as complete. */
  REFUSE(
      "it is not stopped: with restartPolicy OnFailure an exit with 0 would count as success",
      "it is not stopped: with restartPolicy OnFailure an exit with 0 would count as success");

  private final String words;
  private final String held;

  FailureEffect(String words, String held) {
    this.words = words;
    this.held = held;
  }

  /** What it is, as the end of a sentence. */
  String words() {
    return words;
  }

  /** What it is while restarts are held, as the end of a sentence. */
  String held() {
    return held;
  }

  /** {@return the word used in JSON: restart, stop, evict, delete, observe or refuse} */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
