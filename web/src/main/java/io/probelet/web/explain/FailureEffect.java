package io.probelet.web.explain;

import java.util.Locale;

/** What follows when a startup or liveness probe has failed. */
public enum FailureEffect {
  /** The container is stopped, and another instance started. */
  RESTART("it is restarted", "its restart is on hold"),
  /** The container is stopped, and its pod's policy wants no other instance. */
  STOP("it is stopped, and not started again", "its stop is on hold"),
  /** Its pod is evicted, as there is no runtime to stop a container. */
  EVICT("its pod is evicted", "the eviction of its pod is on hold"),
  /** Its pod is deleted, as there is no runtime to stop a container. */
  DELETE("its pod is deleted", "the deletion of its pod is on hold"),
  /** It is logged and counted. */
  OBSERVE("the failure is only logged, by policy", "the failure is only logged, by policy"),
  /** It is kept: stopped, it might exit with 0 and so count as complete. */
  REFUSE(
      "it is not stopped: with restartPolicy OnFailure, exit code 0 would count as success",
      "it is not stopped: with restartPolicy OnFailure, exit code 0 would count as success");

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
