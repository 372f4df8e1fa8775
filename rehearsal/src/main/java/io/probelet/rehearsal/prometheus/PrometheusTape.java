package io.probelet.rehearsal.prometheus;

import io.probelet.nodehealth.tape.NodeDifference;
import io.probelet.nodehealth.tape.TapeHeader;
import io.probelet.nodehealth.tape.TapeLine;
import io.probelet.nodehealth.tape.TapeLine.End;
import io.probelet.nodehealth.tape.TapeLine.Gap;
import io.probelet.nodehealth.tape.TapeLine.NodeGone;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.tape.TapeWriter;
import io.probelet.rehearsal.prometheus.MatrixReader.Series;
import io.probelet.rehearsal.prometheus.ObservedNodes.StrangeNodeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates a tape from the data of Prometheus (TP-9): the state at the first moment, then for each
 * step the series that began or ended. Used once, by one thread.
 */
final class PrometheusTape {
  /**
   * The steps of a page: one day of minutes. This is well below the limit of 11,000 points per
   * series, because Prometheus also limits the samples of all series.
   */
  static final int PAGE = 1_440;

  private final PrometheusSource source;
  private final PrometheusClient client;
  private final String cluster;
  private final Consumer<String> lines;
  private final Consumer<Instant> reached;
  private final ObservedNodes observed;
  private final Map<String, NodeSeen> written = new HashMap<>();
  private final TreeSet<String> touched = new TreeSet<>();
  private int page = PAGE;
  private @Nullable Instant started;
  private @Nullable Instant blind;

  /**
   * Prepares the tape.
   *
   * @param cluster name of the cluster on the tape; possibly empty
   * @param lines receives the tape's lines
   * @param reached called with the time up to which the tape is complete
   */
  PrometheusTape(
      PrometheusSource source,
      PrometheusClient client,
      String cluster,
      Consumer<String> lines,
      Consumer<Instant> reached) {
    this.source = source;
    this.client = client;
    this.cluster = cluster;
    this.lines = lines;
    this.reached = reached;
    this.observed = new ObservedNodes(new LabelNames(source.labels()));
  }

  /**
   * Creates the tape.
   *
   * @param full returns whether no more lines are accepted; the tape then ends without its last
   *     line
   * @return the start of the tape: later than requested if Prometheus has no earlier data
   * @throws PrometheusException if the tape cannot be created
   * @throws InterruptedException if the caller is interrupted
   */
  Instant make(BooleanSupplier full) throws PrometheusException, InterruptedException {
    long step = source.step().toSeconds();
    long at = source.start().getEpochSecond();
    long end = at + (source.end().getEpochSecond() - at) / step * step;
    take(at, present(at));
    while (at < end && !full.getAsBoolean()) {
      reached.accept(Instant.ofEpochSecond(at));
      long last = Math.min(end, at + page * step);
      try {
        take(last, changes(at + step, last));
        at = last;
      } catch (TooMuchException tooMuch) {
        halve(tooMuch);
      }
    }
    Instant begun = started;
    if (begun == null) {
      throw client.refused(
          "has no kube_node_status_condition%s from %s to %s; does it scrape kube-state-metrics?"
              .formatted(
                  source.matchers().isEmpty() ? "" : "{" + source.matchers() + "}",
                  source.start(),
                  source.end()));
    }
    if (!full.getAsBoolean()) {
      Instant over = Instant.ofEpochSecond(end);
      if (blind != null) {
        write(new Gap(over, blind));
      }
      write(new End(over));
    }
    return begun;
  }

  private void halve(TooMuchException tooMuch) throws PrometheusException {
    if (page == 1) {
      throw noShorter(tooMuch);
    }
    page /= 2;
  }

  private PrometheusException noShorter(TooMuchException tooMuch) {
    return client.refused(
        "returns too much data even for a single instant: "
            + PrometheusClient.said(tooMuch.getMessage())
            + "; select one cluster with --match");
  }

  // --- Queries

  private List<SeriesChange> present(long at) throws PrometheusException, InterruptedException {
    List<SeriesChange> changes = new ArrayList<>();
    try {
      for (Metric metric : Metric.values()) {
        ask(metric, true, metric.present(source.matchers()), at, at, changes);
      }
    } catch (TooMuchException tooMuch) {
      throw noShorter(tooMuch);
    }
    return changes;
  }

  private List<SeriesChange> changes(long from, long to)
      throws TooMuchException, PrometheusException, InterruptedException {
    List<SeriesChange> changes = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      ask(metric, true, metric.began(source.matchers(), source.step()), from, to, changes);
      ask(metric, false, metric.ended(source.matchers(), source.step()), from, to, changes);
    }
    return changes;
  }

  private void ask(
      Metric metric, boolean began, String what, long from, long to, List<SeriesChange> changes)
      throws TooMuchException, PrometheusException, InterruptedException {
    RangeQuery query = new RangeQuery(what, from, to, source.step().toSeconds());
    for (Series series : client.query(query)) {
      for (long at : series.times()) {
        changes.add(new SeriesChange(at, metric, began, series.labels()));
      }
    }
  }

  // --- Lines

  private void take(long last, List<SeriesChange> changes) throws PrometheusException {
    changes.sort(Comparator.comparingLong(SeriesChange::at));
    try {
      for (int i = 0; i < changes.size(); i++) {
        SeriesChange change = changes.get(i);
        touched.add(observed.take(change));
        if (i + 1 == changes.size() || changes.get(i + 1).at() != change.at()) {
          moment(Instant.ofEpochSecond(change.at()));
        }
      }
    } catch (StrangeNodeException strange) {
      throw client.refused(
          "has data that a tape cannot contain, until %s: %s"
              .formatted(Instant.ofEpochSecond(last), PrometheusClient.said(strange.getMessage())));
    }
  }

  private void moment(Instant at) throws StrangeNodeException {
    if (!observed.any()) {
      blind = started != null && blind == null ? at : blind;
      return;
    }
    Instant created = at;
    if (started == null) {
      started = at;
      created = Instant.EPOCH; // the start is long ago and therefore unknown
      lines.accept(TapeWriter.write(new TapeHeader(at, cluster, "prometheus")));
    } else if (blind != null) {
      write(new Gap(at, blind));
      blind = null;
    }
    for (String name : touched) {
      NodeSeen old = written.get(name);
      NodeSeen now = observed.node(name, at, old, created).orElse(null);
      if (now != null) {
        written.put(name, now);
        if (old == null) {
          write(now);
        } else {
          NodeDifference.between(old, now, at).forEach(this::write);
        }
      } else if (old != null) {
        written.remove(name);
        write(new NodeGone(at, name));
      }
    }
    touched.clear();
  }

  private void write(TapeLine line) {
    lines.accept(TapeWriter.write(line));
  }
}
