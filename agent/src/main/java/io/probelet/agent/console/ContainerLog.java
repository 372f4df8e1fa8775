package io.probelet.agent.console;

import io.probelet.health.OneLine;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.TerminationView;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Describes the changes of a container in their order. */
final class ContainerLog {
  private static final ContainerObservation UNSEEN = ContainerObservation.waiting("", 0, "");

  private static final int MAX_MESSAGE = 200;
  private static final int MAX_PATH = 1_024;
  private static final int MAX_WORD = 128;

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
          news.add(ended(is));
        }
      }
      case WAITING -> {
        boolean logged = was.state() == State.WAITING && was.reason().equals(is.reason());
        if (!is.reason().isEmpty() && !logged) {
          news.add(waiting(is));
        }
      }
    }
    return news;
  }

  /** How an instance ended, and where to read why, if it failed. */
  private static String ended(ContainerObservation is) {
    ContainerDetails details = is.details();
    Termination last = details.lastTermination();
    TerminationView how =
        TerminationView.of(
            last == null ? new Termination(is.exitCode(), 0, is.reason(), "", null) : last);
    StringBuilder words = new StringBuilder("ended with ").append(ContainerCause.ended(how));
    String said = ContainerCause.quoted(how.message(), MAX_MESSAGE);
    if (!said.isEmpty()) {
      words.append(": ").append(said);
    }
    if (is.exitCode() != 0 && !details.logPath().isEmpty()) {
      words.append(", log ").append(OneLine.of(details.logPath(), MAX_PATH));
    }
    return words.toString();
  }

  private static String waiting(ContainerObservation is) {
    StringBuilder words = new StringBuilder("waiting: ").append(OneLine.of(is.reason(), MAX_WORD));
    if (is.nextStart() != null) {
      words.append(" until ").append(is.nextStart().truncatedTo(ChronoUnit.SECONDS));
    }
    Termination last = is.details().lastTermination();
    boolean repeated = last != null && last.message().equals(is.details().message());
    String said = repeated ? "" : ContainerCause.quoted(is.details().message(), MAX_MESSAGE);
    return (said.isEmpty() ? words : words.append(": ").append(said)).toString();
  }
}
