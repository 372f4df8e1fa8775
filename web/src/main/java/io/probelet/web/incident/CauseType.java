package io.probelet.web.incident;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The kinds of causes of an incident. */
public enum CauseType {
  /** The container's own CPU limit throttled it. */
  CPU_LIMIT,
  /** The node had too little CPU for all its tasks. */
  NODE_CPU,
  /** The node had too little memory, or its disks were too slow. */
  NODE_PRESSURE,
  /** The kernel killed a process at the container's memory limit. */
  MEMORY_LIMIT,
  /** The kernel killed a process because the node ran out of memory. */
  NODE_MEMORY,
  /** The program ended by itself. */
  CRASH,
  /** The program, or the command of the probe, does not exist or cannot be executed. */
  PROGRAM_MISSING,
  /** The image cannot be pulled. */
  IMAGE_MISSING,
  /** The runtime or the kubelet cannot create the container for another reason. */
  CANNOT_START,
  /** Something that the container needs refuses its connections. */
  DEPENDENCY_REFUSED,
  /** A name cannot be resolved. */
  DNS,
  /** A certificate has expired. */
  TLS_EXPIRED,
  /** A TLS handshake failed for another reason. */
  TLS,
  /** The container listens on another port than the one that is probed. */
  WRONG_PORT,
  /** The server has no such path or refuses the probe's request. */
  WRONG_PATH,
  /** It had not finished its start. */
  SLOW_START,
  /** The server no longer listens. */
  NOT_LISTENING,
  /** Its threads wait and do nothing. */
  HANG,
  /** Its threads wait for a disk or a network file system. */
  BLOCKED_ON_IO,
  /** It is busy, and too slow for the probe. */
  BUSY,
  /** Its processes are stopped by a signal. */
  STOPPED_PROCESS,
  /** It answered that it is not healthy. */
  REPORTED_UNHEALTHY,
  /** The pod is being deleted. */
  DELETED,
  /** Its image was replaced. */
  IMAGE_CHANGED,
  /** Its pod was evicted. */
  EVICTED,
  /** A failed probe of another container restarted the whole pod. */
  POD_RESTARTED,
  /** Something other than the agent stopped it: the kubelet, or a user. */
  STOPPED_BY_OTHERS,
  /** The prober could not work. */
  PROBER_STALLED,
  /** The evidence does not tell. */
  UNKNOWN;

  /** {@return the word used in JSON and metrics: cpu-limit, node-cpu, …} */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * {@return the type of a word; {@link #UNKNOWN} for one of a later version}
   *
   * @param label as {@link #label} writes it
   */
  @JsonCreator
  static CauseType of(String label) {
    for (CauseType type : values()) {
      if (type.label().equals(label)) {
        return type;
      }
    }
    return UNKNOWN;
  }
}
