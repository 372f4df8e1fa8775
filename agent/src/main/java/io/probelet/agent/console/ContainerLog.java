package io.probelet.agent.console;

import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import java.util.ArrayList;
import java.util.List;

/** Says what is new about a container, in the order in which it came to be. */
final class ContainerLog {
  private static final ContainerObservation UNSEEN = ContainerObservation.waiting("", 0, "");

  private ContainerLog() {}

  /** {@return all that is new about a container that is seen for the first time} */
  static List<String> first(ContainerStatus now) {
    return between(new ContainerStatus(now.pod(), now.name(), UNSEEN, false, false), now);
  }

  /** {@return one phrase per change between two observations, possibly none} */
  static List<String> between(ContainerStatus before, ContainerStatus now) {
    ContainerObservation was = before.observation();
    ContainerObservation is = now.observation();
    boolean stillThere = was.id().equals(is.id()) && was.state() == is.state();
    List<String> news = new ArrayList<>();
    switch (is.state()) {
      case RUNNING -> {
        if (!stillThere) {
          news.add("running" + (is.restartCount() > 0 ? ", restart " + is.restartCount() : ""));
        } else if (now.started() && !before.started()) {
          news.add("started");
        }
        if (now.ready() && !(stillThere && before.ready())) {
          news.add("ready");
        } else if (!now.ready() && stillThere && before.ready()) {
          news.add("not ready");
        }
      }
      case TERMINATED -> {
        if (!stillThere) {
          String reason = is.reason().isEmpty() ? "" : " (" + is.reason() + ")";
          news.add("exited with code " + is.exitCode() + reason);
        }
      }
      case WAITING -> {
        boolean logged = was.state() == State.WAITING && was.reason().equals(is.reason());
        if (!is.reason().isEmpty() && !logged) {
          news.add("waiting: " + is.reason());
        }
      }
    }
    return news;
  }
}
