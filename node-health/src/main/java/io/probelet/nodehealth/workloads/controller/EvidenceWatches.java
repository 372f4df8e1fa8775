package io.probelet.nodehealth.workloads.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each watch has shown, and up to when. Used only on the loop's thread, with monotonic times
 * since the start of the term.
 */
final class EvidenceWatches {
  private static final Logger LOG = LoggerFactory.getLogger(EvidenceWatches.class);

  private final Map<String, State> states = new LinkedHashMap<>();

  private static final class State {
    private boolean current;
    private Duration confirmed = Duration.ZERO;
    private String problem;

    private State(String problem) {
      this.problem = problem;
    }
  }

  /** Begins with watches that have shown nothing. */
  EvidenceWatches(Collection<String> names) {
    names.forEach(name -> states.put(name, new State(name + " are still being listed")));
  }

  /** A list or a bookmark: all changes until then have been shown. */
  void confirmed(String name, Duration at) {
    State state = state(name);
    state.current = true;
    state.confirmed = at;
    if (!state.problem.isEmpty()) {
      state.problem = "";
      LOG.info("workload evidence watch ready watch=\"{}\"", name);
    }
  }

  /** The watch is interrupted. */
  void ended(String name) {
    State state = state(name);
    state.current = false;
    if (state.problem.isEmpty()) {
      state.problem = "the watch on " + name + " is interrupted";
    }
  }

  /** The watch cannot show its objects. */
  void failed(String name, String problem) {
    State state = state(name);
    state.current = false;
    if (!problem.equals(state.problem)) {
      LOG.warn(
          "workload evidence watch unavailable, retrying watch=\"{}\" reason=\"{}\"",
          name,
          problem);
    }
    state.problem = problem;
  }

  private State state(String name) {
    State state = states.get(name);
    if (state == null) {
      throw new IllegalArgumentException("no watch is named " + name);
    }
    return state;
  }

  /** {@return whether all watches show the current state} */
  boolean areCurrent() {
    return states.values().stream().allMatch(state -> state.current);
  }

  /** {@return the last moment up to which all of them have shown all changes} */
  Duration confirmed() {
    return states.values().stream()
        .map(state -> state.confirmed)
        .min(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /** {@return why they do not, each in one line} */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    states.values().stream()
        .map(state -> state.problem)
        .filter(problem -> !problem.isEmpty())
        .forEach(problems::add);
    return problems;
  }
}
