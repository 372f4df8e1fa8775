package io.probelet.agent.incident;

import io.probelet.health.OneLine;
import io.probelet.health.RecentMap;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.hook.PreKillListener;
import io.probelet.web.incident.IncidentKind;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outputs of preKill commands. The start of each is logged. The record of the kill has it in
 * place of the container's log, within the same limit. Both are without what looks like a secret.
 */
final class PreKillOutput implements PreKillListener {
  private static final Logger LOG = LoggerFactory.getLogger(PreKillOutput.class);
  private static final int MAX_LOGGED = 256;

  private final LogTail logs;
  private final IncidentStore store;

  /** By container id, until the record is there; guarded by itself. */
  private final RecentMap<String, List<String>> waiting =
      new RecentMap<>(IncidentWriter.MAX_AT_ONCE);

  PreKillOutput(LogTail logs, IncidentStore store) {
    this.logs = logs;
    this.store = store;
  }

  @Override
  public void ended(RestartDecision decision, Report report) {
    LOG.info(
        RestartDecision.LOG_MARKER,
        "preKill command ended pod={} container={} reason=\"{}\" output=\"{}\"",
        decision.subject().pod(),
        decision.subject().container(),
        report.result(),
        OneLine.of(String.join("\n", LogTail.redacted(report.output())), MAX_LOGGED));
    List<String> lines = logs.ofCommand("preKill: " + report.result(), report.output());
    if (!lines.isEmpty()) {
      synchronized (waiting) {
        waiting.put(decision.containerId(), lines);
      }
    }
  }

  /** The record of the kill and the command's end come in any order; the later one joins them. */
  void join(PodRef pod, String containerId) {
    List<String> lines;
    synchronized (waiting) {
      lines = waiting.get(containerId);
    }
    if (lines != null
        && store.update(
            pod.namespace(),
            pod.name(),
            incident ->
                incident.kind() == IncidentKind.KILLED
                    && incident.containerId().equals(containerId),
            incident -> incident.withLog(lines))) {
      synchronized (waiting) {
        waiting.remove(containerId);
      }
    }
  }
}
